/* SPDX-License-Identifier: BSD-3-Clause */
/* fortran.h - the functions of Open MPI's Fortran bindings that are wrapped */
/*
 * mpif.h and the modules mpi and mpi_f08 all call the same C function for MPI_X: ompi_X_f, which
 * has an alias for each way in which a Fortran compiler may write the name. Nearly all of these
 * functions call PMPI_X, which is wrapped already. This header is for those that call the library's
 * internal functions instead.
 */
#ifndef PLINK_SHIM_MPI_FORTRAN_H
#define PLINK_SHIM_MPI_FORTRAN_H

#include "shim/mpi/world.h"

#define PL_FORTRAN_EXPORT __attribute__((visibility("default")))

#define PL_FORTRAN_ALIAS(alias_, function)                                                         \
	extern __typeof__(function) alias_                                                         \
		__attribute__((weak, alias(#function), visibility("default")));

/* All names of a function, e.g. (ompi_comm_get_attr_f, comm_get_attr, COMM_GET_ATTR,
 * Comm_get_attr). */
#define PL_FORTRAN_NAMES(function, lower, upper, mixed)                                            \
	PL_FORTRAN_ALIAS(mpi_##lower, function)                                                    \
	PL_FORTRAN_ALIAS(mpi_##lower##_, function)                                                 \
	PL_FORTRAN_ALIAS(mpi_##lower##__, function)                                                \
	PL_FORTRAN_ALIAS(MPI_##upper, function)                                                    \
	PL_FORTRAN_ALIAS(MPI_##mixed##_f, function)                                                \
	PL_FORTRAN_ALIAS(MPI_##mixed##_f08, function)                                              \
	PL_FORTRAN_ALIAS(pmpi_##lower, function)                                                   \
	PL_FORTRAN_ALIAS(pmpi_##lower##_, function)                                                \
	PL_FORTRAN_ALIAS(pmpi_##lower##__, function)                                               \
	PL_FORTRAN_ALIAS(PMPI_##upper, function)                                                   \
	PL_FORTRAN_ALIAS(PMPI_##mixed##_f, function)                                               \
	PL_FORTRAN_ALIAS(PMPI_##mixed##_f08, function)

/* Translates a handle that the library passes to a function of the program: the permuted world
 * becomes MPI_COMM_WORLD. */
static inline MPI_Fint pl_fortran_leave(MPI_Fint comm)
{
	return comm == PMPI_Comm_c2f(pl_mpi_world) ? PMPI_Comm_c2f(MPI_COMM_WORLD) : comm;
}

#endif
