/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.c - in which communicator of the program a call was made */
/*
 * A communicator carries the number of its group as an attribute, which ends with it. A group is
 * known by its members: communicators that are made and freed over and over again do not add up.
 */
#include "config.h"

#include "shim/mpi/stats/groups.h"

#include "base/mem.h"
#include "shim/mpi/stats/tree.h"
#include "shim/mpi/world.h"
#include "shim/stats/table.h"

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static struct {
	pthread_mutex_t lock; /* threads may use new communicators at once */
	struct pl_stats_groups groups;
	MPI_Group job;
	int n_ranks, keyval;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

void pl_stats_groups_start(MPI_Comm job)
{
	PL_MPI_NEXT(PMPI_Comm_group)(job, &own.job);
	PL_MPI_NEXT(PMPI_Comm_size)(job, &own.n_ranks);
	PL_MPI_NEXT(PMPI_Comm_create_keyval)
	(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &own.keyval, NULL);
}

/* Are these all ranks in their order? */
static bool is_job(const int *member, int n)
{
	int i = 0;

	while (i < n && member[i] == i)
		i++;
	return i == own.n_ranks;
}

static unsigned int number_of(const int *member, int n)
{
	size_t at;

	for (int i = 0; i < n; i++)
		if (n == 1 || member[i] < 0) /* MPI_UNDEFINED: another job's */
			return PL_STATS_GROUP_OTHER;
	if (is_job(member, n))
		return 0;
	pthread_mutex_lock(&own.lock);
	at = pl_stats_groups_add(&own.groups, member, n);
	pthread_mutex_unlock(&own.lock);
	return at == PL_STATS_NO_GROUP ? PL_STATS_GROUP_OTHER : (unsigned int)at + 1;
}

/* The ranks in the job of the @n members. */
static void translate(MPI_Comm comm, int n, int *member, int *rank)
{
	MPI_Group group;

	for (int i = 0; i < n; i++)
		rank[i] = i;
	PL_MPI_NEXT(PMPI_Comm_group)(comm, &group);
	PL_MPI_NEXT(PMPI_Group_translate_ranks)
	(group, n, rank, own.job, member);
	PL_MPI_NEXT(PMPI_Group_free)(&group);
}

static unsigned int find_group(MPI_Comm comm, int n)
{
	int *member = pl_array_create((size_t)n, sizeof(*member));
	int *rank = pl_array_create((size_t)n, sizeof(*rank));
	unsigned int group = PL_STATS_GROUP_OTHER;
	int between = 0;

	PL_MPI_NEXT(PMPI_Comm_test_inter)(comm, &between);
	if (member && rank && !between) {
		translate(comm, n, member, rank);
		group = number_of(member, n);
	}
	free(member);
	free(rank);
	return group;
}

unsigned int pl_stats_group_of(MPI_Comm comm, int *n_ranks)
{
	unsigned int group;
	void *value;
	int found;

	if (comm == MPI_COMM_WORLD) {
		*n_ranks = own.n_ranks;
		return 0;
	}
	PL_MPI_NEXT(PMPI_Comm_size)(comm, n_ranks);
	PL_MPI_NEXT(PMPI_Comm_get_attr)(comm, own.keyval, &value, &found);
	if (found)
		return (unsigned int)(uintptr_t)value;
	group = find_group(comm, *n_ranks);
	PL_MPI_NEXT(PMPI_Comm_set_attr)
	(comm, own.keyval, (void *)(uintptr_t)group);
	return group;
}

void pl_stats_group_ranks(MPI_Comm comm, int n, int *member)
{
	MPI_Group group;

	PL_MPI_NEXT(PMPI_Comm_group)(pl_mpi_enter(comm), &group);
	for (int i = 0; i < n; i++)
		PL_MPI_NEXT(PMPI_Group_translate_ranks)
	(group, 1, &i, own.job, &member[i]);
	PL_MPI_NEXT(PMPI_Group_free)(&group);
}

static void *give(void *arg, size_t *bytes)
{
	size_t n;
	int *packed = pl_stats_groups_pack(arg, &n);

	*bytes = n * sizeof(*packed);
	return packed;
}

static int take(void *arg, const void *data, size_t bytes)
{
	pl_stats_groups_unpack(arg, data, bytes / sizeof(int));
	return 0;
}

/* From rank 0 to all. -1 on all: rank 0 has no memory. */
static int spread(MPI_Comm job, struct pl_stats_groups *all, int rank, int lost)
{
	size_t n = 0;
	int *packed = rank == 0 && !lost ? pl_stats_groups_pack(all, &n) : NULL;
	int length = packed && n <= INT_MAX ? (int)n : -1, lost_here;

	PL_MPI_NEXT(PMPI_Bcast)(&length, 1, MPI_INT, 0, job);
	if (rank != 0 && length >= 0)
		packed = pl_array_create((size_t)length + 1, sizeof(*packed));
	lost_here = length < 0 || !packed;
	PL_MPI_NEXT(PMPI_Allreduce)
	(&lost_here, &lost, 1, MPI_INT, MPI_MAX, job);
	if (!lost) {
		PL_MPI_NEXT(PMPI_Bcast)(packed, length, MPI_INT, 0, job);
		if (rank != 0)
			pl_stats_groups_unpack(all, packed, (size_t)length);
	}
	free(packed);
	return lost ? -1 : 0;
}

int pl_stats_groups_agree(MPI_Comm job, struct pl_stats_groups *all, unsigned int **number)
{
	const struct pl_stats_tree tree = {give, take, all};
	int rank, lost;

	PL_MPI_NEXT(PMPI_Comm_rank)(job, &rank);
	PL_MPI_NEXT(PMPI_Comm_free_keyval)(&own.keyval);
	PL_MPI_NEXT(PMPI_Group_free)(&own.job);
	*number = pl_array_create(own.groups.n + 1, sizeof(**number));
	for (size_t i = 0; i < own.groups.n; i++)
		pl_stats_groups_add(all, own.groups.v[i].member, own.groups.v[i].n);
	lost = pl_stats_gather(job, &tree, *number ? 0 : -1);
	if (rank == 0)
		pl_stats_groups_sort(all);
	else
		pl_stats_groups_fini(all);
	lost = spread(job, all, rank, lost);
	for (size_t i = 0; !lost && i < own.groups.n; i++) {
		const struct pl_stats_group *g = &own.groups.v[i];
		const size_t at = pl_stats_groups_find(all, g->member, g->n);

		(*number)[i] =
			at == PL_STATS_NO_GROUP ? PL_STATS_GROUP_OTHER : (unsigned int)at + 1;
	}
	if (lost) {
		pl_stats_groups_fini(all);
		free(*number);
		*number = NULL;
	}
	pl_stats_groups_fini(&own.groups);
	return lost;
}
