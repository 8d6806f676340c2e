/* SPDX-License-Identifier: BSD-3-Clause */
/* blend.c - one model of hops for all calls of a workload */
#include "config.h"

#include "order/calls/blend.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "order/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The weight of the calls that break ties, relative to all others. */
#define TIES_WEIGHT 1e-3

void pl_order_blend_fini(struct pl_order_blend *b)
{
	for (size_t k = 0; b->part && k < b->n_parts; k++)
		pl_order_model_fini(&b->part[k]);
	pl_order_model_fini(&b->whole);
	free(b->part);
	free(b->part_of);
	free(b->weight);
	free(b->given);
	free(b->bound);
	memset(b, 0, sizeof(*b));
}

/* The part whose cost is the call's; made if there is none yet. */
static int find_part(struct pl_order_blend *b, const struct pl_order_work *work,
		     const struct pl_order_input *in, const struct pl_order_request *q,
		     size_t *part, struct pl_err *err)
{
	struct pl_order_request own = *q;
	struct pl_order_model m;

	own.what = work->what;
	if (pl_order_model_init(&m, in, &own, err))
		return -1;
	for (*part = 0; *part < b->n_parts; ++*part)
		if (pl_order_model_same(&b->part[*part], &m)) {
			pl_order_model_fini(&m);
			return 0;
		}
	b->part[b->n_parts++] = m;
	return 0;
}

/* Appends each hop of a part, in groups of its own after those of @to. */
static int append(struct pl_shape *to, const struct pl_shape *from, double scale,
		  struct pl_err *err)
{
	const uint32_t first = (uint32_t)to->n_groups;

	for (size_t i = 0; i < from->n_hops; i++) {
		struct pl_hop hop = from->hop[i];

		hop.times *= scale;
		hop.group = first + (from->kind == PL_SUM       ? (uint32_t)i
				     : from->kind == PL_SLOWEST ? 0
								: hop.group);
		if (pl_shape_add(to, hop, err))
			return -1;
	}
	return 0;
}

/* Trees can only be added to others round by round. */
static int shape_of(struct pl_shape *shape, const struct pl_order_work *work,
		    const struct pl_order_input *in, struct pl_err *err)
{
	struct pl_call call;

	if (pl_order_call(&work->what, &in->hosts, 0, &call, err) ||
	    pl_algorithm_shape(work->what.a, &call, shape, err))
		return -1;
	if (shape->kind != PL_LONGEST_PATH)
		return 0;
	pl_shape_fini(shape);
	return pl_algorithm_rounds(work->what.a, &call, shape, err);
}

/* Adds part @k to the shape, for the first call that it belongs to. */
static int add_part(struct pl_order_blend *b, size_t k, double weight, struct pl_shape *whole,
		    const struct pl_order_workload *w, const struct pl_order_input *in,
		    struct pl_err *err)
{
	struct pl_shape shape = {.n_hops = 0};
	size_t i = 0;
	int rc;

	while (b->part_of[i] != k)
		i++;
	if (weight <= 0 || b->given[k] <= 0)
		return 0;
	rc = shape_of(&shape, &w->v[i], in, err);
	if (rc == 0)
		rc = append(whole, &shape, weight / b->given[k], err);
	pl_shape_fini(&shape);
	return rc;
}

int pl_order_blend_weigh(struct pl_order_blend *b, const double *weight,
			 const struct pl_order_workload *w, const struct pl_order_input *in,
			 struct pl_err *err)
{
	struct pl_shape whole = {.kind = PL_SUM_OF_MAXIMA, .n_pos = pl_hosts_ranks(&in->hosts)};
	double bound = 0;
	int rc = 0;

	pl_order_model_fini(&b->whole);
	for (size_t k = 0; rc == 0 && k < b->n_parts; k++) {
		rc = add_part(b, k, weight[k], &whole, w, in, err);
		if (b->given[k] > 0)
			bound += weight[k] * b->bound[k] / b->given[k];
	}
	if (rc) {
		pl_shape_fini(&whole);
		return -1;
	}
	if (pl_order_model_take(&b->whole, &whole, in, err))
		return -1;
	b->whole.bound = bound;
	return 0;
}

/* The cost of the given order in each part, and a lower bound on it. */
static int judge_parts(struct pl_order_blend *b, const struct pl_order_input *in,
		       const struct pl_order_request *q, const struct pl_stop *stop,
		       struct pl_err *err)
{
	b->given = pl_array_create(b->n_parts, sizeof(*b->given));
	b->bound = pl_array_create(b->n_parts, sizeof(*b->bound));
	if (!b->given || !b->bound)
		return pl_err_nomem(err);
	for (size_t k = 0; k < b->n_parts; k++) {
		struct pl_order_result r = {0};
		const int rc = pl_order_bound(&r, in, &b->part[k], q, stop, err);

		b->given[k] = r.cost_given;
		b->bound[k] = r.bound > 0 ? r.bound : 0;
		pl_order_result_fini(&r);
		if (rc)
			return -1;
	}
	return 0;
}

/* Do all calls that count have the cost of the first one? */
static bool are_alike(const struct pl_order_blend *b, const struct pl_order_workload *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (b->part_of[i] != 0)
			return false;
	return true;
}

/* If all calls are one ring, any host may come first. Otherwise a proof of the best order is about
 * the calls that were stated, alone. */
static void take_ties(struct pl_order_blend *b, const struct pl_order_workload *w,
		      const struct pl_order_request *q)
{
	const bool proof =
		q->method == PL_METHOD_EXACT || (q->has_bound && q->bound == PL_BOUND_FULL);

	if (b->n_parts == 1 || !are_alike(b, w))
		return;
	b->turns = b->part[0].ring && !q->pin && !q->not_first;
	if (b->turns)
		b->weight[0] = 0;
	else if (proof)
		while (b->n_parts > 1)
			pl_order_model_fini(&b->part[--b->n_parts]);
}

int pl_order_blend_turn(const struct pl_order_blend *b, size_t *host_at, struct pl_err *err)
{
	const size_t n = b->part[0].n_seats;
	const double ring = pl_order_model_cost(&b->part[0], host_at);
	size_t *turned = pl_array_create(2 * n, sizeof(*turned));
	double least = INFINITY;
	size_t *best;

	if (!turned)
		return pl_err_nomem(err);
	best = turned + n;
	for (size_t k = 0; k < 2 * n; k++) {
		double cost;

		for (size_t i = 0; i < n; i++)
			turned[i] = host_at[k < n ? (i + k) % n : (k - i) % n];
		if (pl_order_model_cost(&b->part[0], turned) > ring * (1 + 1e-12))
			continue;
		cost = pl_order_model_cost(&b->whole, turned);
		if (cost < least) {
			least = cost;
			memcpy(best, turned, n * sizeof(*best));
		}
	}
	memcpy(host_at, best, n * sizeof(*best));
	free(turned);
	return 0;
}

int pl_order_blend_init(struct pl_order_blend *b, const struct pl_order_workload *w,
			const struct pl_order_input *in, const struct pl_order_request *q,
			const struct pl_stop *stop, struct pl_err *err)
{
	const size_t n = w->n + w->n_ties;

	memset(b, 0, sizeof(*b));
	b->part = pl_array_create(n, sizeof(*b->part));
	b->part_of = pl_array_create(n, sizeof(*b->part_of));
	b->weight = pl_array_create(n, sizeof(*b->weight));
	if (!b->part || !b->part_of || !b->weight) {
		pl_err_nomem(err);
		goto fail;
	}
	for (size_t i = 0; i < n; i++) {
		if (find_part(b, &w->v[i], in, q, &b->part_of[i], err))
			goto fail;
		b->weight[b->part_of[i]] +=
			i < w->n ? w->v[i].weight : TIES_WEIGHT / (double)w->n_ties;
	}
	take_ties(b, w, q);
	if (b->n_parts > 1 &&
	    (judge_parts(b, in, q, stop, err) || pl_order_blend_weigh(b, b->weight, w, in, err)))
		goto fail;
	return 0;
fail:
	pl_order_blend_fini(b);
	return -1;
}

const struct pl_order_model *pl_order_blend_model(const struct pl_order_blend *b)
{
	return b->n_parts > 1 && !b->turns ? &b->whole : &b->part[0];
}
