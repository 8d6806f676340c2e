/* SPDX-License-Identifier: BSD-3-Clause */
/* order-bound.h - what no order can undercut, for any shape */
#ifndef PLINK_SOLVER_BOUND_ORDER_BOUND_H
#define PLINK_SOLVER_BOUND_ORDER_BOUND_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stddef.h>

/*
 * *bound becomes a lower bound on the cost of every order of the hosts, where host h takes slots[h]
 * consecutive positions (NULL: one each). The bound allows for rounding.
 * - Sum: every host pays half of its cheapest cells, as many cells as its seat
 *   has hops. For the ring, ring-bound.h has a better bound.
 * - Sum of maxima and slowest hop: the dearest of a set of hops costs at least
 *   the threshold below which hosts have too few neighbours, or form groups of
 *   the wrong sizes. Sums of maxima also use sets of k rounds: two rounds of
 *   halving need groups of four hosts, and any group needs as many hosts near
 *   it as a set has neighbours in a cube of k dimensions. Exact for halving and
 *   BCube on racks if all costs between racks are equal. For rounds that make a
 *   hypercube, as halving does, cube-bound.h also looks at the surroundings of
 *   every host and at racks. For the slowest hop of a ring or a chain see
 *   bottleneck.h.
 * - Longest path: too few hosts are near each other to hold a whole tree, so
 *   that however the tree is cut into groups, some path down has dear hops; and
 *   one path leads to the host farthest from the root, whichever host is the
 *   root. Each tree is bounded by itself: exact for one tree on racks if all
 *   costs between racks are equal, not for two trees on the same hosts.
 * If hosts have different numbers of slots, the bound is weak. When *stop (NULL: never) comes
 * early, *bound is what is proved until then, at least 0. 0, or -1 with @err set: PL_EUSAGE if
 * hosts and positions do not fit, out of memory, or a longest-path shape that pl_objective_create
 * refuses. O(n^2 log
 * n) time and n^2 doubles; for a sum of maxima with few groups also time in
 * proportion to edges times sets of groups.
 */
int pl_order_lower_bound(const struct pl_shape *shape, const struct pl_costs *costs,
			 const size_t *slots, const struct pl_stop *stop, double *bound,
			 struct pl_err *err);

#endif
