/* SPDX-License-Identifier: BSD-3-Clause */
/* order-tree.h - lower bound on the longest path down a tree */
#ifndef PLINK_SOLVER_BOUND_ORDER_TREE_H
#define PLINK_SOLVER_BOUND_ORDER_TREE_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/forest.h"
#include "solver/bound/order-floor.h"

/*
 * For the linked group of @forest, each hop counted once. Three facts give the bound. For any cost,
 * a path down has at least a certain number of hops that cost that or more; its other hops have no
 * cycle, and neither have all hops of the longest path. Some path leads to the host that is
 * farthest from the root (pl_reach_floor). The tree can be cut into groups only in certain ways
 * (pl_cut_floor). *least: in, a lower bound on one hop of the tree; out, on a path; unchanged if
 * the group has several trees. 0, or -1 with @err set: out of memory.
 */
int pl_tree_floor(const struct pl_floor *f, const struct pl_forest *forest,
		  const struct pl_stop *stop, double *least, struct pl_err *err);

/*
 * For a tree over all hosts whose leaves are @shortest to @longest hops from the root: some path
 * down costs *least or more. Whichever host is the root, the path to each other host has some
 * number of hops, and the hops that it lacks to a leaf are a path below that host. The function
 * tries hosts that are far from all those tried before, with n^2 longest time for each and about
 * 3e8 steps in all. A tree with very long paths leaves no time for any host: *least is 0 then. O(n)
 * memory. 0, or -1 with @err set: out of memory.
 */
int pl_reach_floor(const struct pl_floor *f, size_t shortest, size_t longest,
		   const struct pl_stop *stop, double *least, struct pl_err *err);

/*
 * For the linked group of @forest: a tree whose leaves are at most @longest hops from its root,
 * each hop counted once. Only a limited number of hosts are joined by cheap links, so the tree
 * falls into parts of at most that many positions, with dear hops between the parts. However the
 * tree is cut, some path down costs *least or more. For each cost that separates hosts, the
 * function finds the best cut by the number of dear hops above each position. *least: in, a bound
 * that is known; out, that or a higher one. Trees with paths of more than 40 hops are left out:
 * *least stays. O(n longest) memory. 0, or -1 with @err set: out of memory.
 */
int pl_cut_floor(const struct pl_floor *f, const struct pl_forest *forest, size_t longest,
		 const struct pl_stop *stop, double *least, struct pl_err *err);

#endif
