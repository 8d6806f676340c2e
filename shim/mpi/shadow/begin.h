/* SPDX-License-Identifier: BSD-3-Clause */
/* begin.h - shadow mode's life: from MPI_Init to MPI_Finalize */
#ifndef PLINK_SHIM_MPI_SHADOW_BEGIN_H
#define PLINK_SHIM_MPI_SHADOW_BEGIN_H

#include "base/plan/plan.h"

#include <stdbool.h>

/*
 * Collective over the world; host_of[] is each rank's host in the plan. Takes
 * both over, *host_of from malloc(), and leaves them empty. With @path, the
 * plan's, says which orders the collectives take. False: none changes any rank,
 * and there is nothing to do.
 */
bool pl_shadow_begin_take(struct pl_plan *plan, int **host_of,
			  const char *path);

#endif
