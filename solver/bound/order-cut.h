/* SPDX-License-Identifier: BSD-3-Clause */
/* order-cut.h - lower bound on the longest path down a tree that is cut into
 * groups */
#ifndef PLINK_SOLVER_BOUND_ORDER_CUT_H
#define PLINK_SOLVER_BOUND_ORDER_CUT_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/forest.h"
#include "solver/bound/order-floor.h"

#include <stddef.h>

/*
 * For the linked group of @forest: a tree whose leaves are at most @longest
 * hops from its root, each hop counted once. Only a limited number of hosts are
 * joined by cheap links, so the tree falls into parts of at most that many
 * positions, with dear hops between the parts. However the tree is cut, some
 * path down costs *least or more. For each cost that separates hosts, the
 * function finds the best cut by the number of dear hops above each position.
 * *least: in, a bound that is known; out, that or a higher one. Trees with
 * paths of more than 40 hops are left out: *least stays. O(n longest) memory.
 * 0, or -1 with @err set: out of memory.
 */
int pl_cut_floor(const struct pl_floor *f, const struct pl_forest *forest,
		 size_t longest, const struct pl_stop *stop, double *least,
		 struct pl_err *err);

#endif
