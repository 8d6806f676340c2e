/* SPDX-License-Identifier: BSD-3-Clause */
/* split.h - hosts in two halves, positions in two parts, and so on */
#ifndef PLINK_SOLVER_ASSIGN_SPLIT_H
#define PLINK_SOLVER_ASSIGN_SPLIT_H

#include "base/err.h"
#include "base/rng.h"
#include "solver/assign/flows.h"

#include <stddef.h>

/*
 * Fills in host_at[n_pos] by dual recursive bipartitioning (Pellegrini, SHPCC 1994): the hosts, in
 * an order in which each is followed by the nearest of the others by cost[hosts * hosts], are cut
 * at a long hop near the middle, the positions into parts that fit and exchange little with each
 * other, and each half again. 0, or -1 with @err set: out of memory.
 */
int pl_assign_split(const struct pl_assign_flows *flows, const double *cost, struct pl_rng *rng,
		    size_t *host_at, struct pl_err *err);

#endif
