/* SPDX-License-Identifier: BSD-3-Clause */
/* order-slowest.c - the least cost of the most expensive hop of rings and chains */
#include "config.h"

#include "solver/bound/bottleneck.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define NONE SIZE_MAX

enum round_trip { NEITHER, RING, CHAIN };

/* The one seat that each seat sends to; false: one sends to several. */
static bool fill_next(const struct pl_shape *shape, size_t alike, size_t *next)
{
	for (size_t p = 0; p < shape->n_pos / alike; p++)
		next[p] = NONE;
	for (size_t h = 0; h < shape->n_hops; h++) {
		const size_t src = shape->hop[h].src / alike;
		const size_t dst = shape->hop[h].dst / alike;

		if (src == dst)
			continue;
		if (next[src] != NONE && next[src] != dst)
			return false;
		next[src] = dst;
	}
	return true;
}

/* Follows the hops from the seat that no other sends to, if there is one. */
static enum round_trip follow(const size_t *next, size_t n, bool *entered)
{
	size_t first = 0, at, n_hops = 0;

	for (size_t p = 0; p < n; p++)
		if (next[p] != NONE)
			entered[next[p]] = true;
	for (size_t p = 0; p < n; p++)
		if (!entered[p])
			first = p;
	for (at = first; next[at] != NONE && n_hops < n; at = next[at])
		n_hops++;
	if (n_hops == n && at == first)
		return RING;
	return n_hops == n - 1 && next[at] == NONE ? CHAIN : NEITHER;
}

static int kind_of(const struct pl_shape *shape, size_t alike, enum round_trip *kind,
		   struct pl_err *err)
{
	const size_t n = shape->n_pos / alike;
	size_t *next = pl_array_create(n, sizeof(*next));
	bool *entered = pl_array_create(n, sizeof(*entered));

	*kind = NEITHER;
	if (next && entered && n > 1 && fill_next(shape, alike, next))
		*kind = follow(next, n, entered);
	free(next);
	free(entered);
	return next && entered ? 0 : pl_err_nomem(err);
}

/* What a hop of the least bytes costs, taken the least often; hosts beyond those of the costs are
 * free. */
static void fill(double *c, size_t n, const struct pl_shape *shape, const struct pl_costs *costs)
{
	double bytes = INFINITY, times = INFINITY;

	for (size_t h = 0; h < shape->n_hops; h++) {
		bytes = fmin(bytes, shape->hop[h].bytes);
		times = fmin(times, shape->hop[h].times);
	}
	for (size_t i = 0; i < costs->n; i++)
		for (size_t j = 0; j < costs->n; j++) {
			const size_t cell = i * costs->n + j;
			double x = costs->c[cell];

			if (costs->per_byte)
				x += bytes * costs->per_byte[cell];
			c[i * n + j] = times * x;
		}
}

int pl_slowest_floor(const struct pl_shape *shape, const struct pl_costs *costs, size_t alike,
		     const struct pl_stop *stop, double *least, struct pl_err *err)
{
	enum round_trip kind;
	double *c;
	size_t n;
	int rc;

	*least = 0;
	if (kind_of(shape, alike, &kind, err))
		return -1;
	if (kind == NEITHER)
		return 0;
	n = costs->n + (kind == CHAIN);
	c = pl_array_create(n * n, sizeof(*c));
	if (!c)
		return pl_err_nomem(err);
	fill(c, n, shape, costs);
	rc = pl_bottleneck_ring(c, n, PL_BOTTLENECK_EXACT_MAX, stop, least, err);
	free(c);
	return rc;
}
