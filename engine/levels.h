/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.h - slices of hierarchical aggregation: groups of groups of ranks */
/*
 * Ranks are the leaves of a tree, groups its inner nodes. Of a slice, each
 * group has a master, which is the master of one of its children; a rank is its
 * own. Upwards, the masters of a group's children send to its own, which adds;
 * downwards it sends them the result:
 *
 *   no groups but the root      a parameter server on every rank, in shards
 *   a level of groups           2LHA of the PLink thesis, section 4.1.2
 *   two levels of groups        the same with groups of groups
 */
#ifndef PLINK_ENGINE_LEVELS_H
#define PLINK_ENGINE_LEVELS_H

#include "base/err.h"
#include "engine/slices.h"

#include <stddef.h>
#include <stdint.h>

/* Arrays are borrowed for the call. */
struct pl_rank_tree {
	/* ranks are nodes 0 to n_ranks - 1, groups the nodes from n_ranks on;
	 * the last one is the root */
	size_t n_ranks, n_nodes;
	const uint32_t *parent; /* [n_nodes], above the node's own number; that
				 * of the root is not read */
	/* [n_nodes]: how often the node's master is that of its group too, in
	 * relation to the group's other children; not 0 for all of these. Read
	 * where a group has groups in it. NULL: as many as it has ranks. */
	const double *share;
	/* [n_ranks], above 0: of their cards, in relation to one another. NULL:
	 * all alike. */
	const double *rate;
	size_t slices_max; /* 0: no limit but the one below */
};

/*
 * At most 8 slices a rank. The root's masters are divided among its groups
 * exactly as the shares say, by the weights of slices; those of other groups as
 * well as so many slices can. Where there are fewer slices than groups, some
 * groups have none. Among the ranks of a group, the master is the one whose
 * card then has the least to move for its rate; slices with the most to move
 * come first (an approximate set partition, as in section 4.2.2). *slices must
 * be {0}. 0, or -1 with @err set and *slices {0}: PL_EUSAGE for a group without
 * children or bad shares and rates, PL_ESYSTEM for memory.
 */
int pl_levels_slices(struct pl_slices *slices, const struct pl_rank_tree *t,
		     struct pl_err *err);

#endif
