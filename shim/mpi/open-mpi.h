/* SPDX-License-Identifier: BSD-3-Clause */
/* open-mpi.h - what is wrapped: Open MPI, and what is its own */
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

/* The major version in what PMPI_Get_library_version() says. */
#define PL_MPI_VERSION_FORMAT "Open MPI v%d."

/* From it programs read their rank. */
#define PL_MPI_RANK_VARIABLE "OMPI_COMM_WORLD_RANK"

/* What must stay: from one the library itself knows its rank, and the rank
 * within the host does not change. */
#define PL_MPI_OWN_RANK_VARIABLE "PMIX_RANK"
#define PL_MPI_LOCAL_RANK_VARIABLE "OMPI_COMM_WORLD_LOCAL_RANK"

/* The library of the Fortran bindings. */
#define PL_MPI_FORTRAN "libmpi_mpifh.so.40"

/* The handle of MPI_COMM_WORLD in Fortran. */
#define PL_MPI_FORTRAN_WORLD 0

/* What PLINK_MPI_MODE may be, and whether that includes shadow. */
#define PL_MPI_MODES "world, shadow or off"
#define PL_MPI_HAS_SHADOW true

/* The persistent form of a collective, by its name in MPI. */
#define PL_MPI_PERSISTENT(name) PMPIX_##name##_init

/* As wide as any count of elements, and whether some are wider than an int. */
typedef int pl_mpi_count;
#define PL_MPI_HAS_LARGE 0

/* Must a reduce in place be of a copy? */
#define PL_MPI_COPIES_IN_PLACE false

/* May it take one buffer for input and result? */
#define PL_MPI_MAY_TAKE_ONE_BUFFER false

/* A collective of no elements that fails where a type is none to send with. */
#define PL_MPI_TRY_TYPE(buffer, type, comm)                                    \
	PL_MPI_NEXT(PMPI_Bcast)(buffer, 0, type, 0, comm)

/* Does an all-gather receive with a type that is not committed? */
#define PL_MPI_RECEIVES_UNCOMMITTED true

/* Is that a communicator? Asked of a function that raises no error. */
static inline bool pl_mpi_is_valid(MPI_Comm comm)
{
	return comm != MPI_COMM_NULL && PMPI_Comm_c2f(comm) >= 0;
}

/* Can the wrappers hand on what goes to a library that says so of itself? */
static inline bool pl_mpi_can_pass(const char *version)
{
	(void)version;
	return true;
}

/* Is the key one of those that the real world has? */
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
