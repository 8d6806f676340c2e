/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-bound.h - what no ring of so many hosts can undercut */
#ifndef PLINK_SOLVER_CHOOSE_CHOOSE_BOUND_H
#define PLINK_SOLVER_CHOOSE_CHOOSE_BOUND_H

#include "base/err.h"
#include "solver/choose/choice.h"

/*
 * *bound: at most the cost of every ring of any k hosts, rounding allowed for,
 * whoever may lead. The dearer of two:
 * - every host on the ring pays half of the cheapest way in and out, the k
 *   cheapest of all;
 * - whatever the threshold t, k hosts are in at least as many of the groups of
 *   hosts linked by less as the largest of them take to have k, and where that
 *   is more than one, as many hops of t or more join them. Exact where racks
 *   differ from each other by one cost.
 * O(n^2) time and room. 0, or -1 with @err set: out of memory.
 */
int pl_choose_ring_bound(const struct pl_host_choice *choice, double *bound,
			 struct pl_err *err);

#endif
