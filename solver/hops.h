/* SPDX-License-Identifier: BSD-3-Clause */
/* hops.h - what it costs to go from one host to another */
#ifndef PLINK_SOLVER_HOPS_H
#define PLINK_SOLVER_HOPS_H

#include "solver/points/points.h"

#include <stddef.h>

/* By a matrix, or by points where that would be too large. Borrowed. */
struct pl_hops {
	size_t n;
	const double *c; /* [n * n], row = source; or NULL and */
	const struct pl_points *points;
};

static inline double pl_hop(const struct pl_hops *h, size_t src, size_t dst)
{
	return h->c ? h->c[src * h->n + dst] : pl_distance(h->points, src, dst);
}

/* What the ring host_at[n] costs: hops added up in its order, to the first one
 * last. */
double pl_hops_ring(const struct pl_hops *h, const size_t *host_at);

#endif
