/* SPDX-License-Identifier: BSD-3-Clause */
/* told.c - prints "launch rank:OMPI_COMM_WORLD_RANK before
 * MPI_Init:after:rank" */
/* With arguments, it is a parent that spawns one process of them, and waits. */
#include "config.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

static void spawn(char **argv)
{
	MPI_Comm between;

	MPI_Comm_spawn(argv[1], argv + 2, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
		       MPI_ERRCODES_IGNORE);
	MPI_Comm_disconnect(&between);
}

int main(int argc, char **argv)
{
	char before[32];
	MPI_Comm parent;
	int rank;

	snprintf(before, sizeof(before), "%s", variable("OMPI_COMM_WORLD_RANK"));
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_get_parent(&parent);
	printf("%s%s:%s:%s:%d\n", parent == MPI_COMM_NULL ? "" : "child ", variable("PMIX_RANK"),
	       before, variable("OMPI_COMM_WORLD_RANK"), rank);
	if (parent != MPI_COMM_NULL)
		MPI_Comm_disconnect(&parent);
	else if (argc > 1)
		spawn(argv);
	MPI_Finalize();
	return 0;
}
