/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-split.h - the widest parts that a few hosts fall into */
#ifndef PLINK_TOPOLOGY_SPARSE_SPLIT_H
#define PLINK_TOPOLOGY_SPARSE_SPLIT_H

#include <stddef.h>

/* What holds for the hosts of a group. */
struct pl_sparse_scale {
	double near, far; /* usual within a part and between two */
	double cut;       /* what is less is within one */
};

/*
 * distance[m * m] is symmetric, NaN where missing, and is used up. own[m] gets what each host
 * has more than the usual one in each of its pairs; part[m] and *n_parts the parts, *scale
 * what separates them. The tree of average linkage (of fourth roots, which outliers
 * sway less) is cut at the topmost of its gaps that are about the clearest: levels of
 * merges that differ by 1.25 at least, and by twice what they differ in themselves.
 * *n_parts = 1 where there is none. 0, or -1: no memory.
 */
#define PL_SPARSE_GAP 1.057 /* fourth root of 1.25 */
int pl_sparse_split(float *distance, size_t m, double *own, size_t *part,
		    size_t *n_parts, struct pl_sparse_scale *scale);

/* The same where the cut is known: joins what is below it. */
int pl_sparse_join(float *distance, size_t m, double cut, size_t *part,
		   size_t *n_parts);

#endif
