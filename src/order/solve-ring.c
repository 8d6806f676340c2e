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
		       const struct pl_order_problem *p, struct pl_err *err)
{
	size_t found[PL_RING_EXACT_MAX];

	if (pl_ring_exact(p->m->ring, p->n, found, err))
		return -1;
	pl_order_take(r, p, found, pl_cost_ring(p->m->ring, p->n, found, p->n));
	r->bound = r->cost;
	return 0;
}

static int search(struct pl_order_result *r, const struct pl_order_problem *p,
		  const double *weight, struct pl_err *err)
{
	const struct pl_ring_options options = {
		.seed = p->o->seed,
		.moves = pl_order_moves(p->o, pl_ring_moves(p->n)),
		.threads = p->o->threads,
		.target = r->bound,
		.weight = weight,
		.stop = p->stop,
		.progress = pl_order_show(),
		.progress_arg = r,
	};
	struct pl_ring_result found;
	int rc;

	memcpy(r->host_at, p->base, p->n * sizeof(*r->host_at));
	rc = pl_ring_search(p->m->ring, p->n, &options, r->host_at, &found,
			    err);
	pl_order_show_end();
	if (rc)
		return -1;
	r->moves = found.moves;
	pl_order_take(r, p, r->host_at, found.cost);
	return 0;
}

/* The bound of a search, within half of the time; hints for it in weight[n]. */
static int bound(struct pl_order_result *r, const struct pl_order_problem *p,
		 double *weight, struct pl_err *err)
{
	const int64_t start_ns = pl_tool_clock_ns();
	const struct pl_stop early = pl_order_early(p->stop, 2);
	struct pl_ring_bound proved;

	if (pl_ring_bound(p->m->ring, p->n, p->o->bound, &early, &proved,
			  weight, err))
		return -1;
	r->bound = proved.value;
	r->proof = pl_ring_proof_name(proved.by);
	r->bound_seconds = pl_order_seconds_since(start_ns);
	return 0;
}

int pl_order_solve_ring(struct pl_order_result *r,
			const struct pl_order_problem *p, struct pl_err *err)
{
	int64_t start_ns = pl_tool_clock_ns();
	double *weight = NULL;
	int rc;

	if (p->n <= PL_RING_EXACT_MAX) {
		rc = solve_exact(r, p, err);
		r->solve_seconds = pl_order_seconds_since(start_ns);
		return rc;
	}
	weight = pl_array_create(p->n, sizeof(*weight));
	if (!weight)
		return pl_err_nomem(err);
	rc = bound(r, p, weight, err);
	start_ns = pl_tool_clock_ns();
	if (rc == 0)
		rc = search(r, p, p->o->bound == PL_BOUND_NONE ? NULL : weight,
			    err);
	r->solve_seconds = pl_order_seconds_since(start_ns);
	free(weight);
	return rc;
}

int pl_order_bound_ring(struct pl_order_result *r,
			const struct pl_order_problem *p, struct pl_err *err)
{
	double *weight;
	int rc;

	if (p->n <= PL_RING_EXACT_MAX)
		return solve_exact(r, p, err);
	weight = pl_array_create(p->n, sizeof(*weight));
	rc = weight ? bound(r, p, weight, err) : pl_err_nomem(err);
	free(weight);
	return rc;
}
