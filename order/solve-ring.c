/* SPDX-License-Identifier: BSD-3-Clause */
/* solve-ring.c - the order for a ring, and its bound */
#include "config.h"

#include "order/solve-parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "costmodels/ring.h"
#include "solver/ring/ring-bound.h"
#include "solver/ring/ring-cuts.h"
#include "solver/ring/ring-exact.h"
#include "solver/ring/ring-restart.h"
#include "solver/ring/ring-search.h"

#include <stdlib.h>
#include <string.h>

/* Takes an order that is proved the best; its cost is the bound then. The given order stays if it
 * is as good. */
static void take_best(struct pl_order_result *r, const struct pl_order_problem *p,
		      const size_t *found)
{
	const double cost = pl_cost_ring(p->m->ring, p->n, found, p->n);

	pl_order_take(r, p, found, cost);
	r->bound = r->cost;
}

/* Up to so many hosts the least cost is found outright. */
static int solve_soon(struct pl_order_result *r, const struct pl_order_problem *p,
		      struct pl_err *err)
{
	size_t found[PL_RING_EXACT_MAX];
	bool done;

	if (pl_ring_exact(p->m->ring, p->n, NULL, found, &done, err))
		return -1;
	take_best(r, p, found);
	return 0;
}

/* Does the full bound exceed what an ascent proves? */
static bool closes_gaps(const struct pl_order_problem *p)
{
	return p->q->bound == PL_BOUND_FULL &&
	       (p->n <= PL_RING_EXACT_MAX || (pl_ring_cuts_built() && p->n <= PL_RING_CUTS_MAX));
}

static bool has_gap(const struct pl_order_result *r, const struct pl_order_problem *p)
{
	return !pl_ring_reached(r->cost, r->bound, p->n) && !pl_stop_now(p->stop);
}

/* Finds the best ring by branch and cut, starting from the best found so far, @at[n]. */
static int cut(struct pl_order_result *r, const struct pl_order_problem *p, size_t *at,
	       struct pl_err *err)
{
	struct pl_ring_cuts_result cuts;

	if (!pl_ring_cuts_built()) {
		if (p->n <= PL_RING_CUTS_MAX)
			r->refined.lack |= PL_ORDER_LACKS_GLPK;
		return 0;
	}
	if (p->n > PL_RING_CUTS_MAX)
		return 0;
	if (pl_ring_cuts(p->m->ring, p->n, pl_ring_cuts_iterations(p->n), p->stop, at, &cuts, err))
		return -1;
	if (cuts.bound > r->bound) {
		r->bound = cuts.bound;
		r->proof = "branch and cut";
	}
	r->part = cuts.proved ? 2 * PL_RING_CUTS_PART : 0;
	pl_order_take(r, p, at, cuts.cost);
	return 0;
}

/* Finds it by dynamic programming over all sets of hosts. */
static int try_all(struct pl_order_result *r, const struct pl_order_problem *p, size_t *at,
		   struct pl_err *err)
{
	bool done;

	if (pl_ring_exact(p->m->ring, p->n, p->stop, at, &done, err))
		return -1;
	if (done)
		take_best(r, p, at);
	return 0;
}

/* Goes on from the best ring found to the best there is, or to a higher
 * bound. */
static int close_gap(struct pl_order_result *r, const struct pl_order_problem *p,
		     struct pl_err *err)
{
	const int64_t start_ns = pl_clock_ns();
	size_t *at = NULL;
	int rc = 0;

	if (p->q->bound != PL_BOUND_FULL || !has_gap(r, p))
		return 0;
	at = pl_array_create(p->n, sizeof(*at));
	if (!at)
		return pl_err_nomem(err);
	memcpy(at, r->host_at, p->n * sizeof(*at));
	rc = cut(r, p, at, err);
	if (rc == 0 && p->n <= PL_RING_EXACT_MAX && r->part == 0 && has_gap(r, p))
		rc = try_all(r, p, at, err);
	r->bound_seconds += pl_order_seconds_since(start_ns);
	free(at);
	return rc;
}

static int search(struct pl_order_result *r, const struct pl_order_problem *p, const double *weight,
		  struct pl_err *err)
{
	const struct pl_stop early = pl_order_early(p->stop, closes_gaps(p) ? 2 : 1);
	const uint64_t moves = pl_order_moves(p->q, pl_ring_moves(p->n));
	struct pl_order_show show;
	const struct pl_ring_options options = {
		.seed = p->q->seed,
		.moves = moves,
		.threads = p->q->threads,
		.target = r->bound,
		.weight = weight,
		.stop = &early,
		.progress = pl_order_show(&show, p, r->bound, moves),
		.progress_arg = &show,
	};
	struct pl_ring_result found;
	int rc;

	memcpy(r->host_at, p->base, p->n * sizeof(*r->host_at));
	rc = pl_ring_search(p->m->ring, p->n, &options, r->host_at, &found, err);
	pl_order_show_end(&show);
	if (rc)
		return -1;
	r->moves = found.moves;
	pl_order_take(r, p, r->host_at, found.cost);
	return 0;
}

/* The bound for a search, within half of the time; weight[n] gets hints for the search. */
static int bound(struct pl_order_result *r, const struct pl_order_problem *p, double *weight,
		 struct pl_err *err)
{
	const int64_t start_ns = pl_clock_ns();
	const struct pl_stop early = pl_order_early(p->stop, 2);
	struct pl_ring_bound proved;

	if (pl_ring_bound(p->m->ring, p->n, p->q->bound, &early, &proved, weight, err))
		return -1;
	r->bound = proved.value;
	r->proof = pl_ring_proof_name(proved.by);
	r->bound_seconds = pl_order_seconds_since(start_ns);
	return 0;
}

int pl_order_solve_ring(struct pl_order_result *r, const struct pl_order_problem *p,
			struct pl_err *err)
{
	int64_t start_ns = pl_clock_ns();
	double *weight = NULL;
	int rc;

	if (p->n <= PL_RING_EXACT_SOON) {
		rc = solve_soon(r, p, err);
		r->solve_seconds = pl_order_seconds_since(start_ns);
		return rc;
	}
	weight = pl_array_create(p->n, sizeof(*weight));
	if (!weight)
		return pl_err_nomem(err);
	rc = bound(r, p, weight, err);
	start_ns = pl_clock_ns();
	if (rc == 0)
		rc = search(r, p, p->q->bound == PL_BOUND_NONE ? NULL : weight, err);
	r->solve_seconds = pl_order_seconds_since(start_ns);
	if (rc == 0)
		rc = close_gap(r, p, err);
	free(weight);
	return rc;
}

/* The bound alone: methods that get nearer to the least cost need a ring near to it. */
int pl_order_bound_ring(struct pl_order_result *r, const struct pl_order_problem *p,
			struct pl_err *err)
{
	double *weight;
	int rc;

	if (p->n <= PL_RING_EXACT_SOON || closes_gaps(p))
		return pl_order_solve_ring(r, p, err);
	weight = pl_array_create(p->n, sizeof(*weight));
	rc = weight ? bound(r, p, weight, err) : pl_err_nomem(err);
	free(weight);
	return rc;
}
