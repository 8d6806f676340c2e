/* SPDX-License-Identifier: BSD-3-Clause */
/* population.h - assignments that are crossed, and tabu search from each
 * child */
#ifndef PLINK_SOLVER_ASSIGN_POPULATION_H
#define PLINK_SOLVER_ASSIGN_POPULATION_H

#include "base/err.h"
#include "solver/assign/assign.h"
#include "solver/assign/flows.h"

#include <stddef.h>

/*
 * Improves host_at[n_pos] (out: the best assignment found, by costs that are kept up to date) and
 * fills in *result, except for its costs. A restart is one run of tabu search. 0, or -1 with @err
 * set: out of memory.
 */
int pl_assign_population(const struct pl_assign_flows *flows,
			 const struct pl_assign_options *options, size_t *host_at,
			 struct pl_assign_result *result, struct pl_err *err);

#endif
