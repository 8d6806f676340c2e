/* SPDX-License-Identifier: BSD-3-Clause */
/* library.h - the MPI library that a process runs on: may the shim touch it? */
#ifndef PLINK_SHIM_MPI_LIBRARY_H
#define PLINK_SHIM_MPI_LIBRARY_H

#include <stdbool.h>

/* Is this the process that speaks where nothing can be agreed on? By what the launcher says; one
 * that says nothing starts few processes. */
bool pl_mpi_is_first(void);

/* Ends the job, with the reason on standard error, if the code at @caller is linked with an MPI
 * library that the shim was not made for, and the shim would pass its calls on to another one.
 * Calls no function of MPI with a handle. */
void pl_mpi_check_caller(const void *caller);

/* Is the library beneath the wrappers the one whose mpi.h the shim was compiled with? Call it when
 * MPI is initialized. If not, one line says so, and the job ends where PLINK_STRICT asks for it or
 * it would crash. */
bool pl_mpi_is_our_library(void);

#endif
