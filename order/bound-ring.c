/* SPDX-License-Identifier: BSD-3-Clause */
/* bound-ring.c - a bound for costs that are the sum of a ring's hops and
 * more */
#include "config.h"

#include "order/solve-parts.h"

#include "base/mem.h"
#include "order/ring.h"
#include "solver/bound/order-bound.h"
#include "solver/order/order-search.h"
#include "solver/ring/ring-bound.h"

#include <math.h>
#include <stdlib.h>

/* Hops that are a group each, and all others. */
struct parts {
	struct pl_shape ring, rest;
};

static void fini(struct parts *parts)
{
	pl_shape_fini(&parts->ring);
	pl_shape_fini(&parts->rest);
}

/* The cost of a group is that of its most expensive hop. */
static int split(struct parts *parts, const struct pl_shape *shape, struct pl_err *err)
{
	size_t *n_of = pl_array_create(shape->n_groups, sizeof(*n_of));
	size_t n_groups = 0;
	int rc = 0;

	if (!n_of)
		return pl_err_nomem(err);
	for (size_t i = 0; i < shape->n_hops; i++)
		n_of[shape->hop[i].group]++;
	for (size_t g = 0; g < shape->n_groups; g++)
		n_groups += n_of[g] > 1;
	*parts = (struct parts){
		.ring = {.kind = PL_SUM, .n_pos = shape->n_pos},
		.rest = {.kind = n_groups == 1 ? PL_SLOWEST : PL_SUM_OF_MAXIMA,
			 .n_pos = shape->n_pos},
	};
	for (size_t i = 0; rc == 0 && i < shape->n_hops; i++) {
		const struct pl_hop *hop = &shape->hop[i];
		const bool alone = n_of[hop->group] == 1;

		rc = pl_shape_add(alone ? &parts->ring : &parts->rest, *hop, err);
	}
	free(n_of);
	return rc;
}

static int bound_ring(const struct pl_order_ring *ring, const struct pl_order_problem *p,
		      const struct pl_stop *stop, double *least, struct pl_err *err)
{
	double *weight = pl_array_create(p->n, sizeof(*weight)), *own = NULL;
	struct pl_ring_bound proved = {0};
	const double *c;
	int rc = -1;

	if (!weight)
		pl_err_nomem(err);
	else if (pl_order_ring_costs(ring, &p->m->costs, &c, &own, err) == 0)
		rc = pl_ring_bound(c, p->n, p->q->bound, stop, &proved, weight, err);
	*least = proved.value;
	free(own);
	free(weight);
	return rc;
}

int pl_order_bound_with_ring(const struct pl_order_problem *p, const struct pl_stop *stop,
			     double *bound, struct pl_err *err)
{
	const size_t slots = pl_slots_alike(p->m->slots, p->n);
	struct pl_order_ring ring;
	struct parts parts = {.ring = {.n_hops = 0}};
	double least, rest;
	int rc = 0;

	if (p->m->shape.kind != PL_SUM_OF_MAXIMA || slots == 0 || p->m->n_seats < p->n ||
	    pl_stop_now(stop))
		return 0;
	if (split(&parts, &p->m->shape, err)) {
		fini(&parts);
		return -1;
	}
	if (parts.ring.n_hops == 0 || !pl_order_ring_find(&parts.ring, slots, &ring))
		goto out;
	rc = bound_ring(&ring, p, stop, &least, err);
	if (rc == 0)
		rc = pl_order_lower_bound(&parts.rest, &p->m->costs, p->m->slots, stop, &rest, err);
	if (rc == 0)
		*bound = fmax(*bound, least + rest);
out:
	fini(&parts);
	return rc;
}
