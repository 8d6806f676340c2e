/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich.h - the wrapped MPI library: MPICH, and what only MPICH has */
#ifndef PLINK_SHIM_MPI_MPICH_H
#define PLINK_SHIM_MPI_MPICH_H

/* the shim's own symbols are hidden; those that mpi.h declares are not */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#ifndef MPICH_NUMVERSION
#error "libplink-mpich.so is for MPICH"
#endif

#include <stdbool.h>

#define PL_MPI_NAME "MPICH"
#define PL_MPI_MAJOR (MPICH_NUMVERSION / 10000000)

/* Finds the major version in the text of PMPI_Get_library_version(). */
#define PL_MPI_VERSION_FORMAT "MPICH Version: %d."

/* The variable that has the rank for programs: none, because MPICH itself reads all of them. */
#define PL_MPI_RANK_VARIABLE ""

/* Variables that stay: from the first one the library itself learns its rank; the second one is the
 * rank within the host, which does not change. */
#define PL_MPI_OWN_RANK_VARIABLE "PMI_RANK"
#define PL_MPI_LOCAL_RANK_VARIABLE "MPI_LOCALRANKID"

/* The library of the Fortran bindings. */
#define PL_MPI_FORTRAN "libmpichfort.so.12"

/* The handle of MPI_COMM_WORLD in Fortran. */
#define PL_MPI_FORTRAN_WORLD MPI_COMM_WORLD

/* The function that makes a persistent request for a collective, by its name in MPI. */
#define PL_MPI_PERSISTENT(name) PMPI_##name##_init

/* A type that holds any count of elements, and whether the library has functions with counts wider
 * than an int. */
typedef MPI_Count pl_mpi_count;
#define PL_MPI_HAS_LARGE 1

/* Must the shim pass a copy to a reduce in place? in-place.c says why. */
#define PL_MPI_COPIES_IN_PLACE true

/* May the library accept one buffer as both input and result? A setting of MPICH decides. */
#define PL_MPI_MAY_TAKE_ONE_BUFFER true

/* A collective of no elements that fails if @type cannot be sent with. */
#define PL_MPI_TRY_TYPE(buffer, type, comm)                                                        \
	PL_MPI_NEXT(PMPI_Gather)(buffer, 0, type, buffer, 0, type, 0, comm)

/* Does an all-gather accept a receive type that is not committed? */
#define PL_MPI_RECEIVES_UNCOMMITTED false

/* Is @comm a communicator? A freed one looks like any other, and no function of MPICH finds out
 * without raising an error: so a call on a freed communicator raises its error twice. */
static inline bool pl_mpi_is_valid(MPI_Comm comm)
{
	int is_inter;

	return comm != MPI_COMM_NULL && PMPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS;
}

/* Is @keyval a predefined attribute of the real world? Each has two numbers: Fortran's is one more
 * than C's. */
static inline bool pl_mpi_is_predefined(int keyval)
{
	return keyval >= MPI_TAG_UB && keyval <= MPI_APPNUM + 1;
}

#endif
