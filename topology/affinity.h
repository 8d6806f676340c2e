/* SPDX-License-Identifier: BSD-3-Clause */
/* affinity.h - how well measured distances tell which hosts are near (PAIA) */
#ifndef PLINK_TOPOLOGY_AFFINITY_H
#define PLINK_TOPOLOGY_AFFINITY_H

#include "base/err.h"
#include "topology/places.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Counts of triplets of hosts (a, b, c) in which a and b are at different true distances from c.
 * "right": the measured values from a and from b to c order a and b as the true distances do;
 * "wrong": they order them the other way. A triplet with a missing value is not counted.
 */
struct pl_affinity {
	uint64_t right, wrong;
	uint64_t tied; /* both measured values are equal */
};

/* Physical affinity inference accuracy (thesis, 6.2.5): right / (right + wrong
 * + tied); NaN where there are no triplets. */
double pl_affinity_score(const struct pl_affinity *a);

/*
 * Adds the triplets of observer @c to @sum. cell[i * n + c] is the measured value from i to c, NaN
 * where missing. apart[i] is the true distance of i from c, at most PL_PLACES_LEVELS_MAX + 1, or
 * PL_APART_UNKNOWN. The entries i = c are ignored. O(n log n). 0, or -1 with @err set: no memory.
 */
#define PL_APART_UNKNOWN 255
int pl_affinity_add(struct pl_affinity *sum, const double *cell, size_t n, size_t c,
		    const unsigned char *apart, struct pl_err *err);

/*
 * Sets @sum to the triplets of all observers. place[i] is the index of host i in @truth, negative
 * where @truth lacks the host. True distances are those of pl_places_apart(): the longer the prefix
 * of labels that two hosts share, the nearer they are. O(n^2 log n). 0, or -1 with @err set: no
 * memory.
 */
int pl_affinity(struct pl_affinity *sum, const double *cell, size_t n,
		const struct pl_places *truth, const ptrdiff_t *place, struct pl_err *err);

#endif
