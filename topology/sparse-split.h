/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-split.h - divides a few hosts into the widest groups they form */
#ifndef PLINK_TOPOLOGY_SPARSE_SPLIT_H
#define PLINK_TOPOLOGY_SPARSE_SPLIT_H

#include <stddef.h>

/* Typical distances of the hosts of a group. */
struct pl_sparse_scale {
	double near, far; /* medians within, between parts */
	double cut;       /* a pair below this distance is in one part */
	double spread;    /* of pairs between two parts */
	double ratio;     /* variance of noise divided by that of what hosts add to
			   * all their pairs */
};

/*
 * Divides m hosts into parts. distance[m * m] is symmetric, NaN where missing. part[m] and *n_parts
 * get the parts, *scale the distances that separate them. The tree of average linkage (over fourth
 * roots, which outliers affect less) is cut at the topmost of its clearest gaps. At a gap the mean
 * levels of merges above and below differ by a factor of at least 1.25, and by about twice the sum
 * of their own spreads. Where @like is not NULL, the tree is cut at its cut instead. What each host
 * adds to all its pairs is estimated from the pairs between parts and subtracted, and the parts are
 * computed again, a few times. *n_parts = 1 where there is no gap. 0, or -1: no memory.
 */
#define PL_SPARSE_GAP 1.057 /* fourth root of 1.25 */
int pl_sparse_split(const float *distance, size_t m, const struct pl_sparse_scale *like,
		    size_t *part, size_t *n_parts, struct pl_sparse_scale *scale);

#endif
