/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c - prints "launch rank:PLINK_HOST:rank in MPI_COMM_WORLD" */
/* With an argument, rank 1 then aborts with that status. */
#include "config.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const char *host = getenv("PLINK_HOST");
	const char *launched = getenv("PMIX_RANK");
	int rank;

	if (!launched)
		launched = getenv("PMI_RANK");
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	printf("%s:%s:%d\n", launched ? launched : "", host ? host : "", rank);
	fflush(stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 1 && rank == 1)
		MPI_Abort(MPI_COMM_WORLD, atoi(argv[1]));
	MPI_Finalize();
	return 0;
}
