/* SPDX-License-Identifier: BSD-3-Clause */
/* assign-start.h - an assignment made position by position */
#ifndef PLINK_SOLVER_ASSIGN_ASSIGN_START_H
#define PLINK_SOLVER_ASSIGN_ASSIGN_START_H

#include "base/err.h"
#include "solver/assign/flows.h"
#include "solver/neighbours.h"

#include <stddef.h>

/*
 * Fills in host_at[n_pos]: next comes the position that exchanges most with
 * those that have a host, and it goes where that costs least among the hosts of
 * its peers and their neighbours that have slots left; if none has, to the
 * first host that has. O(flows * (k + log flows)) time for each flow of a
 * position. 0, or -1 with @err set: out of memory.
 */
int pl_assign_start(const struct pl_assign_flows *flows,
		    const struct pl_neighbours *nb, size_t *host_at,
		    struct pl_err *err);

#endif
