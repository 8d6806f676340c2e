/* SPDX-License-Identifier: BSD-3-Clause */
/* order-reach.h - lower bound on the path to the farthest host of a tree */
#ifndef PLINK_SOLVER_BOUND_ORDER_REACH_H
#define PLINK_SOLVER_BOUND_ORDER_REACH_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/order-floor.h"

#include <stddef.h>

/*
 * For a tree over all hosts whose leaves are @shortest to @longest hops from
 * the root: some path down costs *least or more. Whichever host is the root,
 * the path to each other host has some number of hops, and the hops that it
 * lacks to a leaf are a path below that host. The function tries hosts that are
 * far from all those tried before, with n^2 longest time for each and about 3e8
 * steps in all. A tree with very long paths leaves no time for any host: *least
 * is 0 then. O(n) memory. 0, or -1 with @err set: out of memory.
 */
int pl_reach_floor(const struct pl_floor *f, size_t shortest, size_t longest,
		   const struct pl_stop *stop, double *least,
		   struct pl_err *err);

#endif
