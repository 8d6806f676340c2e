/* SPDX-License-Identifier: BSD-3-Clause */
/* share.h - one plan for all processes of the job */
#ifndef PLINK_SHIM_MPI_SHARE_H
#define PLINK_SHIM_MPI_SHARE_H

#include "base/plan/plan.h"

#include <stdbool.h>

#define PL_MPI_PATH_MAX 256

/* What rank 0's environment says, known to all processes. */
struct pl_mpi_shared {
	bool strict, verbose; /* PLINK_STRICT, PLINK_VERBOSE */
	bool counted;         /* PLINK_STATS names a file */
	int mode;             /* PLINK_MPI_MODE: load.h */
	bool by_messages;     /* PLINK_TRANSPORT is mpi */
	char *text;           /* the plan's text as rank 0 has read it; NULL: none */
	int len;
	char path[PL_MPI_PATH_MAX]; /* for messages */
};

/* Collective over MPI_COMM_WORLD: rank 0 reads and checks the plan and sends it to all. If there is
 * no valid plan, shared->text is NULL and rank 0 says why (with PLINK_STRICT, the job ends); but
 * not if the library only counts calls: with PLINK_MPI_MODE=off, or with PLINK_STATS and neither
 * PLINK_PLAN nor PLINK_STRICT. @shared must be {0}; end it with fini. */
void pl_mpi_share(struct pl_mpi_shared *shared, int rank);

/*
 * The host of the plan that this process runs on, or one of the faults below, for which the process
 * cannot follow the plan. @plan must be empty, and becomes the shared plan unless the result is
 * PL_MPI_NO_MEMORY.
 */
int pl_mpi_find_host(const struct pl_mpi_shared *shared, struct pl_plan *plan);

#define PL_MPI_UNKNOWN -1   /* PL_SELF_UNKNOWN */
#define PL_MPI_AMBIGUOUS -2 /* PL_SELF_AMBIGUOUS */
#define PL_MPI_DIFFERS -3   /* its own PLINK_PLAN names another plan */
#define PL_MPI_NO_MEMORY -4
#define PL_MPI_SHMEM -5    /* its program also uses OpenSHMEM */
#define PL_MPI_REPLACED -6 /* the plan is of another machine of that name */

void pl_mpi_shared_fini(struct pl_mpi_shared *shared);

#endif
