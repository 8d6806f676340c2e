/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - PLINK_STATS: what a job calls, and how long that takes */
#include "config.h"

#include "shim/mpi/stats/stats.h"

#include "shim/mpi/stats/gather.h"
#include "shim/mpi/world.h"
#include "shim/say.h"
#include "shim/stats/leave.h"
#include "shim/stats/table.h"

#include <stddef.h>
#include <stdlib.h>

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

/* Collective. */
static void finish(void)
{
	struct pl_stats_sums sums = {0};
	const double tick_s = pl_stats_clock_tick_s(&run.start);
	int lost, rank;

	run.job.ended = time(NULL);
	run.job.seconds = 1e-9 * (double)(pl_clock_ns() - run.start.ns);
	lost = pl_stats_sums_own(&sums, tick_s);
	lost = pl_stats_gather(run.comm, &sums, lost);
	PL_MPI_NEXT(PMPI_Comm_rank)(run.comm, &rank);
	if (rank == 0 && lost)
		pl_shim_say("out of memory; no statistics (PLINK_STATS)");
	else if (rank == 0)
		pl_stats_leave(run.path, &run.job, &sums);
	pl_stats_sums_fini(&sums);
	PL_MPI_NEXT(PMPI_Comm_free)(&run.comm);
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first, the latest first:
 * so this comes after the program's own, and all is still there. */
static int at_finalize(MPI_Comm self, int keyval, void *value, void *extra)
{
	(void)self;
	(void)keyval;
	(void)value;
	(void)extra;
	if (pl_stats_on) {
		pl_stats_on = false;
		finish();
	}
	return MPI_SUCCESS;
}

static void watch_finalize(void)
{
	int keyval;

	PL_MPI_NEXT(PMPI_Comm_create_keyval)
	(MPI_COMM_NULL_COPY_FN, at_finalize, &keyval, NULL);
	PL_MPI_NEXT(PMPI_Comm_set_attr)(MPI_COMM_SELF, keyval, NULL);
	PL_MPI_NEXT(PMPI_Comm_free_keyval)(&keyval);
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
	watch_finalize();
	pl_stats_on = true;
}
