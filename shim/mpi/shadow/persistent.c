/* SPDX-License-Identifier: BSD-3-Clause */
/* persistent.c - persistent collectives, on a shadow where there is one */
#include "config.h"

#include "shim/mpi/shadow/calls.h"

#include "shim/mpi/shadow/pick.h"

int pl_mpi_Allreduce_init(const void *in, void *out, int count,
			  MPI_Datatype type, MPI_Op op, MPI_Comm comm,
			  MPI_Info info, MPI_Request *request)
{
	const struct pl_shadow *s = pl_shadow_pick_allreduce(
		PL_SHADOW_AS_IS, count, type, op, comm);

	if (s) {
		const int rc = PL_MPI_NEXT(PL_MPI_PERSISTENT(Allreduce))(
			in, out, count, type, op, s->comm, info, request);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_MPI_NEXT(PL_MPI_PERSISTENT(Allreduce))(
		in, out, count, type, op, comm, info, request);
}

int pl_mpi_Bcast_init(void *buffer, int count, MPI_Datatype type, int root,
		      MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
	const struct pl_shadow *s = pl_shadow_pick_broadcast(
		PL_SHADOW_AS_IS, count, type, root, comm);

	if (s) {
		const int rc = PL_MPI_NEXT(PL_MPI_PERSISTENT(Bcast))(
			buffer, count, type, s->rank[root], s->comm, info,
			request);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_MPI_NEXT(PL_MPI_PERSISTENT(Bcast))(buffer, count, type, root,
						     comm, info, request);
}

int pl_mpi_Reduce_init(const void *in, void *out, int count, MPI_Datatype type,
		       MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
		       MPI_Request *request)
{
	const struct pl_shadow *s = pl_shadow_pick_reduce(
		PL_SHADOW_AS_IS, count, type, op, root, comm);

	if (s) {
		const int rc = PL_MPI_NEXT(PL_MPI_PERSISTENT(Reduce))(
			in, out, count, type, op, s->rank[root], s->comm, info,
			request);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_MPI_NEXT(PL_MPI_PERSISTENT(Reduce))(
		in, out, count, type, op, root, comm, info, request);
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
