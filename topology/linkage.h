/* SPDX-License-Identifier: BSD-3-Clause */
/* linkage.h - the tree of hosts by average linkage */
#ifndef PLINK_TOPOLOGY_LINKAGE_H
#define PLINK_TOPOLOGY_LINKAGE_H

#include <stddef.h>
#include <stdint.h>

/* Two groups become one: the group of host a and the group of host b, whose mean distance is
 * height. */
struct pl_cluster_merge {
	size_t a, b;
	float height;
};

/*
 * Joins n hosts into one group, step by step: each step joins the two groups with the least mean
 * distance over the cells present. distance[n * n] is symmetric, NaN where missing; its diagonal is
 * ignored. Average linkage by chains of nearest neighbours (Murtagh, 1983), O(n^2). Two groups
 * without a cell between them are INFINITY apart. Fills merge[n - 1], sorted by rising height.
 * distance is overwritten. 0, or -1: no memory.
 */
int pl_linkage(float *distance, size_t n, struct pl_cluster_merge *merge);

/* A known distance between two hosts, a != b. */
struct pl_linkage_pair {
	uint32_t a, b;
	float distance; /* not NaN */
};

/* The same result, to the bit, from a list of known pairs without duplicates. Memory and time grow
 * with the number of pairs, not with n * n. */
int pl_linkage_few(const struct pl_linkage_pair *pair, size_t n_pairs, size_t n,
		   struct pl_cluster_merge *merge);

/* Fills group[n] with the group of each host after the first @n_merges merges; groups are numbered
 * by their first hosts. map[n] is scratch. Returns the number of groups. */
size_t pl_linkage_cut(const struct pl_cluster_merge *merge, size_t n_merges, size_t n,
		      size_t *group, size_t *map);

#endif
