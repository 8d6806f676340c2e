/* SPDX-License-Identifier: BSD-3-Clause */
/* gather.c - the counts of all processes come to one */
/* Up a binomial tree, added on the way: what a process holds does not grow with
 * the job, but with the number of different calls. */
#include "config.h"

#include "shim/mpi/stats/gather.h"

#include "base/mem.h"
#include "shim/mpi/world.h"

#define TAG 1

/* Its size first; -1 says that there is nothing to be had. */
static void send(MPI_Comm comm, int to, const struct pl_stats_sums *sums,
		 int lost)
{
	const size_t bytes = sums->n * sizeof(*sums->v);
	int n = lost ? -1 : (int)bytes;

	PL_MPI_NEXT(PMPI_Send)(&n, 1, MPI_INT, to, TAG, comm);
	if (n > 0)
		PL_MPI_NEXT(PMPI_Send)(sums->v, n, MPI_BYTE, to, TAG, comm);
}

static int receive(MPI_Comm comm, int from, struct pl_stats_sums *sums)
{
	struct pl_stats_sums theirs = {0};
	MPI_Status status;
	int n, rc;

	PL_MPI_NEXT(PMPI_Recv)(&n, 1, MPI_INT, from, TAG, comm, &status);
	if (n <= 0)
		return n;
	theirs.n = theirs.room = (size_t)n / sizeof(*theirs.v);
	theirs.v = pl_array_create(theirs.n, sizeof(*theirs.v));
	/* without room only the message's end is lost, not the message */
	PL_MPI_NEXT(PMPI_Recv)
	(theirs.v, theirs.v ? n : 0, MPI_BYTE, from, TAG, comm, &status);
	rc = theirs.v ? pl_stats_sums_add(sums, &theirs) : -1;
	pl_stats_sums_fini(&theirs);
	return rc;
}

int pl_stats_gather(MPI_Comm comm, struct pl_stats_sums *sums, int lost)
{
	int rank, n;

	/* one that has no memory goes on: the others count on its messages */
	PL_MPI_NEXT(PMPI_Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
	PL_MPI_NEXT(PMPI_Comm_rank)(comm, &rank);
	PL_MPI_NEXT(PMPI_Comm_size)(comm, &n);
	for (int step = 1; step < n; step *= 2) {
		if (rank & step) {
			send(comm, rank - step, sums, lost);
			break;
		}
		if (rank + step < n && receive(comm, rank + step, sums))
			lost = -1;
	}
	return lost;
}
