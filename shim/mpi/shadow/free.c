/* SPDX-License-Identifier: BSD-3-Clause */
/* free.c - the program frees a communicator, and its shadows or its engine go with it */
#include "config.h"

#include "shim/mpi/engine/mode.h"
#include "shim/mpi/shadow/shadow.h"

static int free_in_shadow_mode(pl_shadow_free_fn *free_comm, MPI_Comm *comm)
{
	struct pl_shadow_end end;
	int rc;

	pl_shadow_end_begin(&end, *comm);
	rc = free_comm(comm);
	pl_shadow_end_done(&end, rc == MPI_SUCCESS, free_comm);
	return rc;
}

static int free_in_engine_mode(pl_shadow_free_fn *free_comm, MPI_Comm *comm)
{
	struct pl_engine_mode_end end;
	int rc;

	pl_engine_mode_end_begin(&end, *comm);
	rc = free_comm(comm);
	pl_engine_mode_end_done(&end, rc == MPI_SUCCESS);
	return rc;
}

static int free_with(pl_shadow_free_fn *free_comm, MPI_Comm *comm)
{
	if (pl_shadow_is_on)
		return free_in_shadow_mode(free_comm, comm);
	if (pl_engine_mode_is_on)
		return free_in_engine_mode(free_comm, comm);
	return free_comm(comm);
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
