/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives.c - an MPI program whose collectives compute what they should */
/*
 * As same.c: it asks for what the MPI standard or Open MPI promises, and cannot know where its
 * collectives run. One line a check on standard output, by rank
 * 0. The arguments are how many communicators are to come and go, how many to
 * be there at once, and how many of each thread to come and go.
 */
#include "config.h"

#include "tests/shim-mpi/programs/collectives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, n;

/* By messages: what is checked is the collectives. */
void check(int good, const char *what)
{
	int theirs;

	if (rank > 0)
		MPI_Send(&good, 1, MPI_INT, 0, 77, MPI_COMM_WORLD);
	for (int from = 1; rank == 0 && from < n; from++) {
		MPI_Recv(&theirs, 1, MPI_INT, from, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (!theirs)
			printf("# not on rank %d\n", from);
		good = good && theirs;
	}
	if (rank == 0)
		printf("%s %s\n", good ? "ok" : "not ok", what);
	fflush(stdout);
}

static void check_named(bool good, const char *name, const char *what)
{
	char text[128];

	snprintf(text, sizeof(text), "%s: %s", name, what);
	check(good, text);
}

static void check_on(MPI_Comm comm, const char *name)
{
	check_named(reductions_are_right(comm), name, "reductions");
	check_named(reduces_in_place_are_right(comm), name, "reduces in place");
	check_named(broadcasts_are_right(comm), name, "broadcasts");
	check_named(barriers_are_right(comm), name, "barriers");
	check_named(gathers_are_right(comm), name, "all-gathers");
	check_named(requests_are_right(comm), name, "nonblocking, persistent");
}

static void check_shapes(void)
{
	const int dims[1] = {n}, periods[1] = {1};
	MPI_Comm comm;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	check_on(comm, "a copy");
	MPI_Comm_free(&comm);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
	check_on(comm, "ranks backwards");
	MPI_Comm_free(&comm);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
	check_on(comm, "even and odd ranks");
	MPI_Comm_free(&comm);
	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
	check_on(comm, "a Cartesian ring");
	MPI_Comm_disconnect(&comm);
	check_on(MPI_COMM_SELF, "one process");
}

int main(int argc, char **argv)
{
	int got;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &got);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	check_on(MPI_COMM_WORLD, "the world");
	check_shapes();
	check_lives(argc > 1 ? atoi(argv[1]) : 500);
	check_callbacks(argc > 2 ? atoi(argv[2]) : 300);
	check_between();
	check_wrong();
	if (got == MPI_THREAD_MULTIPLE)
		check_threads(argc > 3 ? atoi(argv[3]) : 100);
	MPI_Finalize();
	return 0;
}
