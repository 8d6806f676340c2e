/* SPDX-License-Identifier: BSD-3-Clause */
/* nonblocking.c - nonblocking collectives, on a shadow where there is one */
#include "config.h"

#include "shim/mpi/shadow/calls.h"

#include "shim/mpi/engine/mode.h"
#include "shim/mpi/shadow/forms.h"
#include "shim/mpi/shadow/pick.h"

int PL_FORM(pl_mpi_Iallreduce)(const void *in, void *out, pl_form_count count, MPI_Datatype type,
			       MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
	const struct pl_shadow *s =
		pl_shadow_pick_allreduce(PL_SHADOW_AS_IS, count, type, op, comm);
	int rc;

	if (pl_engine_mode_is_on && pl_engine_mode_starts(PL_ENGINE_CALL, request, &rc))
		return rc;
	if (s) {
		rc = PL_NEXT_FORM(PMPI_Iallreduce)(in, out, count, type, op, s->comm, request);
		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_NEXT_FORM(PMPI_Iallreduce)(in, out, count, type, op, comm, request);
}

/* clang-format off */

PL_SHADOWED(Ibcast, PMPI_Ibcast,
	    (void *buffer, pl_form_count count, MPI_Datatype type, int root,
	     MPI_Comm comm, MPI_Request *request),
	    pl_shadow_pick_broadcast(PL_SHADOW_AS_IS, count, type, root, comm),
	    (buffer, count, type, s->rank[root], s->comm, request),
	    (buffer, count, type, root, comm, request))

PL_SHADOWED(Ireduce, PMPI_Ireduce,
	    (const void *in, void *out, pl_form_count count, MPI_Datatype type,
	     MPI_Op op, int root, MPI_Comm comm, MPI_Request *request),
	    pl_shadow_pick_reduce(PL_SHADOW_AS_IS, count, type, op, root, comm),
	    (in, out, count, type, op, s->rank[root], s->comm, request),
	    (in, out, count, type, op, root, comm, request))
