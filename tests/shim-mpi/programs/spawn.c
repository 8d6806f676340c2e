/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.c - a program that starts two more processes of itself */
/* spawn [COMMAND ARGUMENT]: they are started as COMMAND ARGUMENT spawn. */
#include "config.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define N_CHILDREN 2

/* Each parent sends its rank to every child, and is sent theirs. */
static int swap_ranks(MPI_Comm between, int rank, int n_remote)
{
	int right = 1;

	for (int i = 0; i < n_remote; i++) {
		int got = -1;

		MPI_Sendrecv(&rank, 1, MPI_INT, i, 7, &got, 1, MPI_INT, i, 7, between,
			     MPI_STATUS_IGNORE);
		right &= got == i;
	}
	return right;
}

static void report(const char *who, int good, int rank, MPI_Comm comm)
{
	int all;

	MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_LAND, comm);
	if (rank == 0)
		printf("%s %s know the others by their ranks\n", all ? "ok" : "not ok", who);
}

static void start_more(int argc, char **argv, MPI_Comm *between)
{
	char *through[] = {argc > 2 ? argv[2] : NULL, argv[0], NULL};

	MPI_Comm_spawn(argc > 2 ? argv[1] : argv[0], argc > 2 ? through : MPI_ARGV_NULL, N_CHILDREN,
		       MPI_INFO_NULL, 0, MPI_COMM_WORLD, between, MPI_ERRCODES_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_Comm between, all;
	int rank, n_remote, merged;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_get_parent(&between);
	const int is_child = between != MPI_COMM_NULL;

	if (!is_child)
		start_more(argc, argv, &between);
	MPI_Comm_remote_size(between, &n_remote);
	report(is_child ? "children" : "parents", swap_ranks(between, rank, n_remote), rank,
	       MPI_COMM_WORLD);
	/* parents first, in their order */
	MPI_Intercomm_merge(between, is_child, &all);
	MPI_Comm_rank(all, &merged);
	report(is_child ? "merged children" : "merged parents",
	       merged == (is_child ? n_remote : 0) + rank, rank, MPI_COMM_WORLD);
	MPI_Comm_free(&all);
	MPI_Comm_disconnect(&between);
	MPI_Finalize();
	return 0;
}
