/* SPDX-License-Identifier: BSD-3-Clause */
/* placed.c - by which rank, and with which root, collectives reach the library */
/*
 *	placed [half]
 *
 * Each process prints "RANK FUNCTION RANK-THERE ROOT-THERE", the root -1 where
 * there is none, for one call of each function that may run on a shadow, its root
 * being rank 0: what calls.c, preloaded behind the shim, tells. With "half" they
 * are calls of every second rank.
 */
#include "config.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

void plink_test_called(const char *name, MPI_Comm comm, int root);

static bool is_told;
static int launched;

void plink_test_called(const char *name, MPI_Comm comm, int root)
{
	int rank;

	if (!is_told)
		return;
	PMPI_Comm_rank(comm, &rank);
	printf("%d %s %d %d\n", launched, name, rank, root);
	fflush(stdout);
}

enum { N = 1000 };
static int in[N], out[16 * N];
static MPI_Request request;

static void wait(void)
{
	is_told = false;
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	is_told = true;
}

static void run(void)
{
	MPI_Start(&request);
	wait();
	MPI_Request_free(&request);
}

static void call(MPI_Comm comm)
{
	MPI_Allreduce(in, out, N, MPI_INT, MPI_SUM, comm);
	MPI_Bcast(in, N, MPI_INT, 0, comm);
	MPI_Reduce(in, out, N, MPI_INT, MPI_SUM, 0, comm);
	MPI_Allgather(in, N, MPI_INT, out, N, MPI_INT, comm);
	MPI_Barrier(comm);
	MPI_Iallreduce(in, out, N, MPI_INT, MPI_SUM, comm, &request);
	wait();
	MPI_Ibcast(in, N, MPI_INT, 0, comm, &request);
	wait();
	MPI_Ireduce(in, out, N, MPI_INT, MPI_SUM, 0, comm, &request);
	wait();
	MPI_Ibarrier(comm, &request);
	wait();
}

static void call_large(MPI_Comm comm)
{
	MPI_Allreduce_c(in, out, N, MPI_INT, MPI_SUM, comm);
	MPI_Bcast_c(in, N, MPI_INT, 0, comm);
	MPI_Reduce_c(in, out, N, MPI_INT, MPI_SUM, 0, comm);
	MPI_Allgather_c(in, N, MPI_INT, out, N, MPI_INT, comm);
	MPI_Iallreduce_c(in, out, N, MPI_INT, MPI_SUM, comm, &request);
	wait();
	MPI_Ibcast_c(in, N, MPI_INT, 0, comm, &request);
	wait();
	MPI_Ireduce_c(in, out, N, MPI_INT, MPI_SUM, 0, comm, &request);
	wait();
}

static void call_persistent(MPI_Comm comm)
{
	const MPI_Info info = MPI_INFO_NULL;

	MPI_Allreduce_init(in, out, N, MPI_INT, MPI_SUM, comm, info, &request);
	run();
	MPI_Bcast_init(in, N, MPI_INT, 0, comm, info, &request);
	run();
	MPI_Reduce_init(in, out, N, MPI_INT, MPI_SUM, 0, comm, info, &request);
	run();
	MPI_Barrier_init(comm, info, &request);
	run();
	MPI_Allreduce_init_c(in, out, N, MPI_INT, MPI_SUM, comm, info,
			     &request);
	run();
	MPI_Bcast_init_c(in, N, MPI_INT, 0, comm, info, &request);
	run();
	MPI_Reduce_init_c(in, out, N, MPI_INT, MPI_SUM, 0, comm, info,
			  &request);
	run();
}

int main(int argc, char **argv)
{
	MPI_Comm comm = MPI_COMM_WORLD;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(comm, &launched);
	if (argc > 1)
		MPI_Comm_split(MPI_COMM_WORLD, launched % 2, launched, &comm);
	MPI_Barrier(comm); /* it may make communicators */
	is_told = true;
	call(comm);
	call_large(comm);
	call_persistent(comm);
	is_told = false;
	if (argc > 1)
		MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
