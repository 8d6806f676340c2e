/* SPDX-License-Identifier: BSD-3-Clause */
/* foreign.c - preload library: the MPI library says that it is another one */
#include "config.h"

#include <mpi.h>
#include <string.h>

int PMPI_Get_library_version(char *version, int *len)
{
	strcpy(version, "Any MPI v4.1.4, of nobody");
	*len = (int)strlen(version);
	return MPI_SUCCESS;
}
