/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule-tree.h - the groups of ranks through which schedules aggregate */
#ifndef PLINK_SRC_ORDER_SCHEDULE_TREE_H
#define PLINK_SRC_ORDER_SCHEDULE_TREE_H

#include "base/err.h"
#include "engine/levels.h"
#include "src/order/output.h"
#include "topology/places.h"

#include <stddef.h>
#include <stdint.h>

enum pl_reorder_depth {
	PL_DEPTH_SHARDS, /* no groups */
	PL_DEPTH_RACKS,  /* the innermost groups */
	/* with wider groups around these, and hosts of several ranks within */
	PL_DEPTH_ALL,
};

/* Ranks are those of the order found. Start with {0}, end with fini. */
struct pl_reorder_tree {
	struct pl_rank_tree levels; /* without shares and rates */
	uint32_t *parent;           /* [levels.n_nodes] */
	/* [levels.n_nodes]: bits per second of cards, a rank's part of its host's, and of the
	 * uplinks of groups; 0: not known */
	double *bps;
};

/* The file of --groups or, where nothing was measured, --topology; NULL: none is needed. */
const char *pl_reorder_tree_file(const struct pl_reorder_answer *a);

/*
 * The groups: the places @told of that file; NULL: the racks that were measured. Groups of one
 * child are left out. 0, or -1 with @err set: PL_EPARTIAL where no groups are known or all hosts
 * are in one (not for PL_DEPTH_SHARDS), PL_EINPUT if --groups lacks a host, PL_ESYSTEM.
 */
int pl_reorder_tree_init(struct pl_reorder_tree *tree, const struct pl_reorder_answer *a,
			 const struct pl_places *told, enum pl_reorder_depth depth,
			 struct pl_err *err);
void pl_reorder_tree_fini(struct pl_reorder_tree *tree);

#endif
