/* SPDX-License-Identifier: BSD-3-Clause */
/* blocking.c - blocking collectives, on a shadow where there is one to be */
#include "config.h"

#include "shim/mpi/shadow/calls.h"

#include "shim/mpi/engine/mode.h"
#include "shim/mpi/shadow/forms.h"
#include "shim/mpi/shadow/in-place.h"
#include "shim/mpi/shadow/pick.h"

#include <stdlib.h>

/* One buffer for both; of a single element it passes. */
static inline bool is_one_buffer(const void *in, const void *out, pl_form_count count)
{
	return in == out && in != MPI_BOTTOM && count > 1 && pl_shadow_refuses_one_buffer();
}

int PL_FORM(pl_mpi_Allreduce)(const void *in, void *out, pl_form_count count, MPI_Datatype type,
			      MPI_Op op, MPI_Comm comm)
{
	const enum pl_shadow_may may =
		pl_shadow_unless(out == MPI_IN_PLACE || is_one_buffer(in, out, count));
	const struct pl_shadow *s = pl_shadow_pick_allreduce(may, count, type, op, comm);
	int rc;

	if (pl_engine_mode_is_on && pl_engine_mode_runs(PL_ENGINE_CALL, &rc))
		return rc;
	if (s) {
		rc = PL_NEXT_FORM(PMPI_Allreduce)(in, out, count, type, op, s->comm);
		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_NEXT_FORM(PMPI_Allreduce)(in, out, count, type, op, comm);
}

/* clang-format off */
PL_SHADOWED(Bcast, PMPI_Bcast,
	    (void *buffer, pl_form_count count, MPI_Datatype type, int root,
	     MPI_Comm comm),
	    pl_shadow_pick_broadcast(pl_shadow_unless(buffer == MPI_IN_PLACE),
				     count, type, root, comm),
	    (buffer, count, type, s->rank[root], s->comm),
	    (buffer, count, type, root, comm))
/* clang-format on */

/* The root alone may say in place, and only of what it gives; it alone receives. */
static inline enum pl_shadow_may may_reduce(const void *in, const void *out, pl_form_count count)
{
	if (in == MPI_IN_PLACE)
		return out == MPI_IN_PLACE ? PL_SHADOW_AS_IS : PL_SHADOW_MAKE_AT_ROOT;
	if (out == MPI_IN_PLACE || (in == out && count != 0 && pl_shadow_refuses_one_buffer()))
		return PL_SHADOW_MAKE_NOT_AT_ROOT;
	return PL_SHADOW_MAKE;
}

/* On the shadow; there the root may not be where the library reduces in
 * place. */
static inline int reduce_on(const struct pl_shadow *s, const void *in, void *out,
			    const struct pl_shadow_call *call)
{
	struct pl_shadow_copy copy = {.at = in};
	int rc;

	if (PL_MPI_COPIES_IN_PLACE && in == MPI_IN_PLACE && s->rank[call->root] != 0 &&
	    !pl_shadow_copy_init(&copy, call, out)) {
		PMPI_Comm_call_errhandler(call->comm, MPI_ERR_NO_MEM);
		return MPI_ERR_NO_MEM;
	}
	rc = PL_NEXT_FORM(PMPI_Reduce)(copy.at, out, (pl_form_count)call->count, call->type,
				       call->op, s->rank[call->root], s->comm);
	if (PL_MPI_COPIES_IN_PLACE)
		free(copy.room);
	return rc;
}

int PL_FORM(pl_mpi_Reduce)(const void *in, void *out, pl_form_count count, MPI_Datatype type,
			   MPI_Op op, int root, MPI_Comm comm)
{
	const struct pl_shadow *s =
		pl_shadow_pick_reduce(may_reduce(in, out, count), count, type, op, root, comm);

	if (s) {
		const int rc = reduce_on(s, in, out,
					 &(struct pl_shadow_call){
						 .comm = comm,
						 .kind = PL_SHADOW_REDUCE,
						 .may = PL_SHADOW_MAKE_AT_ROOT,
						 .root = root,
						 .count = count,
						 .type = type,
						 .op = op,
					 });

		if (pl_shadow_is_done(rc))
			return rc;
	}
	return PL_NEXT_FORM(PMPI_Reduce)(in, out, count, type, op, root, comm);
}
