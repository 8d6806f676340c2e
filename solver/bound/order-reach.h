/* SPDX-License-Identifier: BSD-3-Clause */
/* order-reach.h - what the way to the farthest host of a tree costs at least */
#ifndef PLINK_SOLVER_BOUND_ORDER_REACH_H
#define PLINK_SOLVER_BOUND_ORDER_REACH_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/order-floor.h"

#include <stddef.h>

/*
 * A tree over all hosts, whose leaves are @shortest to @longest hops from the
 * root: some way down costs *least or more. Whoever is the root, the way to
 * each host has some number of hops, and what it lacks to a leaf is a path
 * below. Hosts far from all others tried before are tried, n^2 longest time
 * each, some 3e8 in all: of trees with very long ways none, *least is 0 then.
 * O(n) room. 0, or -1 with @err set: out of memory.
 */
int pl_reach_floor(const struct pl_floor *f, size_t shortest, size_t longest,
		   const struct pl_stop *stop, double *least,
		   struct pl_err *err);

#endif
