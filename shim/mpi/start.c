/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - from a plan to the permuted world */
/*
 * Whatever is decided here is decided from the same data on all processes, so that all do the same:
 * a world is split by all or by none.
 */
#include "config.h"

#include "shim/mpi/world.h"

#include "base/mem.h"
#include "base/text/size.h"
#include "shim/mpi/engine/mode.h"
#include "shim/mpi/library.h"
#include "shim/mpi/load.h"
#include "shim/mpi/refuse.h"
#include "shim/mpi/shadow/shadow.h"
#include "shim/mpi/share.h"
#include "shim/mpi/stats/stats.h"
#include "shim/mpi/topology/network.h"
#include "shim/plan.h"
#include "shim/ranks.h"
#include "shim/say.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_DEFAULT_S 30
#define LIMIT_MAX_S 86400

/* The job, indexed by the rank that the launcher gave. */
struct job {
	int rank, n;
	int *host_of;  /* [n]: host of the plan, or what pl_mpi_find_host says */
	int *new_rank; /* [n] */
};

/* Seconds that the other processes have to answer. */
static int limit_s(void)
{
	const char *s = getenv("PLINK_MPI_TIMEOUT");
	double ns = 0;

	if (s && *s && !pl_time_parse(s, 1e9, &ns) && ns >= 1e9 && ns <= LIMIT_MAX_S * 1e9)
		return (int)(ns / 1e9);
	if (s && *s && pl_mpi_is_first())
		pl_shim_say("PLINK_MPI_TIMEOUT must be a time from 1s to %ds, as 30 or 2m, not "
			    "\"%s\"; using %d",
			    LIMIT_MAX_S, s, LIMIT_DEFAULT_S);
	return LIMIT_DEFAULT_S;
}

/* What mpirun itself reads, and the rank within the host, stay as they are. */
void pl_mpi_tell_rank(const char *rank)
{
	const char *told = getenv(PL_MPI_RANK_VARIABLE);

	if (told && rank && strcmp(told, rank) != 0)
		setenv(PL_MPI_RANK_VARIABLE, rank, 1);
}

/* Processes that others have spawned keep their ranks: theirs and their parents' views of one
 * another must agree. */
static bool is_spawned(void)
{
	MPI_Comm parent;

	PMPI_Comm_get_parent(&parent);
	return parent != MPI_COMM_NULL;
}

static void job_fini(struct job *job)
{
	free(job->host_of);
	free(job->new_rank);
}

static void job_init(struct job *job)
{
	PMPI_Comm_rank(MPI_COMM_WORLD, &job->rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &job->n);
	job->host_of = pl_array_create((size_t)job->n, sizeof(int));
	job->new_rank = pl_array_create((size_t)job->n, sizeof(int));
	if (!job->host_of || !job->new_rank)
		pl_mpi_no_memory();
}

/* The lowest rank whose host is not known, or n. */
static int first_fault(const struct job *job)
{
	int rank = 0;

	while (rank < job->n && job->host_of[rank] >= 0)
		rank++;
	return rank;
}

static int number(struct job *job, const struct pl_mpi_shared *shared, const struct pl_plan *plan,
		  struct pl_err *err)
{
	const size_t n = (size_t)job->n;

	if (shared->mode == PL_MPI_MODE_ENGINE &&
	    pl_shim_check_all(&plan->hosts, job->host_of, n, err))
		return -1;
	return pl_shim_ranks(plan, job->host_of, n, job->new_rank, err);
}

/* Fills new_rank. 0, or -1 on all processes, one of which has said why. */
static int place(struct job *job, const struct pl_mpi_shared *shared, struct pl_plan *plan)
{
	const int mine = pl_mpi_find_host(shared, plan);
	struct pl_err err = {0};
	int speaker = 0;

	PMPI_Allgather(&mine, 1, MPI_INT, job->host_of, 1, MPI_INT, MPI_COMM_WORLD);
	if (first_fault(job) < job->n) {
		speaker = first_fault(job);
		pl_mpi_host_fault(shared, plan, job->rank, mine, &err);
	} else if (number(job, shared, plan, &err) == 0) {
		return 0;
	} else if (err.code == PL_ESYSTEM) {
		pl_mpi_no_memory();
	}
	pl_mpi_refuse(shared, job->rank == speaker ? &err : NULL);
	return -1;
}

static void say_ranks(const struct job *job, const struct pl_mpi_shared *shared,
		      const struct pl_plan *plan)
{
	const struct pl_order *order = &plan->order[0];
	char gain[PL_GAIN_CHARS];

	pl_shim_say("mode world, %s: %s %s %s%s; launch rank -> rank, host", shared->path,
		    order->collective, order->algorithm, order->impl, pl_shim_gain(gain, order));
	for (int rank = 0; rank < job->n; rank++)
		pl_shim_say("%d -> %d %s", rank, job->new_rank[rank],
			    plan->hosts.v[job->host_of[rank]].name);
}

static void tell_rank(int rank)
{
	char value[16];

	snprintf(value, sizeof(value), "%d", rank);
	pl_mpi_tell_rank(value);
}

static void permute(const struct job *job)
{
	const int new_rank = job->new_rank[job->rank];
	MPI_Comm world;

	PMPI_Comm_split(MPI_COMM_WORLD, 0, new_rank, &world);
	pl_mpi_set_world(world);
	tell_rank(new_rank);
}

/* What the job's statistics say of it. */
static void describe(struct pl_stats_job *stats, const struct pl_mpi_shared *shared,
		     const struct pl_order *order)
{
	static const char *const names[] = {
		[PL_MPI_MODE_WORLD] = "world",
		[PL_MPI_MODE_SHADOW] = "shadow",
		[PL_MPI_MODE_ENGINE] = "engine",
	};

	stats->mode = names[shared->mode];
	snprintf(stats->plan, sizeof(stats->plan), "%s", shared->path);
	snprintf(stats->order, sizeof(stats->order), "%s %s %s", order->collective,
		 order->algorithm, order->impl);
}

static void reorder_world(const struct job *job, const struct pl_mpi_shared *shared,
			  const struct pl_plan *plan, struct pl_stats_job *stats)
{
	const bool says = shared->verbose && job->rank == 0;

	if (says)
		say_ranks(job, shared, plan);
	if (!pl_shim_is_identity(job->new_rank, (size_t)job->n)) {
		permute(job);
		describe(stats, shared, &plan->order[0]);
	} else if (says) {
		pl_shim_say("no rank changes: standing aside");
	}
}

static void shadow(struct job *job, const struct pl_mpi_shared *shared, struct pl_plan *plan,
		   struct pl_stats_job *stats)
{
	const bool says = shared->verbose && job->rank == 0;
	struct pl_stats_job described = *stats;

	describe(&described, shared, &plan->order[0]);
	if (pl_shadow_begin_take(plan, &job->host_of, says ? shared->path : NULL))
		*stats = described;
}

static void run_schedules(const struct job *job, const struct pl_mpi_shared *shared,
			  const struct pl_plan *plan, struct pl_stats_job *stats)
{
	const struct pl_engine_job numbered = {.rank = job->rank,
					       .n = job->n,
					       .number = job->new_rank,
					       .host = job->host_of[job->rank]};

	if (pl_engine_mode_begin(shared, &numbered, limit_s(), shared->verbose && job->rank == 0))
		describe(stats, shared, &plan->order[0]);
}

/* Grids and graphs follow the plan's costs; schedules have none. */
static void begin_topologies(const struct job *job, const struct pl_mpi_shared *shared,
			     const struct pl_plan *plan)
{
	pl_topo_begin(plan, job->host_of, shared->mode == PL_MPI_MODE_WORLD ? job->new_rank : NULL,
		      job->n, shared->verbose);
}

static void reorder(struct job *job, const struct pl_mpi_shared *shared, struct pl_stats_job *stats)
{
	struct pl_plan plan = {0};

	if (place(job, shared, &plan) == 0) {
		begin_topologies(job, shared, &plan);
		if (shared->mode == PL_MPI_MODE_WORLD)
			reorder_world(job, shared, &plan, stats);
		else if (shared->mode == PL_MPI_MODE_ENGINE)
			run_schedules(job, shared, &plan, stats);
		else
			shadow(job, shared, &plan, stats);
	}
	pl_plan_fini(&plan);
}

void pl_mpi_start(void)
{
	struct pl_mpi_shared shared = {0};
	struct pl_stats_job stats = {.mode = pl_mpi_is_off() ? "off" : "aside"};
	struct job job = {0};

	if (!pl_mpi_is_our_library() || (pl_mpi_is_off() && !pl_stats_is_wanted()) || is_spawned())
		return;
	pl_mpi_check_present(limit_s());
	job_init(&job);
	pl_mpi_share(&shared, job.rank);
	if (shared.text)
		reorder(&job, &shared, &stats);
	if (pl_mpi_is_aside())
		tell_rank(job.rank); /* early.c may have told another */
	if (shared.counted)
		pl_stats_start(&stats);
	pl_mpi_shared_fini(&shared);
	job_fini(&job);
}
