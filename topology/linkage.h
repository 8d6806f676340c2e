/* SPDX-License-Identifier: BSD-3-Clause */
/* linkage.h - the tree of hosts that are on average the nearest */
#ifndef PLINK_TOPOLOGY_LINKAGE_H
#define PLINK_TOPOLOGY_LINKAGE_H

#include <stddef.h>
#include <stdint.h>

/* Two groups become one: that of host a and that of host b, so far apart. */
struct pl_cluster_merge {
	size_t a, b;
	float height;
};

/*
 * Joins the n hosts of distance[n * n] (symmetric; NaN where missing, its
 * diagonal is not looked at) into one group, always the two with the least mean
 * distance of those there are: average linkage by chains of nearest neighbours
 * (Murtagh, 1983), O(n^2). Two groups without any are INFINITY apart. merge[n -
 * 1] by rising height. distance is used up. 0, or -1: no memory.
 */
int pl_linkage(float *distance, size_t n, struct pl_cluster_merge *merge);

/* What is known between two hosts, a != b. */
struct pl_linkage_pair {
	uint32_t a, b;
	float distance; /* not NaN */
};

/* The same, to the bit, of pairs that are known, each once, by the memory and
 * the time that these take and not n * n. */
int pl_linkage_few(const struct pl_linkage_pair *pair, size_t n_pairs, size_t n,
		   struct pl_cluster_merge *merge);

/* Group of each host once the first @n_merges are made, numbered by first
 * hosts; map[n] is scratch. How many groups. */
size_t pl_linkage_cut(const struct pl_cluster_merge *merge, size_t n_merges,
		      size_t n, size_t *group, size_t *map);

#endif
