/* SPDX-License-Identifier: BSD-3-Clause */
/* mode.h - engine mode: all-reduces by plink's own schedules */
/*
 * Ranks stay, and so do all calls but all-reduces at the sizes for which there is a schedule, on
 * MPI_COMM_WORLD and on communicators of the same processes in the same order. Whether a call is
 * taken depends on its communicator, size, type and operation alone, and on what all processes have
 * agreed on in earlier calls on the communicator: it is the same on all of them.
 *
 * Each communicator has an engine of its own, with its own connections or, with
 * PLINK_TRANSPORT=mpi, a communicator of its own for messages of the library: calls on two of them
 * may be made in any order, in threads or nonblocking. Blocking calls run in the program's thread,
 * the others in a thread of the shim's.
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
 * Collective over MPI_COMM_WORLD: connects all processes that have something to exchange, and
 * starts the mode, which lasts until MPI_Finalize. @shared has the schedules, which rank 0 has
 * checked. With @says, prints what they are. False on all processes if one of them could not; one
 * has said why.
 */
bool pl_engine_mode_begin(const struct pl_mpi_shared *shared, const struct pl_engine_job *job,
			  int limit_s, bool says);

/* The arguments of an all-reduce. */
struct pl_engine_mode_call {
	const void *in;
	void *out;
	pl_mpi_count count;
	MPI_Datatype type;
	MPI_Op op;
	MPI_Comm comm;
};

/*
 * An all-reduce in its three forms, while the mode is on: false if the mode
 * does not take it. *rc becomes its result, with the error raised, and
 * *request the request, which the library knows as one of its own. All but the
 * nonblocking form may have to wait until all processes have come to the call.
 */
bool pl_engine_mode_runs(const struct pl_engine_mode_call *call, int *rc);
bool pl_engine_mode_starts(const struct pl_engine_mode_call *call, MPI_Request *request, int *rc);
bool pl_engine_mode_prepares(const struct pl_engine_mode_call *call, MPI_Request *request, int *rc);

/* A communicator that the library is about to free, and what is known about
 * it: calls on it meanwhile are the library's. */
struct pl_engine_mode_end {
	struct pl_engine_comm *record;
};

/* Before and after the library frees @comm (@freed: it has): nothing is kept
 * of a communicator that is gone. While the mode is on. */
void pl_engine_mode_end_begin(struct pl_engine_mode_end *end, MPI_Comm comm);
void pl_engine_mode_end_done(struct pl_engine_mode_end *end, bool freed);

#endif
