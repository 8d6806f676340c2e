/* SPDX-License-Identifier: BSD-3-Clause */
/* assign-levels.h - many positions: pairs of them first, and pairs of pairs */
#ifndef PLINK_SOLVER_ASSIGN_ASSIGN_LEVELS_H
#define PLINK_SOLVER_ASSIGN_ASSIGN_LEVELS_H

#include "base/err.h"
#include "solver/assign/assign.h"
#include "solver/assign/flows.h"

#include <stddef.h>

/*
 * Improves host_at[n_pos] (out: the cheapest assignment found) and fills in *result, except for its
 * costs. Restarts begin in turns with an assignment by bipartitioning (split.h) and with the best
 * one so far, and have twice the moves each time. Positions on one host become pairs, those become
 * pairs again, ..., while they fit into the slots; the largest blocks are annealed, then their
 * halves, ..., then positions. 0, or -1 with @err set: out of memory.
 */
int pl_assign_levels(const struct pl_assign_flows *flows, const struct pl_assign_options *options,
		     size_t *host_at, struct pl_assign_result *result, struct pl_err *err);

#endif
