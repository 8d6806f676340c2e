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
 * *bound: at most the cost of every order of the hosts, each of which takes
 * slots[h] positions in a row (NULL: one each). Rounding is allowed for.
 * - Sum: every host pays half of its cheapest cells, as many as its seat has
 *   hops; the ring has a better bound in ring-bound.h.
 * - Maxima, the slowest hop: the dearest of a set of hops costs at least the
 *   threshold below which hosts have too few neighbours, or hang together in
 *   groups of no fitting size. Sums of maxima: also for sets of k rounds, two
 *   rounds of halving need groups of four; and any group needs as many hosts
 *   near it as a set has neighbours in a cube of k dimensions. Exact for
 *   halving and BCube on racks that differ by one cost. Rounds that make a
 *   hypercube, as halving: also around every host, and of racks: cube-bound.h.
 *   The slowest hop of a ring or a chain: bottleneck.h.
 * - Longest path: hosts near each other are too few for a whole tree, so that
 *   some way down has dear hops, however it is cut; and one leads to the host
 *   farthest from the root, whichever that is. Each tree by itself: exact for
 *   one on racks that differ by one cost, not for two on the same hosts.
 * Hosts with different numbers of slots: a weak one. Where *stop (NULL: never)
 * comes first, what is known until then, 0 at least.
 * 0, or -1 with @err set: PL_EUSAGE where hosts and positions do not fit,
 * memory, what pl_objective_create refuses. O(n^2 log n) time and n^2 doubles;
 * where a sum of maxima has few groups, edges times sets of groups besides.
 */
int pl_order_lower_bound(const struct pl_shape *shape,
			 const struct pl_costs *costs, const size_t *slots,
			 const struct pl_stop *stop, double *bound,
			 struct pl_err *err);

#endif
