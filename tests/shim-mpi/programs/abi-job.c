/* SPDX-License-Identifier: BSD-3-Clause */
/* abi-job.c - what a program of MPI's standard ABI calls */
#include "config.h"

#include "tests/shim-mpi/programs/abi-job.h"

#include "tests/shim-mpi/programs/abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "-";
}

int abi_job(int argc, char **argv)
{
	struct MPI_ABI_Session *session;
	int rank = -1, given = 0;
	struct {
		uint64_t before;
		struct MPI_ABI_Comm *comm;
		uint64_t after;
	} room = {1, MPI_COMM_NULL, 2};

	if (strcmp(argv[1], "session") == 0) {
		MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
		MPI_Comm_create_from_session(session, &room.comm);
	} else if (strcmp(argv[1], "thread") == 0) {
		MPI_Init_thread(&argc, &argv, 0, &given);
		MPI_Comm_dup(MPI_COMM_WORLD, &room.comm);
	} else {
		MPI_Init(&argc, &argv);
		MPI_Comm_dup(MPI_COMM_WORLD, &room.comm);
	}
	MPI_Comm_rank(room.comm, &rank);
	MPI_Barrier(room.comm);
	MPI_Comm_free(&room.comm);
	if (strcmp(argv[1], "session") == 0)
		MPI_Session_finalize(&session);
	else
		MPI_Finalize();
	if (rank || room.before != 1 || room.comm != MPI_COMM_NULL || room.after != 2)
		printf("not ");
	printf("ok %s %s", variable("OMPI_COMM_WORLD_RANK"), variable("LD_PRELOAD"));
	for (int i = 0; i < argc; i++)
		printf(" [%s]", argv[i]);
	printf("\n");
	return 0;
}
