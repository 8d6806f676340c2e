/* SPDX-License-Identifier: BSD-3-Clause */
/* persistent.c - persistent collectives, on a shadow where there is one */
#include "config.h"

#include "shim/mpi/shadow/calls.h"

#include "shim/mpi/shadow/forms.h"
#include "shim/mpi/shadow/pick.h"

int PL_FORM(pl_mpi_Allreduce_init)(const void *in, void *out,
				   pl_form_count count, MPI_Datatype type,
				   MPI_Op op, MPI_Comm comm, MPI_Info info,
				   MPI_Request *request)
{
	const struct pl_shadow *s = pl_shadow_pick_allreduce(
		PL_SHADOW_AS_IS, count, type, op, comm);

	if (s) {
		const int rc = PL_NEXT_FORM(PL_MPI_PERSISTENT(Allreduce))(
			in, out, count, type, op, s->comm, info, request);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_NEXT_FORM(PL_MPI_PERSISTENT(Allreduce))(
		in, out, count, type, op, comm, info, request);
}

int PL_FORM(pl_mpi_Bcast_init)(void *buffer, pl_form_count count,
			       MPI_Datatype type, int root, MPI_Comm comm,
			       MPI_Info info, MPI_Request *request)
{
	const struct pl_shadow *s = pl_shadow_pick_broadcast(
		PL_SHADOW_AS_IS, count, type, root, comm);

	if (s) {
		const int rc = PL_NEXT_FORM(PL_MPI_PERSISTENT(Bcast))(
			buffer, count, type, s->rank[root], s->comm, info,
			request);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_NEXT_FORM(PL_MPI_PERSISTENT(Bcast))(buffer, count, type, root,
						      comm, info, request);
}

int PL_FORM(pl_mpi_Reduce_init)(const void *in, void *out, pl_form_count count,
				MPI_Datatype type, MPI_Op op, int root,
				MPI_Comm comm, MPI_Info info,
				MPI_Request *request)
{
	const struct pl_shadow *s = pl_shadow_pick_reduce(
		PL_SHADOW_AS_IS, count, type, op, root, comm);

	if (s) {
		const int rc = PL_NEXT_FORM(PL_MPI_PERSISTENT(Reduce))(
			in, out, count, type, op, s->rank[root], s->comm, info,
			request);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_NEXT_FORM(PL_MPI_PERSISTENT(Reduce))(
		in, out, count, type, op, root, comm, info, request);
}
