/* SPDX-License-Identifier: BSD-3-Clause */
/* order-start.h - start orders: hosts near each other sit side by side */
#ifndef PLINK_SOLVER_ORDER_ORDER_START_H
#define PLINK_SOLVER_ORDER_ORDER_START_H

#include "base/err.h"
#include "base/stop.h"

#include <stddef.h>

/*
 * Hosts are paired, then the pairs, then the groups of four, ..., and written
 * down in that order: the hosts of a block of 2^k seats are near each other, as
 * halving and doubling, BCube and the subtrees of a binary tree need them. On
 * each level the dearest joint between two blocks is made cheap: a pair of
 * blocks costs the dearest hop between seats i of both, under the best of those
 * ways to renumber one block (i XOR x) that leave its own joints as they are.
 * near[n * n] is the cost of hops. host_at[n] always becomes a permutation;
 * stopped early, its neighbours may be far from each other.
 * O(n^2 log n) time, n^2 doubles. 0, or -1 with @err set: out of memory.
 */
int pl_order_start_pairs(const double *near, size_t n, const struct pl_stop *stop, size_t *host_at,
			 struct pl_err *err);

/* Goes from host @first always to the nearest host that is left. */
void pl_order_start_nearest(const double *near, size_t n, size_t first, size_t *host_at);

#endif
