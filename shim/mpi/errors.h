/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.h - the shim's error handlers, in place of the program's */
#ifndef PLINK_SHIM_MPI_ERRORS_H
#define PLINK_SHIM_MPI_ERRORS_H

#include "shim/mpi/world.h"

/* A function of any type; cast it back to its own type to call it. */
typedef void pl_mpi_function(void);

/* The shim can stand in for so many different error functions of the program. MPI calls further
 * ones directly, with the permuted world as their communicator. */
#define PL_MPI_N_HANDLERS 32

/* @each(0) ... @each(31). */
#define PL_MPI_EACH_HANDLER(each)                                                                  \
	each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10)   \
		each(11) each(12) each(13) each(14) each(15) each(16) each(17) each(18) each(19)   \
			each(20) each(21) each(22) each(23) each(24) each(25) each(26) each(27)    \
				each(28) each(29) each(30) each(31)

/* Gives @function a number below PL_MPI_N_HANDLERS, the same at each call. -1: all numbers are used
 * up. Any thread. */
int pl_mpi_handler_note(pl_mpi_function *function);

/* The program's function with that number. */
pl_mpi_function *pl_mpi_handler(int i);

/* If @ours is a handler of the shim, the program's function that it stands in for; otherwise @ours
 * itself. */
pl_mpi_function *pl_mpi_handler_of(pl_mpi_function *ours);

#endif
