/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-split.h - the widest parts that a few hosts fall into */
#ifndef PLINK_TOPOLOGY_SPARSE_SPLIT_H
#define PLINK_TOPOLOGY_SPARSE_SPLIT_H

#include <stddef.h>

/* What holds for the hosts of a group. */
struct pl_sparse_scale {
	double near, far; /* usual within a part and between two */
	double cut;       /* what is less is within one */
	double spread;    /* of pairs between two parts */
	double ratio; /* variance of noise to that of what hosts have of their
			 own */
};

/*
 * distance[m * m] is symmetric, NaN where missing. part[m] and *n_parts get the
 * parts, *scale what separates them. The tree of average linkage (of fourth
 * roots, which outliers sway less) is cut at the topmost of its gaps that are
 * about the clearest: levels of merges that differ by 1.25 at least, and by
 * twice what they differ in themselves; or, where @like is not NULL, at its
 * cut. What hosts add to all their pairs is found by those between parts and
 * taken off, and the parts are looked for again, some times. *n_parts = 1 where
 * there is none. 0, or -1: no memory.
 */
#define PL_SPARSE_GAP 1.057 /* fourth root of 1.25 */
int pl_sparse_split(const float *distance, size_t m,
		    const struct pl_sparse_scale *like, size_t *part,
		    size_t *n_parts, struct pl_sparse_scale *scale);

#endif
