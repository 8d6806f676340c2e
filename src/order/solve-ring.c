/* SPDX-License-Identifier: BSD-3-Clause */
/* solve-ring.c - the order for a ring, and what it is held against */
#include "config.h"

#include "src/order/solve-parts.h"

#include "costmodels/ring.h"
#include "solver/ring-bound.h"
#include "solver/ring-exact.h"
#include "solver/ring-search.h"
#include "src/mem.h"
#include "src/tool.h"

#include <stdlib.h>
#include <string.h>

/* Few hosts: the least cost is found outright, and is its own bound. The base
 * stays where it is as good. */
static int solve_exact(struct pl_order_result *r,
		       const struct pl_order_job *job, struct pl_err *err)
{
	size_t found[PL_RING_EXACT_MAX];

	if (pl_ring_exact(job->m->ring, job->n, found, err))
		return -1;
	pl_order_take(r, job, found,
		      pl_cost_ring(job->m->ring, job->n, found, job->n));
	r->bound = r->cost;
	return 0;
}

static int search(struct pl_order_result *r, const struct pl_order_job *job,
		  const double *weight, struct pl_err *err)
{
	const struct pl_ring_options options = {
		.seed = job->o->seed,
		.moves = pl_order_moves(job->o, pl_ring_moves(job->n)),
		.threads = job->o->threads,
		.target = r->bound,
		.weight = weight,
		.stop = job->stop,
		.progress = pl_order_show(),
		.progress_arg = r,
	};
	struct pl_ring_result found;
	int rc;

	memcpy(r->host_at, job->base, job->n * sizeof(*r->host_at));
	rc = pl_ring_search(job->m->ring, job->n, &options, r->host_at, &found,
			    err);
	pl_order_show_end();
	if (rc)
		return -1;
	r->moves = found.moves;
	pl_order_take(r, job, r->host_at, found.cost);
	return 0;
}

/* The bound of a search, within half of the time; hints for it in weight[n]. */
static int bound(struct pl_order_result *r, const struct pl_order_job *job,
		 double *weight, struct pl_err *err)
{
	const int64_t start_ns = pl_tool_clock_ns();
	const struct pl_stop early = pl_order_early(job->stop, 2);

	if (pl_ring_bound(job->m->ring, job->n, job->o->bound, &early,
			  &r->bound, weight, err))
		return -1;
	r->bound_seconds = pl_order_seconds_since(start_ns);
	return 0;
}

int pl_order_solve_ring(struct pl_order_result *r,
			const struct pl_order_job *job, struct pl_err *err)
{
	int64_t start_ns = pl_tool_clock_ns();
	double *weight = NULL;
	int rc;

	if (job->n <= PL_RING_EXACT_MAX) {
		rc = solve_exact(r, job, err);
		r->solve_seconds = pl_order_seconds_since(start_ns);
		return rc;
	}
	weight = pl_array_create(job->n, sizeof(*weight));
	if (!weight)
		return pl_err_nomem(err);
	rc = bound(r, job, weight, err);
	start_ns = pl_tool_clock_ns();
	if (rc == 0)
		rc = search(r, job,
			    job->o->bound == PL_BOUND_NONE ? NULL : weight,
			    err);
	r->solve_seconds = pl_order_seconds_since(start_ns);
	free(weight);
	return rc;
}

int pl_order_bound_ring(struct pl_order_result *r,
			const struct pl_order_job *job, struct pl_err *err)
{
	double *weight;
	int rc;

	if (job->n <= PL_RING_EXACT_MAX)
		return solve_exact(r, job, err);
	weight = pl_array_create(job->n, sizeof(*weight));
	rc = weight ? bound(r, job, weight, err) : pl_err_nomem(err);
	free(weight);
	return rc;
}
