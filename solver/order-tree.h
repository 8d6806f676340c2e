/* SPDX-License-Identifier: BSD-3-Clause */
/* order-tree.h - what the longest way down a tree costs at least */
#ifndef PLINK_SOLVER_ORDER_TREE_H
#define PLINK_SOLVER_ORDER_TREE_H

#include "solver/forest.h"
#include "solver/order-floor.h"

/*
 * Of the linked group, each hop taken once. A way down has at least so many
 * hops that are dear, whichever cost that is from on; the rest of it, and
 * all of the longest way, has no cycle. @dearest: what one hop of the tree is known
 * to cost; the result where there are several trees.
 */
double pl_tree_floor(const struct pl_floor *f, const struct pl_forest *forest,
		     double dearest);

#endif
