/* SPDX-License-Identifier: BSD-3-Clause */
/* made-for.c - which MPI library this one is for, for whoever wants to preload it */
#include "config.h"

#include "shim/mpi/made-for.h"

#include PL_MPI_LIBRARY_H

const char *plink_mpi_made_for(int *major)
{
	*major = PL_MPI_MAJOR;
	return PL_MPI_NAME;
}
