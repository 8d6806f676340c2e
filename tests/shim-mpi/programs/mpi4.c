/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi4.c - what came with MPI 4: large counts, persistence, parts, sessions */
#include "config.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, n, launched;

static void check(int good, const char *what)
{
	int all;

	MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%s %s\n", all ? "ok" : "not ok", what);
	fflush(stdout);
}

static void check_large_counts(void)
{
	const int next = (rank + 1) % n, before = (rank + n - 1) % n;
	MPI_Count one = 1;
	int got = -1, sum = -1;

	MPI_Sendrecv_c(&rank, one, MPI_INT, next, 1, &got, one, MPI_INT, before, 1, MPI_COMM_WORLD,
		       MPI_STATUS_IGNORE);
	check(got == before, "MPI_Sendrecv_c");
	MPI_Scan_c(&rank, &sum, one, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	check(sum == rank * (rank + 1) / 2, "MPI_Scan_c");
}

static void check_persistent(void)
{
	MPI_Request request;
	int value = 0, sum = -1, good = 1;

	MPI_Bcast_init(&value, 1, MPI_INT, n - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	for (int i = 1; i < 4; i++) {
		value = rank == n - 1 ? i : 0;
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		good &= value == i;
	}
	MPI_Request_free(&request);
	check(good, "MPI_Bcast_init, from the last rank");
	MPI_Scan_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
	check(sum == rank * (rank + 1) / 2, "MPI_Scan_init");
}

static void check_parts(void)
{
	const int next = (rank + 1) % n, before = (rank + n - 1) % n;
	const int out[2] = {rank, rank + 100};
	MPI_Request request[2];
	int in[2] = {-1, -1};

	MPI_Psend_init(out, 2, 1, MPI_INT, next, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
	MPI_Precv_init(in, 2, 1, MPI_INT, before, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
	MPI_Startall(2, request);
	MPI_Pready(1, request[0]);
	MPI_Pready(0, request[0]);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	MPI_Wait(&request[1], MPI_STATUS_IGNORE);
	MPI_Request_free(&request[0]);
	MPI_Request_free(&request[1]);
	check(in[0] == before && in[1] == before + 100,
	      "a message in parts comes from the rank it is from");
}

/* Sessions count as the launcher does, also where the world does not. */
static void check_session(void)
{
	MPI_Session session;
	MPI_Group group, world;
	MPI_Comm comm;
	int mine, as_world, sum = 0;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, "plink", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Comm_rank(comm, &mine);
	check(mine == launched, "a session has the launcher's ranks");
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_translate_ranks(group, 1, &mine, world, &as_world);
	check(as_world == rank, "and its groups can be compared");
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
	check(sum == n * (n - 1) / 2, "its communicators work");
	MPI_Group_free(&world);
	MPI_Group_free(&group);
	MPI_Comm_free(&comm);
	MPI_Session_finalize(&session);
}

int main(int argc, char **argv)
{
	const char *told = getenv("PMI_RANK");

	MPI_Init(&argc, &argv);
	launched = told ? atoi(told) : -1;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	check_large_counts();
	check_persistent();
	check_parts();
	check_session();
	MPI_Finalize();
	return 0;
}
