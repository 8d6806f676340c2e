/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.h - the communicators in which calls were counted, by their members */
#ifndef PLINK_SHIM_STATS_GROUPS_H
#define PLINK_SHIM_STATS_GROUPS_H

#include <stddef.h>

/* Ranks in the order that they have in the communicator. */
struct pl_stats_group {
	int n;
	int *member; /* [n] ranks of the job */
};

/* Start with {0}, end with fini. */
struct pl_stats_groups {
	struct pl_stats_group *v;
	size_t n, room;
};

#define PL_STATS_NO_GROUP ((size_t)-1)

/* The index of the group with these members; it is added if it is new. PL_STATS_NO_GROUP: there are
 * PL_STATS_GROUPS_MAX others (table.h) or no memory. */
size_t pl_stats_groups_add(struct pl_stats_groups *g, const int *member, int n);

/* The index of the group, or PL_STATS_NO_GROUP. */
size_t pl_stats_groups_find(const struct pl_stats_groups *g, const int *member, int n);

/* By their number of members, then by these. */
void pl_stats_groups_sort(struct pl_stats_groups *g);

/* The groups one after the other, each as n, member[n]: [*n] ints, to be freed. NULL: out of
 * memory. */
int *pl_stats_groups_pack(const struct pl_stats_groups *g, size_t *n);

/* Adds what was packed; groups for which there is no room are left out. */
void pl_stats_groups_unpack(struct pl_stats_groups *g, const int *packed, size_t n);

void pl_stats_groups_fini(struct pl_stats_groups *g);

#endif
