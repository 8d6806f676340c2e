/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - PLINK_STATS: what a job calls, and how long that takes */
#include "config.h"

#include "shim/mpi/stats/stats.h"

#include "base/mem.h"
#include "shim/mpi/world.h"
#include "shim/say.h"
#include "shim/stats/table.h"

#include <stddef.h>
#include <stdlib.h>

#define TAG 1 /* of the messages by which counts are gathered */

bool pl_stats_on;

/* Known to all processes alike, but for the times. */
static struct {
	char path[PATH_MAX];
	struct pl_stats_job job;
	struct pl_stats_moment start;
	MPI_Comm comm; /* the library's own, by the program's ranks */
} run;

void pl_stats_note(unsigned int call, MPI_Comm comm, uint64_t bytes,
		   uint64_t ticks)
{
	int n = run.job.n_ranks;

	/* asking takes no longer than a look-up that knows when a handle is
	 * given to another communicator */
	if (comm != MPI_COMM_WORLD)
		PL_MPI_NEXT(PMPI_Comm_size)(comm, &n);
	pl_stats_count(pl_stats_key(call, n, bytes), bytes, ticks);
}

/* The file's name, of the launcher's rank 0, to all. -1 on all: there is
 * none. */
static int agree_on_path(void)
{
	int rank;

	PL_MPI_NEXT(PMPI_Comm_rank)(MPI_COMM_WORLD, &rank);
	if (rank == 0 && pl_stats_path(run.path, getenv("PLINK_STATS"))) {
		pl_shim_say("PLINK_STATS: the name is too long; no statistics");
		run.path[0] = '\0';
	}
	PL_MPI_NEXT(PMPI_Bcast)
	(run.path, (int)sizeof(run.path), MPI_BYTE, 0, MPI_COMM_WORLD);
	return run.path[0] ? 0 : -1;
}

/* Its size first; -1 says that there is nothing to be had. */
static void send(MPI_Comm comm, int to, const struct pl_stats_sums *sums,
		 int lost)
{
	const size_t bytes = sums->n * sizeof(*sums->v);
	int n = lost ? -1 : (int)bytes;

	PL_MPI_NEXT(PMPI_Send)(&n, 1, MPI_INT, to, TAG, comm);
	if (n > 0)
		PL_MPI_NEXT(PMPI_Send)(sums->v, n, MPI_BYTE, to, TAG, comm);
}

static int receive(MPI_Comm comm, int from, struct pl_stats_sums *sums)
{
	struct pl_stats_sums theirs = {0};
	MPI_Status status;
	int n, rc;

	PL_MPI_NEXT(PMPI_Recv)(&n, 1, MPI_INT, from, TAG, comm, &status);
	if (n <= 0)
		return n;
	theirs.n = theirs.room = (size_t)n / sizeof(*theirs.v);
	theirs.v = pl_array_create(theirs.n, sizeof(*theirs.v));
	/* without room only the message's end is lost, not the message */
	PL_MPI_NEXT(PMPI_Recv)
	(theirs.v, theirs.v ? n : 0, MPI_BYTE, from, TAG, comm, &status);
	rc = theirs.v ? pl_stats_sums_add(sums, &theirs) : -1;
	pl_stats_sums_fini(&theirs);
	return rc;
}

/*
 * Collective over @comm, on which nothing else happens: adds the @sums of all
 * processes to those of rank 0. @lost is -1 in a process that has lost its own
 * @sums, otherwise 0. On rank 0, returns 0, or -1: the sums of a process are
 * missing, and @sums is incomplete. On other ranks, neither the result nor
 * @sums means anything. Up a binomial tree, added on the way: what a process
 * holds does not grow with the job, but with the number of different calls.
 */
static int gather(MPI_Comm comm, struct pl_stats_sums *sums, int lost)
{
	int rank, n;

	/* one that has no memory goes on: the others count on its messages */
	PL_MPI_NEXT(PMPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
	PL_MPI_NEXT(PMPI_Comm_rank)(comm, &rank);
	PL_MPI_NEXT(PMPI_Comm_size)(comm, &n);
	for (int step = 1; step < n; step *= 2) {
		if (rank & step) {
			send(comm, rank - step, sums, lost);
			break;
		}
		if (rank + step < n && receive(comm, rank + step, sums))
			lost = -1;
	}
	return lost;
}

/* Collective. */
static void finish(void)
{
	struct pl_stats_sums sums = {0};
	const double tick_s = pl_stats_clock_tick_s(&run.start);
	int lost, rank;

	pl_stats_on = false;
	run.job.ended = time(NULL);
	run.job.seconds = 1e-9 * (double)(pl_clock_ns() - run.start.ns);
	lost = pl_stats_sums_own(&sums, tick_s);
	lost = gather(run.comm, &sums, lost);
	PL_MPI_NEXT(PMPI_Comm_rank)(run.comm, &rank);
	if (rank == 0 && lost)
		pl_shim_say("out of memory; no statistics (PLINK_STATS)");
	else if (rank == 0)
		pl_stats_leave(run.path, &run.job, &sums);
	pl_stats_sums_fini(&sums);
	PL_MPI_NEXT(PMPI_Comm_free)(&run.comm);
}

void pl_stats_start(const struct pl_stats_job *job)
{
	run.job = *job;
	if (agree_on_path())
		return;
	PL_MPI_NEXT(PMPI_Comm_dup)(pl_mpi_world, &run.comm);
	PL_MPI_NEXT(PMPI_Comm_size)(run.comm, &run.job.n_ranks);
	run.job.calls = pl_stats_calls;
	run.job.started = time(NULL);
	run.start = pl_stats_clock_start(true);
	run.job.clock = pl_stats_has_counter ? "tsc" : "monotonic";
	pl_mpi_at_finalize(finish);
	pl_stats_on = true;
}
