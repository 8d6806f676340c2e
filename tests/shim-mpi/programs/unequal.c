/* SPDX-License-Identifier: BSD-3-Clause */
/* unequal.c - an MPI program whose rank 1 all-reduces fewer elements than the others: each rank
 * says whether it learns that this fails */
#include "config.h"

#include PL_MPI_LIBRARY_H

#include <stdio.h>
#include <string.h>

#define COUNT 20000

static float in[COUNT], out[COUNT];

int main(int argc, char **argv)
{
	int rank, rc;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	rc = MPI_Allreduce(in, out, rank == 1 ? COUNT / 2 : COUNT, MPI_FLOAT, MPI_SUM,
			   MPI_COMM_WORLD);
	memset(in, 1, sizeof(in)); /* nobody may read it any more */
	printf("rank %d: %s\n", rank, rc ? "failed" : "done");
	fflush(stdout);
	MPI_Finalize();
	return 0;
}
