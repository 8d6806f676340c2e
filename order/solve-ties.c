/* SPDX-License-Identifier: BSD-3-Clause */
/* solve-ties.c - which of the orders whose slowest hop costs the same */
/*
 * If an order costs what its slowest hop costs, most orders of hosts in racks tie: each has some
 * hop between racks. Among these the one with the least sum of hops is taken, for two reasons: the
 * first of many calls, and calls that are too small to wait for answers (gloo-segmented-ring.c), do
 * take that sum; and each hop between racks loads the uplinks that they share.
 */
#include "config.h"

#include "order/solve-parts.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --min-gain is a gain in cost: an order that gains nothing there is not worth a change. */
static bool is_wanted(const struct pl_order_result *r, const struct pl_order_problem *p)
{
	return !p->m->ring && p->m->shape.kind == PL_SLOWEST && r->cost > 0 && r->cost < 1e200 &&
	       !r->kept && (r->cost != p->cost || p->q->min_gain <= 0) && !pl_stop_now(p->stop);
}

/* The sum of hops; no hop is barred. */
static int sum_of(double *sum, const struct pl_order_problem *p, const struct pl_hosts *hosts,
		  const size_t *host_at, struct pl_err *err)
{
	struct pl_order_model plain;

	if (pl_order_model_ties(&plain, p->m, hosts, INFINITY, err))
		return -1;
	*sum = pl_order_model_cost(&plain, host_at);
	pl_order_model_fini(&plain);
	return 0;
}

static int search(struct pl_order_result *r, const struct pl_order_problem *p,
		  const struct pl_order_model *ties, struct pl_err *err)
{
	struct pl_order_request options = *p->q;
	struct pl_order_problem tied = *p;
	struct pl_order_result found = {.bound = NAN};
	int rc;

	options.bound = PL_BOUND_NONE;
	tied.q = &options;
	tied.m = ties;
	tied.base = r->host_at;
	tied.cost = pl_order_model_cost(ties, r->host_at);
	found.host_at = pl_array_create(p->n, sizeof(*found.host_at));
	if (!found.host_at)
		return pl_err_nomem(err);
	memcpy(found.host_at, r->host_at, p->n * sizeof(*found.host_at));
	rc = pl_order_search_for(&found, &tied, err);
	if (rc == 0 && pl_order_model_cost(p->m, found.host_at) <= r->cost)
		memcpy(r->host_at, found.host_at, p->n * sizeof(*found.host_at));
	r->moves += found.moves;
	r->solve_seconds += found.solve_seconds;
	pl_order_result_fini(&found);
	return rc;
}

int pl_order_break_ties(struct pl_order_result *r, const struct pl_order_problem *p,
			const struct pl_hosts *hosts, struct pl_err *err)
{
	struct pl_order_model ties;
	int rc;

	if (!is_wanted(r, p))
		return 0;
	if (pl_order_model_ties(&ties, p->m, hosts, r->cost, err))
		return -1;
	rc = search(r, p, &ties, err);
	pl_order_model_fini(&ties);
	if (rc || sum_of(&r->hops_given, p, hosts, p->base, err) ||
	    sum_of(&r->hops, p, hosts, r->host_at, err))
		return -1;
	return 0;
}
