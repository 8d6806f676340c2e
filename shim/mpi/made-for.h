/* SPDX-License-Identifier: BSD-3-Clause */
/* made-for.h - which MPI library this one is for, for whoever wants to preload
 * it */
#ifndef PLINK_SHIM_MPI_MADE_FOR_H
#define PLINK_SHIM_MPI_MADE_FOR_H

/* "Open MPI" or "MPICH", and its major version. Found by dlsym(), of which
 * plink-mpi-check asks it; nothing else of ours is to be seen from outside. */
__attribute__((visibility("default"))) const char *
plink_mpi_made_for(int *major);

#endif
