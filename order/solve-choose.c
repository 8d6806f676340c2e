/* SPDX-License-Identifier: BSD-3-Clause */
/* solve-choose.c - chooses some of the hosts, and their order */
#include "config.h"

#include "order/solve-parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "solver/choose/choice.h"
#include "solver/choose/choose-ring.h"
#include "solver/order/order-search.h"

#include <stdlib.h>
#include <string.h>

static struct pl_host_choice choice_of(const struct pl_order_problem *p, const double *c)
{
	return (struct pl_host_choice){
		.n = p->n, .k = p->m->n_seats, .c = c, .may_lead = p->may_lead};
}

/* Up to so many hosts the least cost is found outright. */
static int solve_soon(struct pl_order_result *r, const struct pl_order_problem *p,
		      struct pl_err *err)
{
	const struct pl_host_choice choice = choice_of(p, p->m->ring);
	size_t found[PL_CHOOSE_EXACT_MAX];

	if (pl_choose_exact(&choice, found, err))
		return -1;
	pl_order_take(r, p, found, pl_order_model_cost(p->m, found));
	r->bound = r->cost;
	return 0;
}

static int bound(struct pl_order_result *r, const struct pl_order_problem *p, struct pl_err *err)
{
	const struct pl_host_choice choice = choice_of(p, p->m->ring);
	const int64_t start_ns = pl_clock_ns();

	if (p->q->bound == PL_BOUND_NONE || pl_stop_now(p->stop))
		return 0;
	if (pl_choose_ring_bound(&choice, &r->bound, err))
		return -1;
	r->bound_seconds = pl_order_seconds_since(start_ns);
	return 0;
}

static int search(struct pl_order_result *r, const struct pl_order_problem *p, struct pl_err *err)
{
	const struct pl_host_choice choice = choice_of(p, p->m->ring);
	const uint64_t moves = pl_order_moves(p->q, pl_choose_ring_moves(&choice));
	struct pl_order_show show;
	const struct pl_ring_options options = {
		.seed = p->q->seed,
		.moves = moves,
		.threads = p->q->threads,
		.target = r->bound,
		.stop = p->stop,
		.progress = pl_order_show(&show, p, r->bound, moves),
		.progress_arg = &show,
	};
	struct pl_ring_result found;
	int rc;

	memcpy(r->host_at, p->base, p->n * sizeof(*r->host_at));
	rc = pl_choose_ring(&choice, &options, r->host_at, &found, err);
	pl_order_show_end(&show);
	if (rc)
		return -1;
	r->moves = found.moves;
	pl_order_take(r, p, r->host_at, found.cost);
	return 0;
}

int pl_order_choose_ring(struct pl_order_result *r, const struct pl_order_problem *p,
			 struct pl_err *err)
{
	const int64_t start_ns = pl_clock_ns();
	int rc;

	if (p->n <= PL_CHOOSE_EXACT_MAX) {
		rc = solve_soon(r, p, err);
	} else {
		rc = bound(r, p, err);
		if (rc == 0)
			rc = search(r, p, err);
	}
	r->solve_seconds = pl_order_seconds_since(start_ns) - r->bound_seconds;
	return rc;
}

int pl_order_choose_bound_ring(struct pl_order_result *r, const struct pl_order_problem *p,
			       struct pl_err *err)
{
	return p->n <= PL_CHOOSE_EXACT_MAX ? solve_soon(r, p, err) : bound(r, p, err);
}

/* The problem that is left once hosts are chosen. */
struct rest {
	size_t k;
	const size_t *host_at; /* [k] */
	struct pl_shape shape; /* borrows its hops */
	struct pl_costs costs;
	double *c, *per_byte;      /* [k * k] */
	size_t *slots, *at, *ring; /* [k] */
	bool *may_lead;            /* [k] */
};

static void rest_fini(struct rest *rest)
{
	free(rest->c);
	free(rest->per_byte);
	free(rest->slots);
	free(rest->at);
	free(rest->ring);
	free(rest->may_lead);
}

/* Costs between the chosen hosts. */
static void pick(double *to, const double *from, const struct rest *rest, size_t n)
{
	for (size_t i = 0; i < rest->k; i++)
		for (size_t j = 0; j < rest->k; j++)
			to[i * rest->k + j] = from[rest->host_at[i] * n + rest->host_at[j]];
}

static int rest_init(struct rest *rest, const struct pl_order_problem *p, const size_t *host_at,
		     struct pl_err *err)
{
	const struct pl_costs *costs = &p->m->costs;
	const size_t k = p->m->n_seats;

	*rest = (struct rest){
		.k = k,
		.host_at = host_at,
		.shape = p->m->shape,
		.c = pl_array_create(k * k, sizeof(*rest->c)),
		.per_byte = pl_array_create(k * k, sizeof(*rest->per_byte)),
		.slots = pl_array_create(k, sizeof(*rest->slots)),
		.at = pl_array_create(k, sizeof(*rest->at)),
		.ring = pl_array_create(k, sizeof(*rest->ring)),
		.may_lead = pl_array_create(k, sizeof(*rest->may_lead)),
	};
	if (!rest->c || !rest->per_byte || !rest->slots || !rest->at || !rest->ring ||
	    !rest->may_lead) {
		rest_fini(rest);
		return pl_err_nomem(err);
	}
	pick(rest->c, costs->c, rest, costs->n);
	if (costs->per_byte)
		pick(rest->per_byte, costs->per_byte, rest, costs->n);
	rest->costs = (struct pl_costs){
		.n = k,
		.c = rest->c,
		.per_byte = costs->per_byte ? rest->per_byte : NULL,
	};
	rest->shape.n_pos = 0;
	for (size_t i = 0; i < k; i++) {
		rest->slots[i] = p->m->slots ? p->m->slots[host_at[i]] : 1;
		rest->shape.n_pos += rest->slots[i];
		rest->at[i] = rest->ring[i] = i;
		rest->may_lead[i] = p->may_lead && p->may_lead[host_at[i]];
	}
	return 0;
}

/* Improves the order of the first n_seats of host_at[n] by at most *moves, and sets that to the
 * number used. */
static int order_chosen(size_t *host_at, const struct pl_order_problem *p, uint64_t *moves,
			struct pl_err *err)
{
	const struct pl_stop early = pl_order_early(p->stop, 4);
	struct pl_order_search_options options = {
		.seed = p->q->seed,
		.moves = *moves,
		.threads = p->q->threads,
		.stop = &early,
	};
	struct pl_order_search_result found = {.moves = 0};
	struct rest rest;
	int rc;

	if (rest_init(&rest, p, host_at, err))
		return -1;
	options.slots = rest.slots;
	options.start = rest.ring;
	options.may_lead = p->may_lead ? rest.may_lead : NULL;
	rc = pl_order_short_ring(rest.c, rest.k, rest.ring, p, err);
	if (rc == 0)
		rc = pl_order_search(&rest.shape, &rest.costs, &options, rest.at, &found, err);
	for (size_t i = 0; i < rest.k; i++)
		rest.at[i] = host_at[rest.at[i]];
	memcpy(host_at, rest.at, rest.k * sizeof(*host_at));
	*moves = found.moves;
	rest_fini(&rest);
	return rc;
}

/* The number of sets of hosts that are ordered, to find the one to start
 * from. */
enum { SET_GIVEN, SET_NEAR, SET_RING, SETS };

uint64_t pl_order_choose_moves(const struct pl_order_problem *p)
{
	return pl_order_search_moves(p->n) + SETS * pl_order_search_moves(p->m->n_seats);
}

/* The hosts of a short ring, beginning with one that may lead. */
static int choose_for_ring(size_t *host_at, const struct pl_order_problem *p, struct pl_err *err)
{
	const struct pl_stop early = pl_order_early(p->stop, 4);
	const struct pl_host_choice choice = choice_of(p, p->m->costs.c);
	const struct pl_ring_options options = {
		.seed = p->q->seed,
		.moves = pl_choose_ring_moves(&choice) / 2,
		.threads = p->q->threads,
		.stop = &early,
	};
	struct pl_ring_result found;
	size_t first = 0;

	if (pl_choose_ring(&choice, &options, host_at, &found, err))
		return -1;
	while (p->may_lead && !p->may_lead[host_at[first]])
		first++;
	pl_ring_rotate(host_at, choice.k, host_at[first]);
	return 0;
}

/* host_at[n] has the base. */
static int choose_set(size_t *host_at, int set, const struct pl_order_problem *p,
		      struct pl_err *err)
{
	const struct pl_host_choice choice = choice_of(p, p->m->costs.c);

	if (set == SET_NEAR)
		return pl_choose_near(&choice, p->stop, host_at, err);
	return set == SET_RING ? choose_for_ring(host_at, p, err) : 0;
}

/* The cheapest of all sets, each ordered; at[n] is scratch. */
static int start(size_t *host_at, size_t *at, const struct pl_order_problem *p, uint64_t *moves,
		 struct pl_err *err)
{
	const uint64_t usual = pl_order_search_moves(p->m->n_seats);
	const uint64_t most = *moves / (SETS + 1);
	const uint64_t share = most < usual ? most : usual;
	double least = p->cost;

	*moves = 0;
	for (int set = 0; set < SETS; set++) {
		uint64_t used = share;
		double cost;

		memcpy(at, p->base, p->n * sizeof(*at));
		if (choose_set(at, set, p, err) || order_chosen(at, p, &used, err))
			return -1;
		*moves += used;
		cost = pl_order_model_cost(p->m, at);
		if (cost < least) {
			memcpy(host_at, at, p->n * sizeof(*at));
			least = cost;
		}
	}
	return 0;
}

int pl_order_choose_start(size_t *host_at, const struct pl_order_problem *p, uint64_t *moves,
			  struct pl_err *err)
{
	size_t *other;
	int rc;

	if (p->n <= PL_ORDER_EXACT_MAX || pl_stop_now(p->stop)) {
		*moves = 0;
		return 0;
	}
	other = pl_array_create(p->n, sizeof(*other));
	rc = other ? start(host_at, other, p, moves, err) : pl_err_nomem(err);
	free(other);
	return rc;
}
