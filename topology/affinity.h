/* SPDX-License-Identifier: BSD-3-Clause */
/* affinity.h - how well measured distances tell who is near whom (PAIA) */
#ifndef PLINK_TOPOLOGY_AFFINITY_H
#define PLINK_TOPOLOGY_AFFINITY_H

#include "base/err.h"
#include "topology/places.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Triplets (a, b, c) with a and b not equally far from c in truth, by what was
 * measured from a and from b to c. Those with a missing value are not among
 * them.
 */
struct pl_affinity {
	uint64_t right, wrong;
	uint64_t tied; /* measured alike */
};

/* Physical affinity inference accuracy (thesis, 6.2.5): the share of right ones
 * in all; NaN where there are none. */
double pl_affinity_score(const struct pl_affinity *a);

/*
 * Adds the triplets of observer @c: cell[i * n + c] is what was measured from i
 * to c, NaN where missing; apart[i] how far i is from c in truth, at most
 * PL_PLACES_LEVELS_MAX + 1, PL_APART_UNKNOWN where that is not known. What
 * stands at i = c does not count. O(n log n). 0, or -1 with @err set: no
 * memory.
 */
#define PL_APART_UNKNOWN 255
int pl_affinity_add(struct pl_affinity *sum, const double *cell, size_t n,
		    size_t c, const unsigned char *apart, struct pl_err *err);

/*
 * Of all observers. place[i]: host i in @truth, negative where it is not there.
 * Hosts are as far apart as pl_places_apart() says: the longer the prefix that
 * they share, the nearer, the host itself being the last level. O(n^2 log n).
 * 0, or -1 with @err set: no memory.
 */
int pl_affinity(struct pl_affinity *sum, const double *cell, size_t n,
		const struct pl_places *truth, const ptrdiff_t *place,
		struct pl_err *err);

#endif
