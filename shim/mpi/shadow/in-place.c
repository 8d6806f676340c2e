/* SPDX-License-Identifier: BSD-3-Clause */
/* in-place.c - a copy of what a reduce would take in place */
/*
 * MPICH 4.0 crashes in a blocking MPI_Reduce of more than 2048 bytes whose root gives in place and
 * is not the first of its host's processes in the communicator. The program's rank 0 is another one
 * on the shadow: what programs do all the time would be just that call.
 */
#include "config.h"

#include "shim/mpi/shadow/in-place.h"

#include <stdint.h>
#include <stdlib.h>

/* Of so many elements in bytes, from the lowest to the highest address of their data; *lowest is
 * the first of them, relative to where a call says that they are. False: no address space has that
 * much. */
static bool find_span(MPI_Count count, MPI_Datatype type, size_t *bytes, MPI_Aint *lowest)
{
	MPI_Aint lower, extent, true_lower, true_extent, others, span;

	PMPI_Type_get_extent(type, &lower, &extent);
	PMPI_Type_get_true_extent(type, &true_lower, &true_extent);
	if (__builtin_mul_overflow(extent, count - 1, &others) || others == INTPTR_MIN ||
	    __builtin_add_overflow(others < 0 ? -others : others, true_extent, &span))
		return false;
	*bytes = (size_t)span;
	*lowest = true_lower + (others < 0 ? others : 0);
	return true;
}

bool pl_shadow_copy_init(struct pl_shadow_copy *copy, const struct pl_shadow_call *reduce,
			 const void *from)
{
	MPI_Aint lowest;
	size_t bytes;
	char *at;

	*copy = (struct pl_shadow_copy){.at = MPI_IN_PLACE};
	if (reduce->count == 0 || !pl_shadow_is_sound(reduce))
		return true;
	if (!find_span(reduce->count, reduce->type, &bytes, &lowest))
		return false;
	copy->room = malloc(bytes + 1);
	if (!copy->room)
		return false;
	at = (char *)copy->room - lowest;
	/* one process' reduce is its data; it fails where the other would */
	if (PL_MPI_NEXT(PMPI_Reduce_c)(from, at, reduce->count, reduce->type, reduce->op, 0,
				       pl_shadow_alone) == MPI_SUCCESS)
		copy->at = at;
	return true;
}
