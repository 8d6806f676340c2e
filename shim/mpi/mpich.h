/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich.h - what is wrapped: MPICH, and what is its own */
#ifndef PLINK_SHIM_MPI_MPICH_H
#define PLINK_SHIM_MPI_MPICH_H

/* what is hidden in a library is not what its mpi.h declares */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#ifndef MPICH_NUMVERSION
#error "libplink-mpich.so is for MPICH"
#endif

#include <stdbool.h>
#include <string.h>

#define PL_MPI_NAME "MPICH"
#define PL_MPI_MAJOR (MPICH_NUMVERSION / 10000000)

/* The major version in what PMPI_Get_library_version() says. */
#define PL_MPI_VERSION_FORMAT "MPICH Version: %d."

/* There is none that only programs read. */
#define PL_MPI_RANK_VARIABLE ""

/* What must stay: from one the library itself knows its rank, and the rank
 * within the host does not change. */
#define PL_MPI_OWN_RANK_VARIABLE "PMI_RANK"
#define PL_MPI_LOCAL_RANK_VARIABLE "MPI_LOCALRANKID"

/* The library of the Fortran bindings. */
#define PL_MPI_FORTRAN "libmpichfort.so.12"

/* The handle of MPI_COMM_WORLD in Fortran. */
#define PL_MPI_FORTRAN_WORLD MPI_COMM_WORLD

/* What PLINK_MPI_MODE may be, and whether that includes shadow. */
#define PL_MPI_MODES "world, shadow or off"
#define PL_MPI_HAS_SHADOW true

/* The persistent form of a collective, by its name in MPI. */
#define PL_MPI_PERSISTENT(name) PMPI_##name##_init

/* As wide as any count of elements, and whether some are wider than an int. */
typedef MPI_Count pl_mpi_count;
#define PL_MPI_HAS_LARGE 1

/* Must a reduce in place be of a copy? in-place.c says why. */
#define PL_MPI_COPIES_IN_PLACE true

/* May it take one buffer for input and result? That can be set. */
#define PL_MPI_MAY_TAKE_ONE_BUFFER true

/* A collective of no elements that fails where a type is none to send with. */
#define PL_MPI_TRY_TYPE(buffer, type, comm)                                    \
	PL_MPI_NEXT(PMPI_Gather)(buffer, 0, type, buffer, 0, type, 0, comm)

/* Does an all-gather receive with a type that is not committed? */
#define PL_MPI_RECEIVES_UNCOMMITTED false

/* Is that a communicator? Those that were freed look like any, and no function
 * tells without raising an error: in this wrong call there are two. */
static inline bool pl_mpi_is_valid(MPI_Comm comm)
{
	int is_inter;

	return comm != MPI_COMM_NULL &&
	       PMPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS;
}

/* Can the wrappers hand on what goes to a library that says so of itself? Open
 * MPI's handles are too wide for them. */
static inline bool pl_mpi_can_pass(const char *version)
{
	return strncmp(version, "Open MPI", 8) != 0;
}

/* Is the key one of those that the real world has? Each has two numbers:
 * Fortran's comes after that of C. */
static inline bool pl_mpi_is_predefined(int keyval)
{
	return keyval >= MPI_TAG_UB && keyval <= MPI_APPNUM + 1;
}

#endif
