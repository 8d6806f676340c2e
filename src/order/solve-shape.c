/* SPDX-License-Identifier: BSD-3-Clause */
/* solve-shape.c - the order for any shape, and what it is held against */
#include "config.h"

#include "src/order/solve-parts.h"

#include "solver/order-bound.h"
#include "solver/order-search.h"
#include "solver/ring-exact.h"
#include "solver/ring-search.h"
#include "src/mem.h"
#include "src/tool.h"

#include <stdlib.h>
#include <string.h>

/* Moves of the ring that an order for another shape starts from, for each host:
 * neighbours are near to one another then, and more is not asked of it. */
#define RING_MOVES 20

/* A short ring through the hosts: one more order to start from. */
static int start_order(size_t *host_at, const struct pl_order_job *job,
		       struct pl_err *err)
{
	const struct pl_stop early = pl_order_early(job->stop, 8);
	const struct pl_ring_options options = {
		.seed = job->o->seed,
		.moves = RING_MOVES * job->n,
		.threads = job->o->threads,
		.stop = &early,
	};
	struct pl_ring_result found;

	memcpy(host_at, job->base, job->n * sizeof(*host_at));
	if (pl_stop_now(job->stop))
		return 0;
	if (job->n > PL_RING_EXACT_MAX) {
		if (pl_ring_search(job->m->costs.c, job->n, &options, host_at,
				   &found, err))
			return -1;
	} else if (pl_ring_exact(job->m->costs.c, job->n, host_at, err)) {
		return -1;
	}
	pl_ring_rotate(host_at, job->n, job->base[0]);
	return 0;
}

static int search(struct pl_order_result *r, const struct pl_order_job *job,
		  const size_t *start, struct pl_err *err)
{
	const struct pl_order_search_options options = {
		.seed = job->o->seed,
		.moves = pl_order_moves(job->o, pl_order_search_moves(job->n)),
		.threads = job->o->threads,
		.target = r->bound > 0 ? r->bound : 0,
		.slots = job->m->slots,
		.start = start,
		.keep_first = job->first_is_pinned,
		.stop = job->stop,
		.progress = pl_order_show(),
		.progress_arg = r,
	};
	struct pl_order_search_result found;
	int rc;

	memcpy(r->host_at, job->base, job->n * sizeof(*r->host_at));
	rc = pl_order_search(&job->m->shape, &job->m->costs, &options,
			     r->host_at, &found, err);
	pl_order_show_end();
	if (rc)
		return -1;
	r->moves = found.moves;
	pl_order_take(r, job, r->host_at, found.cost);
	if (found.exact)
		r->bound = r->cost;
	return 0;
}

int pl_order_bound_shape(struct pl_order_result *r,
			 const struct pl_order_job *job, struct pl_err *err)
{
	const int64_t start_ns = pl_tool_clock_ns();
	const struct pl_stop early = pl_order_early(job->stop, 2);

	if (job->o->bound == PL_BOUND_NONE)
		return 0;
	if (pl_order_lower_bound(&job->m->shape, &job->m->costs, job->m->slots,
				 &early, &r->bound, err))
		return -1;
	r->bound_seconds = pl_order_seconds_since(start_ns);
	return 0;
}

int pl_order_solve_shape(struct pl_order_result *r,
			 const struct pl_order_job *job, struct pl_err *err)
{
	size_t *start = pl_array_create(job->n, sizeof(*start));
	int64_t start_ns;
	int rc = -1;

	if (!start)
		return pl_err_nomem(err);
	if (pl_order_bound_shape(r, job, err))
		goto out;
	start_ns = pl_tool_clock_ns();
	if (start_order(start, job, err) == 0)
		rc = search(r, job, start, err);
	r->solve_seconds = pl_order_seconds_since(start_ns);
out:
	free(start);
	return rc;
}
