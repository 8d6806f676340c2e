/* SPDX-License-Identifier: BSD-3-Clause */
/* hops.h - what it costs to go from one host to another */
#ifndef PLINK_SOLVER_HOPS_H
#define PLINK_SOLVER_HOPS_H

#include <stddef.h>

/* Costs between hosts; borrowed. */
struct pl_hops {
	size_t n;
	const double *c; /* [n * n], row = source */
};

static inline double pl_hop(const struct pl_hops *h, size_t src, size_t dst)
{
	return h->c[src * h->n + dst];
}

#endif
