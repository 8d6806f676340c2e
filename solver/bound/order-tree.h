/* SPDX-License-Identifier: BSD-3-Clause */
/* order-tree.h - what the longest way down a tree costs at least */
#ifndef PLINK_SOLVER_BOUND_ORDER_TREE_H
#define PLINK_SOLVER_BOUND_ORDER_TREE_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/forest.h"
#include "solver/bound/order-floor.h"

/*
 * Of the linked group, each hop taken once. A way down has at least so many
 * hops that are dear, whichever cost that is from on; the rest of it, and
 * all of the longest way, has no cycle; and some way leads to the host that is
 * farthest from the root (order-reach.h). *least: in, what one hop of the
 * tree is known to cost; out, that of a way; unchanged where there are several
 * trees. 0, or -1 with @err set: out of memory.
 */
int pl_tree_floor(const struct pl_floor *f, const struct pl_forest *forest,
		  const struct pl_stop *stop, double *least,
		  struct pl_err *err);

#endif
