/* SPDX-License-Identifier: BSD-3-Clause */
/* mode.h - engine mode: all-reduces by plink's own schedules */
/*
 * Ranks stay, and so do all calls but MPI_Allreduce on MPI_COMM_WORLD at the
 * sizes for which there is a schedule. Whether a call is taken depends on its
 * size, type and operation alone, which are the same on all processes.
 */
#ifndef PLINK_SHIM_MPI_ENGINE_MODE_H
#define PLINK_SHIM_MPI_ENGINE_MODE_H

#include "shim/mpi/share.h"
#include "shim/mpi/world.h"

#include <stdbool.h>

/* Is the mode on? From MPI_Init to MPI_Finalize. */
extern bool pl_engine_mode_is_on;

/* The job as the schedules number it. */
struct pl_engine_job {
	int rank, n;       /* in MPI_COMM_WORLD */
	const int *number; /* [n]: by rank */
	int host;          /* of the plan: where this process is */
};

/*
 * Collective over MPI_COMM_WORLD: connects all processes that have something to
 * exchange, and starts the mode, which lasts until MPI_Finalize. @shared has
 * the schedules, which rank 0 has checked. With @says, prints what they are.
 * False on all processes if one of them could not; one has said why.
 */
bool pl_engine_mode_begin(const struct pl_mpi_shared *shared,
			  const struct pl_engine_job *job, int limit_s,
			  bool says);

/* Does the mode take this all-reduce? */
bool pl_engine_mode_takes(pl_mpi_count count, MPI_Datatype type, MPI_Op op,
			  MPI_Comm comm);

/* One that it takes; arguments and result are those of MPI_Allreduce. */
int pl_engine_mode_allreduce(const void *in, void *out, pl_mpi_count count,
			     MPI_Datatype type, MPI_Op op, MPI_Comm comm);

#endif
