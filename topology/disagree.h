/* SPDX-License-Identifier: BSD-3-Clause */
/* disagree.h - hosts that were measured elsewhere than they are told to be */
#ifndef PLINK_TOPOLOGY_DISAGREE_H
#define PLINK_TOPOLOGY_DISAGREE_H

#include "base/err.h"
#include "topology/places.h"

#include <stddef.h>

/* What is measured between hosts and where each of them is told to be. */
struct pl_places_measured {
	const struct pl_places *places;
	const ptrdiff_t *at; /* [n] its index in places; < 0: not there */
	const double *c;     /* [n * n] costs; NaN where missing */
	size_t n;
};

/* A host that is nearer to the hosts of another place than to those of its own;
 * medians of what is measured both ways between it and them. */
struct pl_disagreement {
	size_t host;  /* of the n */
	size_t other; /* a host of the place that it is near */
	double own, near;
};

#define PL_DISAGREE_FACTOR 1.25 /* nearer than by this part counts */

/*
 * Fills list[n] with the hosts whose median to some other narrowest place is
 * PL_DISAGREE_FACTOR times less than that to their own, the worst first.
 * *n_judged hosts have both an own place with another host in it and measured
 * pairs. O(n^2 log n). 0, or -1 with @err set: memory.
 */
int pl_places_disagree(const struct pl_places_measured *tm,
		       struct pl_disagreement *list, size_t *n_list,
		       size_t *n_judged, struct pl_err *err);

#endif
