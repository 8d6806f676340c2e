/* SPDX-License-Identifier: BSD-3-Clause */
/* solve-stages.c - the thesis' two stages: annealing, then proofs of ever lower costs */
#include "config.h"

#include "order/solve-parts.h"

#include "base/clock.h"
#include "solver/order/order-search.h"
#include "solver/order/symmetry.h"
#include "solver/proof/order-proof.h"
#include "solver/thesis/anneal.h"

#include <math.h>
#include <string.h>

/* Limits without --time: hops that annealing adds up in all, and how much Z3 works, in its own
 * units; each takes some seconds. */
#define ANNEAL_HOPS 5e8
#define ANNEAL_MOVES_MIN 10000
#define PROOF_WORK 30000000

/* Unless asked for: up to so many hosts, with so much work, which takes up to some 2 s. */
#define USUAL_HOSTS 10
#define USUAL_WORK 2000000

/* The model as a shape and its costs, rings as well. */
struct view {
	struct pl_shape ring;         /* own, empty where there is no ring */
	const struct pl_shape *shape; /* the ring, or the model's */
	struct pl_costs costs;
	size_t alike; /* positions of each host; 0: they differ */
};

static int view_init(struct view *v, const struct pl_order_problem *p, struct pl_err *err)
{
	const struct pl_order_model *m = p->m;

	*v = (struct view){.shape = &m->shape, .costs = m->costs, .alike = 1};
	if (m->ring) {
		v->ring = (struct pl_shape){.kind = PL_SUM, .n_pos = p->n};
		v->shape = &v->ring;
		v->costs = (struct pl_costs){.n = p->n, .c = m->ring};
		return pl_shape_add_ring(&v->ring, p->n, 1, (struct pl_hop){.times = 1}, err);
	}
	v->alike = pl_slots_alike(m->slots, p->n);
	return 0;
}

static void view_fini(struct view *v)
{
	pl_shape_fini(&v->ring);
}

/* Takes over an order that a stage has found. */
static void take(struct pl_order_result *r, const struct pl_order_problem *p)
{
	pl_order_take(r, p, r->host_at, pl_order_model_cost(p->m, r->host_at));
}

static uint64_t anneal_moves(const struct pl_order_problem *p, const struct view *v)
{
	const double moves = ANNEAL_HOPS / (double)(v->shape->n_hops + p->n + 1);

	return pl_order_moves(p->q, (uint64_t)fmax(ANNEAL_MOVES_MIN, moves));
}

static int anneal(struct pl_order_result *r, const struct pl_order_problem *p, struct pl_err *err)
{
	const struct pl_stop early = pl_order_early(p->stop, 2);
	struct pl_anneal_result found;
	struct view v;
	int rc = view_init(&v, p, err);
	const struct pl_anneal_options options = {
		.shape = v.shape,
		.costs = &v.costs,
		.moves = rc ? 0 : anneal_moves(p, &v),
		.seed = p->q->seed,
		.slots = p->m->slots,
		.may_lead = p->may_lead,
		.stop = &early,
	};

	memcpy(r->host_at, p->base, p->n * sizeof(*r->host_at));
	if (rc == 0)
		rc = pl_anneal(&options, r->host_at, &found, err);
	view_fini(&v);
	if (rc)
		return -1;
	r->moves = found.moves;
	take(r, p);
	return 0;
}

/* Can the first host stay at its place, since the ring can be turned to any? */
static int find_turn(bool *turns, const struct pl_order_problem *p, const struct view *v,
		     struct pl_err *err)
{
	struct pl_symmetry y;

	*turns = p->m->ring;
	if (p->m->ring || p->may_lead)
		return 0;
	if (pl_symmetry_find(&y, v->shape, &v->costs, p->n, v->alike, err))
		return -1;
	*turns = y.free;
	return 0;
}

static uint64_t proof_work(const struct pl_order_request *q)
{
	if (q->method == PL_METHOD_SEARCH)
		return USUAL_WORK;
	return q->time_ns ? 0 : PROOF_WORK;
}

static int refine_view(struct pl_order_result *r, const struct pl_order_problem *p,
		       const struct view *v, struct pl_err *err)
{
	struct pl_proof_options options = {
		.shape = v->shape,
		.costs = &v->costs,
		.alike = v->alike,
		.seed = p->q->seed,
		.work = proof_work(p->q),
		.may_lead = p->may_lead,
		.stop = p->stop,
	};
	struct pl_proof_result found;
	const double before = r->cost;

	if (find_turn(&options.first_stays, p, v, err) ||
	    pl_order_prove(&options, r->host_at, &found, err))
		return -1;
	take(r, p);
	/* a bound for all orders, whatever the first host */
	if (found.bound > 0 && !(r->bound > found.bound)) {
		r->bound = found.bound;
		r->proof = "Z3";
		r->part = fmax(r->part, PL_PROOF_PART);
	}
	r->refined.asked = found.asked;
	r->refined.found = found.found;
	r->refined.gain = pl_order_gain(before, found.cost);
	r->refined.slack = found.bound > 0 ? pl_order_gain(found.cost, found.bound) : NAN;
	r->refined.whole = p->n <= pl_proof_hosts(p->m->ring ? PL_SUM : p->m->shape.kind);
	return 0;
}

bool pl_order_refines(const struct pl_order_result *r, const struct pl_order_problem *p)
{
	if (r->exact || p->q->method == PL_METHOD_EXACT)
		return !r->exact;
	return pl_proof_built() && p->n <= USUAL_HOSTS && p->m->n_seats == p->n &&
	       p->q->bound != PL_BOUND_NONE && pl_slots_alike(p->m->slots, p->n) > 0;
}

int pl_order_refine(struct pl_order_result *r, const struct pl_order_problem *p, struct pl_err *err)
{
	const int64_t start_ns = pl_clock_ns();
	struct view v;
	int rc;

	if (pl_stop_now(p->stop) || r->cost <= r->bound)
		return 0;
	if (!pl_proof_built()) {
		r->refined.lack |= PL_ORDER_LACKS_Z3;
		return 0;
	}
	rc = view_init(&v, p, err);
	if (rc == 0 && v.alike == 0)
		r->refined.lack |= PL_ORDER_UNEVEN_SLOTS;
	else if (rc == 0)
		rc = refine_view(r, p, &v, err);
	view_fini(&v);
	r->solve_seconds += pl_order_seconds_since(start_ns);
	return rc;
}

int pl_order_solve_thesis(struct pl_order_result *r, const struct pl_order_problem *p,
			  struct pl_err *err)
{
	int64_t start_ns;

	if (p->q->bound != PL_BOUND_NONE &&
	    (p->m->ring ? pl_order_bound_ring(r, p, err) : pl_order_bound_shape(r, p, err)))
		return -1;
	start_ns = pl_clock_ns();
	if (anneal(r, p, err)) /* forgets what the bound may have found */
		return -1;
	r->solve_seconds = pl_order_seconds_since(start_ns);
	return pl_order_refine(r, p, err);
}
