/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce.c - MPI_Allreduce by a schedule */
#include "config.h"

#include "shim/mpi/engine/mode.h"

#include "shim/mpi/engine/parts.h"
#include "shim/mpi/shadow/pick.h"
#include "shim/say.h"

#include <string.h>

/* The bytes of an element in memory, gaps in and behind it included; 0 for
 * types that the mode does not take: only predefined ones are sure to have
 * their first byte at the buffer's. */
static size_t element_bytes(MPI_Datatype type)
{
	int n_ints, n_addresses, n_types, combiner;
	MPI_Aint low, extent;

	PMPI_Type_get_envelope(type, &n_ints, &n_addresses, &n_types,
			       &combiner);
	if (combiner != MPI_COMBINER_NAMED)
		return 0;
	PMPI_Type_get_extent(type, &low, &extent);
	return low == 0 && extent > 0 ? (size_t)extent : 0;
}

bool pl_engine_mode_takes(pl_mpi_count count, MPI_Datatype type, MPI_Op op,
			  MPI_Comm comm)
{
	const struct pl_shadow_call call = {.comm = comm,
					    .kind = PL_SHADOW_ALLREDUCE,
					    .may = PL_SHADOW_MAKE,
					    .root = -1,
					    .count = count,
					    .type = type,
					    .op = op};

	if (!pl_engine_mode_is_on || comm != MPI_COMM_WORLD || count <= 0 ||
	    !pl_schedules_find(&pl_engine_mode.schedules,
			       pl_shadow_bytes(count, type)))
		return false;
	return pl_shadow_may_reorder(op) && pl_shadow_is_sound(&call) &&
	       element_bytes(type) > 0;
}

/* The operation and the type of a call. */
struct local {
	MPI_Datatype type;
	MPI_Op op;
};

static void add(void *sum, const void *more, size_t n, void *with)
{
	const struct local *l = with;

	PL_MPI_NEXT(PMPI_Reduce_local)(more, sum, (int)n, l->type, l->op);
}

int pl_engine_mode_allreduce(const void *in, void *out, pl_mpi_count count,
			     MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	struct pl_engine_mode *m = &pl_engine_mode;
	const struct pl_schedule *s =
		pl_schedules_find(&m->schedules, pl_shadow_bytes(count, type));
	struct local local = {type, op};
	const struct pl_allreduce_call call = {
		.buffer = out,
		.count = (size_t)count,
		.adder = {add, &local, element_bytes(type)},
		.chunk_bytes = s->chunk_bytes,
		.window = s->window};
	struct pl_err err;

	if (in != MPI_IN_PLACE && in != out)
		memcpy(out, in, call.count * call.adder.element_bytes);
	if (pl_engine_allreduce(&m->engine,
				&m->program[s - m->schedules.schedule], &call,
				&err) == 0)
		return MPI_SUCCESS;
	pl_shim_say_err(&err, "the all-reduce fails");
	PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
	return MPI_ERR_OTHER;
}
