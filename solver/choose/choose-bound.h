/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-bound.h - lower bound on rings of k of the hosts */
#ifndef PLINK_SOLVER_CHOOSE_CHOOSE_BOUND_H
#define PLINK_SOLVER_CHOOSE_CHOOSE_BOUND_H

#include "base/err.h"
#include "solver/choose/choice.h"

/*
 * *bound becomes a lower bound on the cost of every ring of any k hosts,
 * whichever hosts may lead. The bound allows for rounding. It is the higher one
 * of two:
 * - Every host on the ring pays half of its cheapest hops in and out; the k
 *   cheapest hosts are counted.
 * - For any threshold t, links cheaper than t join hosts into groups. k hosts
 *   lie in at least as many groups as the largest groups need to hold k hosts.
 *   If that is more than one, at least as many hops of the ring cost t or more.
 *   Exact for racks if all costs between racks are equal.
 * O(n^2) time and memory. 0, or -1 with @err set: out of memory.
 */
int pl_choose_ring_bound(const struct pl_host_choice *choice, double *bound,
			 struct pl_err *err);

#endif
