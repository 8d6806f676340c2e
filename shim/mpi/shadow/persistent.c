/* SPDX-License-Identifier: BSD-3-Clause */
/* persistent.c - persistent collectives, on a shadow where there is one */
#include "config.h"

#include "shim/mpi/shadow/calls.h"

#include "shim/mpi/engine/mode.h"
#include "shim/mpi/shadow/forms.h"
#include "shim/mpi/shadow/pick.h"

int PL_FORM(pl_mpi_Allreduce_init)(const void *in, void *out, pl_form_count count,
				   MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
				   MPI_Request *request)
{
	const struct pl_shadow *s =
		pl_shadow_pick_allreduce(PL_SHADOW_AS_IS, count, type, op, comm);
	int rc;

	if (pl_engine_mode_is_on && pl_engine_mode_prepares(PL_ENGINE_CALL, request, &rc))
		return rc;
	if (s) {
		rc = PL_NEXT_FORM(PL_MPI_PERSISTENT(Allreduce))(in, out, count, type, op, s->comm,
								info, request);
		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_NEXT_FORM(PL_MPI_PERSISTENT(Allreduce))(in, out, count, type, op, comm, info,
							  request);
}

/* clang-format off */

PL_SHADOWED(Bcast_init, PL_MPI_PERSISTENT(Bcast),
	    (void *buffer, pl_form_count count, MPI_Datatype type, int root,
	     MPI_Comm comm, MPI_Info info, MPI_Request *request),
	    pl_shadow_pick_broadcast(PL_SHADOW_AS_IS, count, type, root, comm),
	    (buffer, count, type, s->rank[root], s->comm, info, request),
	    (buffer, count, type, root, comm, info, request))

PL_SHADOWED(Reduce_init, PL_MPI_PERSISTENT(Reduce),
	    (const void *in, void *out, pl_form_count count, MPI_Datatype type,
	     MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
	     MPI_Request *request),
	    pl_shadow_pick_reduce(PL_SHADOW_AS_IS, count, type, op, root, comm),
	    (in, out, count, type, op, s->rank[root], s->comm, info, request),
	    (in, out, count, type, op, root, comm, info, request))
