/* SPDX-License-Identifier: BSD-3-Clause */
/* solve-shape.c - the order for any shape, and its bound */
#include "config.h"

#include "order/solve-parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "solver/bound/order-bound.h"
#include "solver/order/order-search.h"
#include "solver/ring/ring-exact.h"
#include "solver/ring/ring-search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Moves, for each host, of the ring from which an order for another shape starts: it only has to
 * bring neighbours near to one another. */
#define RING_MOVES 20

int pl_order_short_ring(const double *c, size_t n, size_t *host_at,
			const struct pl_order_problem *p, struct pl_err *err)
{
	const struct pl_stop early = pl_order_early(p->stop, 8);
	const struct pl_ring_options options = {
		.seed = p->q->seed,
		.moves = RING_MOVES * n,
		.threads = p->q->threads,
		.stop = &early,
	};
	const size_t first = host_at[0];
	struct pl_ring_result found;
	bool done;

	if (pl_stop_now(p->stop))
		return 0;
	if (n > PL_RING_EXACT_SOON) {
		if (pl_ring_search(c, n, &options, host_at, &found, err))
			return -1;
	} else if (pl_ring_exact(c, n, NULL, host_at, &done, err)) {
		return -1;
	}
	pl_ring_rotate(host_at, n, first);
	return 0;
}

static int search(struct pl_order_result *r, const struct pl_order_problem *p, const size_t *start,
		  uint64_t moves, struct pl_err *err)
{
	struct pl_order_show show;
	const struct pl_order_search_options options = {
		.seed = p->q->seed,
		.moves = moves,
		.threads = p->q->threads,
		.target = r->bound > 0 ? r->bound : 0,
		.slots = p->m->slots,
		.start = start,
		.may_lead = p->may_lead,
		.stop = p->stop,
		.progress = pl_order_show(&show, p, r->bound, moves),
		.progress_arg = &show,
	};
	struct pl_order_search_result found;
	int rc;

	memcpy(r->host_at, p->base, p->n * sizeof(*r->host_at));
	rc = pl_order_search(&p->m->shape, &p->m->costs, &options, r->host_at, &found, err);
	pl_order_show_end(&show);
	if (rc)
		return -1;
	r->moves += found.moves;
	pl_order_take(r, p, r->host_at, found.cost);
	if (found.exact)
		r->bound = r->cost;
	return 0;
}

int pl_order_bound_shape(struct pl_order_result *r, const struct pl_order_problem *p,
			 struct pl_err *err)
{
	const int64_t start_ns = pl_clock_ns();
	const struct pl_stop early = pl_order_early(p->stop, 2);

	if (p->q->bound == PL_BOUND_NONE)
		return 0;
	if (pl_order_lower_bound(&p->m->shape, &p->m->costs, p->m->slots, &early, &r->bound, err) ||
	    pl_order_bound_with_ring(p, &early, &r->bound, err))
		return -1;
	r->bound = fmax(r->bound, p->m->bound);
	r->bound_seconds = pl_order_seconds_since(start_ns);
	return 0;
}

static int solve(struct pl_order_result *r, const struct pl_order_problem *p, size_t *start,
		 struct pl_err *err)
{
	const bool choosing = p->m->n_seats < p->n;
	const uint64_t moves = pl_order_moves(p->q, choosing ? pl_order_choose_moves(p)
							     : pl_order_search_moves(p->n));
	uint64_t spent = choosing ? moves : 0;

	memcpy(start, p->base, p->n * sizeof(*start));
	if (choosing ? pl_order_choose_start(start, p, &spent, err)
		     : pl_order_short_ring(p->m->costs.c, p->n, start, p, err))
		return -1;
	r->moves = spent;
	return search(r, p, start, spent < moves ? moves - spent : 0, err);
}

/* Do all orders cost the same, since all pairs send at once? */
static bool is_even(const struct pl_order_problem *p)
{
	const size_t n = pl_shape_all_pairs(&p->m->shape);

	return p->m->n_seats == p->n && (n == p->n || n == p->m->n_ranks);
}

/* Any order is a best one: the first that is allowed. */
static int take_base(struct pl_order_result *r, const struct pl_order_problem *p)
{
	memcpy(r->host_at, p->base, p->n * sizeof(*r->host_at));
	r->bound = r->cost = p->cost;
	return 0;
}

int pl_order_solve_shape(struct pl_order_result *r, const struct pl_order_problem *p,
			 struct pl_err *err)
{
	size_t *start;
	int64_t start_ns;
	int rc = -1;

	if (is_even(p))
		return take_base(r, p);
	start = pl_array_create(p->n, sizeof(*start));
	if (!start)
		return pl_err_nomem(err);
	if (pl_order_bound_shape(r, p, err))
		goto out;
	start_ns = pl_clock_ns();
	rc = solve(r, p, start, err);
	r->solve_seconds = pl_order_seconds_since(start_ns);
out:
	free(start);
	return rc;
}
