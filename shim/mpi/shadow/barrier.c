/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier.c - barriers, on a shadow where there is one */
#include "config.h"

#include "shim/mpi/shadow/calls.h"

#include "shim/mpi/shadow/pick.h"

int pl_mpi_Barrier(MPI_Comm comm)
{
	const struct pl_shadow *s =
		pl_shadow_pick_barrier(PL_SHADOW_MAKE, comm);

	if (s) {
		const int rc = PL_MPI_NEXT(PMPI_Barrier)(s->comm);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_MPI_NEXT(PMPI_Barrier)(comm);
}

int pl_mpi_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
	const struct pl_shadow *s =
		pl_shadow_pick_barrier(PL_SHADOW_AS_IS, comm);

	if (s) {
		const int rc = PL_MPI_NEXT(PMPI_Ibarrier)(s->comm, request);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_MPI_NEXT(PMPI_Ibarrier)(comm, request);
}

int pl_mpi_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	const struct pl_shadow *s =
		pl_shadow_pick_barrier(PL_SHADOW_AS_IS, comm);

	if (s) {
		const int rc = PL_MPI_NEXT(PL_MPI_PERSISTENT(Barrier))(
			s->comm, info, request);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_MPI_NEXT(PL_MPI_PERSISTENT(Barrier))(comm, info, request);
}
