/* SPDX-License-Identifier: BSD-3-Clause */
/* made-for.h - which MPI library this shim was built for */
#ifndef PLINK_SHIM_MPI_MADE_FOR_H
#define PLINK_SHIM_MPI_MADE_FOR_H

/* Returns "Open MPI" or "MPICH", and sets *major to its major version. plink-mpi-check finds this
 * function with dlsym(); no other function of plink's own is visible outside the shim. */
__attribute__((visibility("default"))) const char *plink_mpi_made_for(int *major);

#endif
