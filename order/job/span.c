/* SPDX-License-Identifier: BSD-3-Clause */
/* span.c - the cheapest spanning tree of the hosts */
#include "config.h"

#include "order/job/parts.h"

#include <math.h>
#include <stdlib.h>

static int by_cost(const void *x, const void *y)
{
	const struct pl_job_edge *a = x, *b = y;

	return a->cost < b->cost ? -1 : a->cost > b->cost;
}

double pl_job_hop(const struct pl_costs *costs, double bytes, size_t a, size_t b)
{
	const size_t cell = a * costs->n + b;

	return costs->per_byte ? costs->c[cell] + bytes * costs->per_byte[cell] : costs->c[cell];
}

static double cheaper(const struct pl_costs *costs, double bytes, size_t a, size_t b)
{
	const double there = pl_job_hop(costs, bytes, a, b);

	if (costs->symmetric)
		return there;
	return fmin(there, pl_job_hop(costs, bytes, b, a));
}

/* Prim's algorithm: way[i] is the cheapest edge from the tree to host i, NAN once it is in the
 * tree. */
void pl_job_span(struct pl_job_edge *edge, struct pl_job_edge *way, const struct pl_costs *costs,
		 double bytes)
{
	const size_t n = costs->n;
	size_t last = 0;

	for (size_t i = 0; i < n; i++)
		way[i] = (struct pl_job_edge){i ? INFINITY : NAN, 0, i};
	for (size_t k = 0; k + 1 < n; k++) {
		size_t next = 0;

		for (size_t i = 1; i < n; i++) {
			double cost;

			if (isnan(way[i].cost))
				continue;
			cost = cheaper(costs, bytes, last, i);
			if (cost < way[i].cost)
				way[i] = (struct pl_job_edge){cost, last, i};
			if (next == 0 || way[i].cost < way[next].cost)
				next = i;
		}
		edge[k] = way[next];
		way[next].cost = NAN;
		last = next;
	}
	if (n > 1)
		qsort(edge, n - 1, sizeof(*edge), by_cost);
}
