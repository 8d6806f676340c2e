/* SPDX-License-Identifier: BSD-3-Clause */
/* renewed.c - an MPI program that all-reduces for so many seconds, each time
 * while another all-reduce is under way, and says how many were wrong; one
 * process makes a call that fails, and communicators come and go */
#include "config.h"

#include PL_MPI_LIBRARY_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT 64

static int n_ranks, rank;

static void fill(int *to, int round)
{
	for (int i = 0; i < COUNT; i++)
		to[i] = round + i * rank;
}

static int is_wrong(const int *sum, int round)
{
	for (int i = 0; i < COUNT; i++)
		if (sum[i] != n_ranks * round + i * n_ranks * (n_ranks - 1) / 2)
			return 1;
	return 0;
}

/* A call that fails in one process alone (and ends one of MPICH's). */
#ifdef OPEN_MPI
static void fail(void)
{
	int in = 0, out;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if (rank == 1)
		MPI_Allreduce(&in, &out, -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
#endif

/* On a communicator of its own, which some processes first use before the
 * world's call, others after it: then a blocking call. */
static long meet_apart(int round)
{
	int in[COUNT], out[COUNT];
	MPI_Request started;
	MPI_Comm copy;
	long n_wrong;

	fill(in, round);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	if (rank % 2)
		MPI_Iallreduce(in, out, COUNT, MPI_INT, MPI_SUM, copy, &started);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank % 2 == 0)
		MPI_Iallreduce(in, out, COUNT, MPI_INT, MPI_SUM, copy, &started);
	MPI_Wait(&started, MPI_STATUS_IGNORE);
	n_wrong = is_wrong(out, round);
	MPI_Allreduce(in, out, COUNT, MPI_INT, MPI_SUM, copy);
	MPI_Comm_free(&copy);
	return n_wrong + is_wrong(out, round);
}

/* Seconds of a call in the last second, on rank 0. */
static double run(double seconds, const char *stop, long *n_wrong)
{
	int in[2][COUNT], out[2][COUNT], go = 1;
	const double end = MPI_Wtime() + seconds;
	double took = 0, begin;
	long n_late = 0;
	MPI_Request started;

	for (int round = 0; go; round++) {
		fill(in[0], round);
		fill(in[1], round + 1);
		MPI_Iallreduce(in[0], out[0], COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &started);
		begin = MPI_Wtime();
		MPI_Allreduce(in[1], out[1], COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		if (begin > end - 1) {
			took += MPI_Wtime() - begin;
			n_late++;
		}
		MPI_Wait(&started, MPI_STATUS_IGNORE);
		*n_wrong += is_wrong(out[0], round) + is_wrong(out[1], round + 1);
		if (round % 32 == 0)
			*n_wrong += meet_apart(round);
		usleep(500); /* so that other tests have processors, too */
		go = MPI_Wtime() < end && !(stop && access(stop, F_OK) == 0);
		MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
	return n_late ? took / (double)n_late : 0;
}

int main(int argc, char **argv)
{
	long n_wrong = 0, all_wrong;
	double took;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
#ifdef OPEN_MPI
	fail();
#endif
	took = run(argc > 1 ? atof(argv[1]) : 1, argc > 2 ? argv[2] : NULL, &n_wrong);
	MPI_Allreduce(&n_wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%ld wrong; %.0f us\n", all_wrong, took * 1e6);
	MPI_Finalize();
	return 0;
}
