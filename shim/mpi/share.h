/* SPDX-License-Identifier: BSD-3-Clause */
/* share.h - one plan for all processes of the job */
#ifndef PLINK_SHIM_MPI_SHARE_H
#define PLINK_SHIM_MPI_SHARE_H

#include "base/plan/plan.h"

#include <stdbool.h>

#define PL_MPI_PATH_MAX 256

/* What all processes know alike, from rank 0's environment. */
struct pl_mpi_shared {
	bool strict, verbose; /* PLINK_STRICT, PLINK_VERBOSE */
	bool counted;         /* PLINK_STATS names a file */
	int mode;             /* PLINK_MPI_MODE: load.h */
	char *text;           /* the plan as rank 0 has read it; NULL: none */
	int len;
	char path[PL_MPI_PATH_MAX]; /* for messages */
};

/* Collective. Rank 0 reads and checks the plan and gives it to all; where there
 * is none it says so, unless the library is there to count only: switched off,
 * or with a PLINK_STATS and no PLINK_PLAN. @shared must be {0}; ends with
 * fini. */
void pl_mpi_share(struct pl_mpi_shared *shared, int rank);

/*
 * The host of the plan that this process runs on, or what keeps it from taking
 * part. @plan must be empty and becomes the shared plan, wherever the result is
 * not PL_MPI_NO_MEMORY.
 */
int pl_mpi_find_host(const struct pl_mpi_shared *shared, struct pl_plan *plan);

#define PL_MPI_UNKNOWN -1   /* PL_SELF_UNKNOWN */
#define PL_MPI_AMBIGUOUS -2 /* PL_SELF_AMBIGUOUS */
#define PL_MPI_DIFFERS -3   /* its PLINK_PLAN reads differently */
#define PL_MPI_NO_MEMORY -4
#define PL_MPI_SHMEM -5 /* its program uses OpenSHMEM, too */

void pl_mpi_shared_fini(struct pl_mpi_shared *shared);

#endif
