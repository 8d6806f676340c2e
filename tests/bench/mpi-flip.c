/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-flip.c - preload: an MPI library whose float sums are wrong in one
 * place */
/*
 * Stands for a library (or something put in front of it) that is broken: rank PLINK_FLIP_RANK gets
 * one element wrong in every all-reduce of floats.
 */
#include "config.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int is_flipper(MPI_Comm comm)
{
	const char *wanted = getenv("PLINK_FLIP_RANK");
	int rank;

	PMPI_Comm_rank(comm, &rank);
	return wanted && strtol(wanted, NULL, 10) == rank;
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	const int rc = PMPI_Allreduce(in, out, n, type, op, comm);

	if (type == MPI_FLOAT && n > 0 && is_flipper(comm))
		((float *)out)[n - 1] += 1;
	return rc;
}
