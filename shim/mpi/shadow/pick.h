/* SPDX-License-Identifier: BSD-3-Clause */
/* pick.h - the shadow that a call runs on; on the way of every call */
#ifndef PLINK_SHIM_MPI_SHADOW_PICK_H
#define PLINK_SHIM_MPI_SHADOW_PICK_H

#include "shim/mpi/shadow/shadow.h"

/* May a call make the shadow that it would run on? One that does not block may
 * not: making it does. The last two are for one that fails elsewhere. */
enum pl_shadow_may {
	PL_SHADOW_AS_IS,
	PL_SHADOW_MAKE,
	PL_SHADOW_MAKE_AT_ROOT,
	PL_SHADOW_MAKE_NOT_AT_ROOT
};

/* For a blocking one that is known to fail in this process alone, or not. */
static inline enum pl_shadow_may pl_shadow_unless(bool fails)
{
	return fails ? PL_SHADOW_AS_IS : PL_SHADOW_MAKE;
}

/* Does a call fail that has one buffer for input and result? */
static inline bool pl_shadow_refuses_one_buffer(void)
{
	return !PL_MPI_MAY_TAKE_ONE_BUFFER || pl_shadow_refuses_one;
}

/* A collective call. */
struct pl_shadow_call {
	MPI_Comm comm;
	enum pl_shadow_kind kind;
	enum pl_shadow_may may;
	int root; /* -1: a call without one */
	pl_mpi_count count;
	MPI_Datatype type, type_in; /* of an all-gather: what it receives with,
				       and what it gives with */
	MPI_Op op;                  /* MPI_OP_NULL: a call without one */
};

/* raise.c: will the call not fail, in this process alone, for its count, type
 * or operation, or for where it is made? Such a call must not wait for
 * others. */
bool pl_shadow_is_sound(const struct pl_shadow_call *call);

/* The same on all processes: types may differ, what they hold may not.
 * Arguments that are none make 0: the call will fail. */
static inline uint64_t pl_shadow_bytes(pl_mpi_count count, MPI_Datatype type)
{
	MPI_Count size;

	if (count <= 0 || type == MPI_DATATYPE_NULL || !type)
		return 0;
	PMPI_Type_size_x(type, &size);
	return (uint64_t)size * (uint64_t)count;
}

/* The shadow for a call, or NULL: it runs on the program's communicator. */
static inline const struct pl_shadow *
pl_shadow_pick(const struct pl_shadow_call *call)
{
	const struct pl_shadow_lines *lines = &pl_shadow_choice.of[call->kind];
	const struct pl_shadow_record *r;
	struct pl_shadow *s;
	uint64_t bytes = 0;

	if (!pl_shadow_is_on)
		return NULL;
	r = pl_shadow_record_of(call->comm);
	if (!r || !r->by_order || call->root >= r->size)
		return NULL;
	if (lines->sized)
		bytes = pl_shadow_bytes(call->count, call->type);
	s = r->by_order[pl_shadow_choose(lines, bytes, call->root, r->rank_in)];
	if (!s || s->comm != MPI_COMM_NULL)
		return s;
	if (call->may == PL_SHADOW_AS_IS || !pl_shadow_is_sound(call))
		return NULL;
	return pl_shadow_make(r, s);
}

/* Where an operation tells one order from another, its values stay in the one
 * that the program knows. */
static inline bool pl_shadow_may_reorder(MPI_Op op)
{
	int commutes = 0;

	if (op == MPI_SUM || op == MPI_MAX || op == MPI_MIN)
		return true;
	if (op != MPI_OP_NULL && op)
		PMPI_Op_commutative(op, &commutes);
	return commutes;
}

static inline const struct pl_shadow *
pl_shadow_pick_allreduce(enum pl_shadow_may may, pl_mpi_count count,
			 MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	if (!pl_shadow_is_on || !pl_shadow_may_reorder(op))
		return NULL;
	return pl_shadow_pick(&(struct pl_shadow_call){
		.comm = comm,
		.kind = PL_SHADOW_ALLREDUCE,
		.may = may,
		.root = -1,
		.count = count,
		.type = type,
		.op = op,
	});
}

static inline const struct pl_shadow *
pl_shadow_pick_broadcast(enum pl_shadow_may may, pl_mpi_count count,
			 MPI_Datatype type, int root, MPI_Comm comm)
{
	if (root < 0)
		return NULL;
	return pl_shadow_pick(&(struct pl_shadow_call){
		.comm = comm,
		.kind = PL_SHADOW_BROADCAST,
		.may = may,
		.root = root,
		.count = count,
		.type = type,
		.op = MPI_OP_NULL,
	});
}

static inline const struct pl_shadow *
pl_shadow_pick_reduce(enum pl_shadow_may may, pl_mpi_count count,
		      MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
	if (!pl_shadow_is_on || root < 0 || !pl_shadow_may_reorder(op))
		return NULL;
	return pl_shadow_pick(&(struct pl_shadow_call){
		.comm = comm,
		.kind = PL_SHADOW_REDUCE,
		.may = may,
		.root = root,
		.count = count,
		.type = type,
		.op = op,
	});
}

static inline const struct pl_shadow *
pl_shadow_pick_barrier(enum pl_shadow_may may, MPI_Comm comm)
{
	return pl_shadow_pick(&(struct pl_shadow_call){
		.comm = comm,
		.kind = PL_SHADOW_BARRIER,
		.may = may,
		.root = -1,
		.type = MPI_DATATYPE_NULL,
		.op = MPI_OP_NULL,
	});
}

/* Is that the result of the program's call? If not, it is to be made again on
 * its own communicator. */
static inline bool pl_shadow_is_done(int rc)
{
	return rc == MPI_SUCCESS || !pl_shadow_again();
}

#endif
