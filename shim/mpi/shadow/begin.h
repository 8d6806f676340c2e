/* SPDX-License-Identifier: BSD-3-Clause */
/* begin.h - shadow mode's life: from MPI_Init to MPI_Finalize */
#ifndef PLINK_SHIM_MPI_SHADOW_BEGIN_H
#define PLINK_SHIM_MPI_SHADOW_BEGIN_H

#include "base/plan/plan.h"

#include <stdbool.h>

/*
 * Collective over MPI_COMM_WORLD: starts shadow mode, which lasts until
 * MPI_Finalize. *host_of is from malloc(): the plan's host of each rank. Takes
 * both arguments over and leaves them empty. @path is the path of the plan:
 * prints which orders the collectives take, unless it is NULL. False: no order
 * changes any rank, and the mode is not on.
 */
bool pl_shadow_begin_take(struct pl_plan *plan, int **host_of,
			  const char *path);

#endif
