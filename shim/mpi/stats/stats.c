/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - PLINK_STATS: what a job calls, and how long that takes */
#include "config.h"

#include "shim/mpi/stats/stats.h"

#include "base/mem.h"
#include "shim/mpi/stats/groups.h"
#include "shim/mpi/stats/noise.h"
#include "shim/mpi/stats/tree.h"
#include "shim/mpi/world.h"
#include "shim/say.h"
#include "shim/stats/table.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool pl_stats_on;

/* Known to all processes alike, but for the times. */
static struct {
	struct {
		char path[PATH_MAX]; /* "": there is none */
		struct pl_stats_noise_setting noise;
	} asked;
	struct pl_stats_job job;
	struct pl_stats_moment start;
	MPI_Comm comm; /* the library's own, by the program's ranks */
} run;

void pl_stats_note(unsigned int call, MPI_Comm comm, uint64_t bytes, uint64_t ticks)
{
	int n;
	const unsigned int group = pl_stats_group_of(comm, &n);

	pl_stats_count(pl_stats_key(call, n, group, bytes), bytes, ticks);
}

static void read_setting(void)
{
	struct pl_stats_noise_setting *noise = &run.asked.noise;
	char name[PATH_MAX];

	if (pl_stats_setting_parse(name, getenv("PLINK_STATS"), &noise->options) ||
	    pl_stats_path(run.asked.path, name)) {
		pl_shim_say("PLINK_STATS: the name is too long; no statistics");
		run.asked.path[0] = '\0';
	} else if (noise->options.every) {
		pl_stats_noise_read_setting(noise, run.asked.path);
	}
}

/* What is asked for, of the launcher's rank 0, to all. -1 on all: there is no file. */
static int agree_on_setting(void)
{
	int rank;

	PL_MPI_NEXT(PMPI_Comm_rank)(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		read_setting();
	PL_MPI_NEXT(PMPI_Bcast)
	(&run.asked, (int)sizeof(run.asked), MPI_BYTE, 0, MPI_COMM_WORLD);
	return run.asked.path[0] ? 0 : -1;
}

static void *give(void *arg, size_t *bytes)
{
	const struct pl_stats_sums *sums = arg;
	void *copy = pl_array_create(sums->n + 1, sizeof(*sums->v));

	*bytes = sums->n * sizeof(*sums->v);
	if (copy && sums->n > 0)
		memcpy(copy, sums->v, *bytes);
	return copy;
}

static int take(void *arg, const void *data, size_t bytes)
{
	struct pl_stats_sums theirs = {.n = bytes / sizeof(*theirs.v)};
	int rc;

	theirs.v = pl_array_create(theirs.n, sizeof(*theirs.v));
	if (!theirs.v)
		return -1;
	memcpy(theirs.v, data, bytes);
	rc = pl_stats_sums_add(arg, &theirs);
	free(theirs.v);
	return rc;
}

/* Collective: groups get the same numbers everywhere, or none. */
static void number_groups(struct pl_stats_sums *sums, struct pl_stats_groups *groups)
{
	unsigned int *number = NULL;

	if (pl_stats_groups_agree(run.comm, groups, &number) == 0)
		run.job.groups = groups;
	pl_stats_sums_regroup(sums, number);
	free(number);
}

/* Collective. */
static void finish(void)
{
	struct pl_stats_sums sums = {0};
	const struct pl_stats_tree tree = {give, take, &sums};
	struct pl_stats_groups groups = {0};
	const double tick_s = pl_stats_clock_tick_s(&run.start);
	int lost, rank;

	pl_stats_on = false;
	pl_stats_noise_stop();
	run.job.ended = time(NULL);
	run.job.seconds = 1e-9 * (double)(pl_clock_ns() - run.start.ns);
	lost = pl_stats_sums_own(&sums, tick_s);
	number_groups(&sums, &groups);
	lost = pl_stats_gather(run.comm, &tree, lost);
	PL_MPI_NEXT(PMPI_Comm_rank)(run.comm, &rank);
	if (rank == 0 && lost)
		pl_shim_say("out of memory; no statistics (PLINK_STATS)");
	else if (rank == 0)
		pl_stats_leave(run.asked.path, &run.job, &sums);
	pl_stats_sums_fini(&sums);
	pl_stats_groups_fini(&groups);
	PL_MPI_NEXT(PMPI_Comm_free)(&run.comm);
}

void pl_stats_start(const struct pl_stats_job *job)
{
	run.job = *job;
	if (agree_on_setting())
		return;
	PL_MPI_NEXT(PMPI_Comm_dup)(pl_mpi_world, &run.comm);
	PL_MPI_NEXT(PMPI_Comm_size)(run.comm, &run.job.n_ranks);
	pl_stats_groups_start(run.comm);
	run.job.calls = pl_stats_calls;
	run.job.started = time(NULL);
	run.start = pl_stats_clock_start(true);
	run.job.clock = pl_stats_has_counter ? "tsc" : "monotonic";
	pl_stats_noise_start(&run.asked.noise);
	pl_mpi_at_finalize(finish);
	pl_stats_on = true;
}
