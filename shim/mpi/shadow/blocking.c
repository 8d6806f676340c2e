/* SPDX-License-Identifier: BSD-3-Clause */
/* blocking.c - blocking collectives, on a shadow where there is one to be */
#include "config.h"

#include "shim/mpi/shadow/calls.h"

#include "shim/mpi/shadow/pick.h"

/* One buffer for both; of a single element it passes. */
static inline bool is_one_buffer(const void *in, const void *out, int count)
{
	return in == out && in != MPI_BOTTOM && count > 1;
}

int pl_mpi_Allreduce(const void *in, void *out, int count, MPI_Datatype type,
		     MPI_Op op, MPI_Comm comm)
{
	const struct pl_shadow *s = pl_shadow_pick_allreduce(
		pl_shadow_unless(out == MPI_IN_PLACE ||
				 is_one_buffer(in, out, count)),
		count, type, op, comm);

	if (s) {
		const int rc = PL_MPI_NEXT(PMPI_Allreduce)(in, out, count, type,
							   op, s->comm);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_MPI_NEXT(PMPI_Allreduce)(in, out, count, type, op, comm);
}

int pl_mpi_Bcast(void *buffer, int count, MPI_Datatype type, int root,
		 MPI_Comm comm)
{
	const struct pl_shadow *s = pl_shadow_pick_broadcast(
		pl_shadow_unless(buffer == MPI_IN_PLACE), count, type, root,
		comm);

	if (s) {
		const int rc = PL_MPI_NEXT(PMPI_Bcast)(buffer, count, type,
						       s->rank[root], s->comm);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_MPI_NEXT(PMPI_Bcast)(buffer, count, type, root, comm);
}

/* The root alone may say in place, and only of what it gives; it alone receives. */
static inline enum pl_shadow_may may_reduce(const void *in, const void *out,
					    int count)
{
	if (in == MPI_IN_PLACE)
		return out == MPI_IN_PLACE ? PL_SHADOW_AS_IS
					   : PL_SHADOW_MAKE_AT_ROOT;
	if (out == MPI_IN_PLACE || (in == out && count != 0))
		return PL_SHADOW_MAKE_NOT_AT_ROOT;
	return PL_SHADOW_MAKE;
}

int pl_mpi_Reduce(const void *in, void *out, int count, MPI_Datatype type,
		  MPI_Op op, int root, MPI_Comm comm)
{
	const struct pl_shadow *s = pl_shadow_pick_reduce(
		may_reduce(in, out, count), count, type, op, root, comm);

	if (s) {
		const int rc = PL_MPI_NEXT(PMPI_Reduce)(
			in, out, count, type, op, s->rank[root], s->comm);

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_MPI_NEXT(PMPI_Reduce)(in, out, count, type, op, root, comm);
}

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
