/* SPDX-License-Identifier: BSD-3-Clause */
/* placed.c - by which rank, and with which root, collectives reach the
 * library */
/*
 *	placed [half | one]
 *
 * Each process prints "RANK FUNCTION RANK-THERE ROOT-THERE", the root -1 where
 * there is none, for one call of each function that may run on a shadow, its
 * root being rank 0: what calls.c, preloaded behind the shim, tells. With
 * "half" they are calls of every second rank. With "one" it is a reduce alone,
 * in whose root input and result are one buffer.
 */
#include "config.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
	MPI_Allreduce_init_c(in, out, N, MPI_INT, MPI_SUM, comm, info, &request);
	run();
	MPI_Bcast_init_c(in, N, MPI_INT, 0, comm, info, &request);
	run();
	MPI_Reduce_init_c(in, out, N, MPI_INT, MPI_SUM, 0, comm, info, &request);
	run();
}

static void add_nothing(void *one, void *both, int *count, MPI_Datatype *type)
{
	(void)one;
	(void)both;
	(void)count;
	(void)type;
}

/* Of elements in which nothing is, as MPICH may check once more what it
 * copies. */
static void call_with_one(MPI_Comm comm)
{
	MPI_Datatype nothing;
	MPI_Op op;

	MPI_Type_contiguous(0, MPI_INT, &nothing);
	MPI_Type_commit(&nothing);
	MPI_Op_create(add_nothing, 1, &op);
	MPI_Reduce(in, launched == 0 ? in : out, N, nothing, op, 0, comm);
	MPI_Op_free(&op);
	MPI_Type_free(&nothing);
}

static void call_each(MPI_Comm comm)
{
	MPI_Barrier(comm); /* it may make communicators */
	is_told = true;
	call(comm);
	call_large(comm);
	call_persistent(comm);
	is_told = false;
}

int main(int argc, char **argv)
{
	MPI_Comm comm = MPI_COMM_WORLD;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(comm, &launched);
	if (argc > 1 && strcmp(argv[1], "half") == 0)
		MPI_Comm_split(comm, launched % 2, launched, &comm);
	else
		MPI_Comm_dup(comm, &comm);
	if (argc > 1 && strcmp(argv[1], "one") == 0) {
		is_told = true;
		call_with_one(comm);
		is_told = false;
	} else {
		call_each(comm);
	}
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
