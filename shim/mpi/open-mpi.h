/* SPDX-License-Identifier: BSD-3-Clause */
/* open-mpi.h - the wrapped MPI library: Open MPI, and what only it has */
#ifndef PLINK_SHIM_MPI_OPEN_MPI_H
#define PLINK_SHIM_MPI_OPEN_MPI_H

#include <mpi.h>
#include <mpi-ext.h>

#ifndef OPEN_MPI
#error "libplink-mpi.so is for Open MPI"
#endif

#include <stdbool.h>

#define PL_MPI_NAME "Open MPI"
#define PL_MPI_MAJOR OMPI_MAJOR_VERSION

/* Finds the major version in the text of PMPI_Get_library_version(). */
#define PL_MPI_VERSION_FORMAT "Open MPI v%d."

/* The variable that has the rank for programs. */
#define PL_MPI_RANK_VARIABLE "OMPI_COMM_WORLD_RANK"

/* Variables that stay: from the first one the library itself learns its rank; the second one is the
 * rank within the host, which does not change. */
#define PL_MPI_OWN_RANK_VARIABLE "PMIX_RANK"
#define PL_MPI_LOCAL_RANK_VARIABLE "OMPI_COMM_WORLD_LOCAL_RANK"

/* The library of the Fortran bindings. */
#define PL_MPI_FORTRAN "libmpi_mpifh.so.40"

/* The handle of MPI_COMM_WORLD in Fortran. */
#define PL_MPI_FORTRAN_WORLD 0

/* The function that makes a persistent request for a collective, by its name in MPI: an extension
 * before version 5. */
#if OMPI_MAJOR_VERSION >= 5
#define PL_MPI_PERSISTENT(name) PMPI_##name##_init
#else
#define PL_MPI_PERSISTENT(name) PMPIX_##name##_init
#endif

/* A type that holds any count of elements, and whether the library has functions with counts wider
 * than an int. */
typedef int pl_mpi_count;
#define PL_MPI_HAS_LARGE 0

/* Must the shim pass a copy to a reduce in place? */
#define PL_MPI_COPIES_IN_PLACE false

/* May the library accept one buffer as both input and result? */
#define PL_MPI_MAY_TAKE_ONE_BUFFER false

/* A collective of no elements that fails if @type cannot be sent with. */
#define PL_MPI_TRY_TYPE(buffer, type, comm) PL_MPI_NEXT(PMPI_Bcast)(buffer, 0, type, 0, comm)

/* Does an all-gather accept a receive type that is not committed? */
#define PL_MPI_RECEIVES_UNCOMMITTED true

/* Is @comm a communicator? Calls a function that raises no error. */
static inline bool pl_mpi_is_valid(MPI_Comm comm)
{
	return comm != MPI_COMM_NULL && PMPI_Comm_c2f(comm) >= 0;
}

/* Is @keyval a predefined attribute of the real world? */
static inline bool pl_mpi_is_predefined(int keyval)
{
	switch (keyval) {
	case MPI_TAG_UB:
	case MPI_HOST:
	case MPI_IO:
	case MPI_WTIME_IS_GLOBAL:
	case MPI_APPNUM:
	case MPI_LASTUSEDCODE:
	case MPI_UNIVERSE_SIZE:
		return true;
	default:
		return false;
	}
}

#endif
