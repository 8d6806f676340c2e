/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.h - which function of the program a handler of ours stands for */
#ifndef PLINK_SHIM_MPI_ERRORS_H
#define PLINK_SHIM_MPI_ERRORS_H

#include "shim/mpi/world.h"

/* A function of whatever kind, to be called as what it is. */
typedef void pl_mpi_function(void);

/* So many functions of a program can have one of ours in front of them; what
 * comes after is told of the permuted world as it is. */
#define PL_MPI_N_HANDLERS 32

/* @each(0) ... @each(31). */
#define PL_MPI_EACH_HANDLER(each)                                              \
	each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7)        \
		each(8) each(9) each(10) each(11) each(12) each(13) each(14)   \
			each(15) each(16) each(17) each(18) each(19) each(20)  \
				each(21) each(22) each(23) each(24) each(25)   \
					each(26) each(27) each(28) each(29)    \
						each(30) each(31)

/* The number of a function, the same each time, or -1: they are used up. */
int pl_mpi_handler_note(pl_mpi_function *function);

/* The one of that number. */
pl_mpi_function *pl_mpi_handler(int i);

/* The one that a function of ours stands for, or the same where it is not
 * one. */
pl_mpi_function *pl_mpi_handler_of(pl_mpi_function *ours);

#endif
