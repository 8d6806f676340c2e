/* SPDX-License-Identifier: BSD-3-Clause */
/* order-tree.h - lower bound on the longest path down a tree */
#ifndef PLINK_SOLVER_BOUND_ORDER_TREE_H
#define PLINK_SOLVER_BOUND_ORDER_TREE_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/forest.h"
#include "solver/bound/order-floor.h"

/*
 * For the linked group of @forest, each hop counted once. Three facts give the
 * bound. For any cost, a path down has at least a certain number of hops that
 * cost that or more; its other hops have no cycle, and neither have all hops of
 * the longest path. Some path leads to the host that is farthest from the root
 * (order-reach.h). The tree can be cut into groups only in certain ways
 * (order-cut.h). *least: in, a lower bound on one hop of the tree; out, on a
 * path; unchanged if the group has several trees. 0, or -1 with @err set: out
 * of memory.
 */
int pl_tree_floor(const struct pl_floor *f, const struct pl_forest *forest,
		  const struct pl_stop *stop, double *least,
		  struct pl_err *err);

#endif
