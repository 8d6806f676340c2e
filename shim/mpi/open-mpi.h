/* SPDX-License-Identifier: BSD-3-Clause */
/* open-mpi.h - what is wrapped: mpi.h and its extensions */
#ifndef PLINK_SHIM_MPI_OPEN_MPI_H
#define PLINK_SHIM_MPI_OPEN_MPI_H

#include <mpi.h>
#include <mpi-ext.h>

#ifndef OPEN_MPI
#error "libplink-mpi.so is for Open MPI"
#endif

#endif
