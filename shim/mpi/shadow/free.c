/* SPDX-License-Identifier: BSD-3-Clause */
/* free.c - the program frees a communicator, and its shadows go with it */
#include "config.h"

#include "shim/mpi/shadow/shadow.h"

static int free_with(pl_shadow_free_fn *free_comm, MPI_Comm *comm)
{
	struct pl_shadow_end end;
	int rc;

	if (!pl_shadow_is_on)
		return free_comm(comm);
	pl_shadow_end_begin(&end, *comm);
	rc = free_comm(comm);
	pl_shadow_end_done(&end, rc == MPI_SUCCESS, free_comm);
	return rc;
}

int PMPI_Comm_free(MPI_Comm *comm)
{
	return free_with(PL_MPI_NEXT(PMPI_Comm_free), comm);
}
PL_MPI_ALIAS(MPI_Comm_free)

int PMPI_Comm_disconnect(MPI_Comm *comm)
{
	return free_with(PL_MPI_NEXT(PMPI_Comm_disconnect), comm);
}
PL_MPI_ALIAS(MPI_Comm_disconnect)
