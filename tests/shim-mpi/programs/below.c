/* SPDX-License-Identifier: BSD-3-Clause */
/* below.c - an MPI library in which MPI_Comm_create fails, on one process */
/*
 * Preloaded behind the shim, it is what the shim takes for the library. That process has taken
 * part: only it has nothing of it.
 */
#include "config.h"

#include <dlfcn.h>
#include <mpi.h>

int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made)
{
	int (*next)(MPI_Comm, MPI_Group, MPI_Comm *);
	int rank, rc;

	*(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_create");
	rc = next(comm, group, made);
	PMPI_Comm_rank(comm, &rank);
	if (rc != MPI_SUCCESS || rank != 1)
		return rc;
	PMPI_Comm_free(made);
	return MPI_ERR_NO_MEM;
}
