/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.h - which function of the program an error handler stands for */
#ifndef PLINK_SHIM_MPI_ERRORS_H
#define PLINK_SHIM_MPI_ERRORS_H

#include "shim/mpi/world.h"

/* A function of whatever kind, to be called as what it is. */
typedef void pl_mpi_function(void);

/* Notes the program's function that a handler of ours stands for. 0, or -1: out of
 * memory. */
int pl_mpi_handler_note(MPI_Errhandler handle, pl_mpi_function *function);

/* The one that the communicator's handler stands for, or NULL. */
pl_mpi_function *pl_mpi_handler_of(MPI_Comm comm);

#endif
