/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.c - what all processes hold, added up on rank 0 */
#include "config.h"

#include "shim/mpi/stats/tree.h"

#include "base/mem.h"
#include "shim/mpi/world.h"

#include <limits.h>
#include <stdlib.h>

#define TAG 1

/* Its size first; -1 says that there is nothing to be had. */
static void send(MPI_Comm comm, int to, const struct pl_stats_tree *tree, int lost)
{
	size_t bytes = 0;
	void *data = lost ? NULL : tree->give(tree->arg, &bytes);
	int n = data && bytes <= INT_MAX ? (int)bytes : -1;

	PL_MPI_NEXT(PMPI_Send)(&n, 1, MPI_INT, to, TAG, comm);
	if (n > 0)
		PL_MPI_NEXT(PMPI_Send)(data, n, MPI_BYTE, to, TAG, comm);
	free(data);
}

static int receive(MPI_Comm comm, int from, const struct pl_stats_tree *tree)
{
	MPI_Status status;
	void *data;
	int n, rc;

	PL_MPI_NEXT(PMPI_Recv)(&n, 1, MPI_INT, from, TAG, comm, &status);
	if (n <= 0)
		return n;
	data = pl_array_create((size_t)n, 1);
	/* without room only the message's end is lost, not the message */
	PL_MPI_NEXT(PMPI_Recv)
	(data, data ? n : 0, MPI_BYTE, from, TAG, comm, &status);
	rc = data ? tree->take(tree->arg, data, (size_t)n) : -1;
	free(data);
	return rc;
}

int pl_stats_gather(MPI_Comm comm, const struct pl_stats_tree *tree, int lost)
{
	int rank, n;

	/* one that has no memory goes on: the others count on its messages */
	PL_MPI_NEXT(PMPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
	PL_MPI_NEXT(PMPI_Comm_rank)(comm, &rank);
	PL_MPI_NEXT(PMPI_Comm_size)(comm, &n);
	for (int step = 1; step < n; step *= 2) {
		if (rank & step) {
			send(comm, rank - step, tree, lost);
			break;
		}
		if (rank + step < n && receive(comm, rank + step, tree))
			lost = -1;
	}
	return lost;
}
