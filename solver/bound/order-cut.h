/* SPDX-License-Identifier: BSD-3-Clause */
/* order-cut.h - what the longest way down a tree costs that is cut into
 * groups */
#ifndef PLINK_SOLVER_BOUND_ORDER_CUT_H
#define PLINK_SOLVER_BOUND_ORDER_CUT_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/forest.h"
#include "solver/bound/order-floor.h"

#include <stddef.h>

/*
 * The linked group of @forest, a tree whose leaves are @longest hops from its
 * root at most, each hop taken once. Hosts that cheap links join are no more
 * than so many, so the tree is cut into parts of no more positions, with dearer
 * hops between; whichever way it is cut, some way down costs *least or more.
 * For each cost that parts hosts the best cut is found, by the number of dear
 * hops above each position. *least: in, what is known; out, no less. Trees with
 * long ways are left out. O(n longest) room.
 * 0, or -1 with @err set: out of memory.
 */
int pl_cut_floor(const struct pl_floor *f, const struct pl_forest *forest,
		 size_t longest, const struct pl_stop *stop, double *least,
		 struct pl_err *err);

#endif
