/* SPDX-License-Identifier: BSD-3-Clause */
/* masters.h - groups of groups of ranks, and who adds up for each of them */
/*
 * Ranks are the leaves of a tree, groups its inner nodes. Of a slice of the buffer, each group has
 * a master, which is the master of one of its children; a rank is its own. The masters of a group's
 * children send to its own, which sends them the result (levels.h).
 */
#ifndef PLINK_ENGINE_MASTERS_H
#define PLINK_ENGINE_MASTERS_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Arrays are borrowed for the call. */
struct pl_rank_tree {
	/* ranks are nodes 0 to n_ranks - 1, groups the nodes from n_ranks on; the last one is the
	 * root */
	size_t n_ranks, n_nodes;
	const uint32_t *parent; /* [n_nodes], above the node's own number; that
				 * of the root is not read */
	/* [n_nodes]: how often the node's master is that of its group too, in relation to the
	 * group's other children; not 0 for all of these. Read where a group has groups in it.
	 * NULL: as many as it has ranks. */
	const double *share;
	/* [n_ranks], above 0: of their cards, in relation to one another. NULL: all alike. */
	const double *rate;
	size_t slices_max; /* 0: no limit but the one below */
};

/* Start with {0}, end with fini. */
struct pl_level_masters {
	size_t n, n_groups; /* slices; the root is the last group */
	/* [n * n_groups], of a slice in a row: the child (a node) whose master is the group's,
	 * too */
	uint32_t *child;
	uint64_t *weight; /* [n]: of slices, in relation to one another */
};

/*
 * At most 8 slices a rank. The root's masters are divided among its groups exactly as the shares
 * say, by the weights of slices; those of other groups as well as so many slices can. Where there
 * are fewer slices than groups, some groups have none. Among the ranks of a group, the master is
 * the one whose card then has the least to move for its rate; slices with the most to move come
 * first (an approximate set partition, as in section 4.2.2 of the PLink thesis). *m must be {0}. 0,
 * or -1 with @err set and *m {0}: PL_EUSAGE for a group without children or bad shares and rates,
 * PL_ESYSTEM for memory.
 */
int pl_level_masters_init(struct pl_level_masters *m, const struct pl_rank_tree *t,
			  struct pl_err *err);
void pl_level_masters_fini(struct pl_level_masters *m);

/* load[n_nodes]: how many buffers leave the card or uplink of each node, and as many enter it. 0,
 * or -1: out of memory. */
int pl_level_masters_loads(const struct pl_level_masters *m, const struct pl_rank_tree *t,
			   double *load);

/*
 * Seconds that a buffer of one byte takes by these masters at these rates of ranks and groups,
 * [n_nodes], 0: no limit: those of the slowest card or uplink, one way. -1: out of memory.
 */
double pl_level_masters_seconds(const struct pl_level_masters *m, const struct pl_rank_tree *t,
				const double *rate);

#endif
