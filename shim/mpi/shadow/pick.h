/* SPDX-License-Identifier: BSD-3-Clause */
/* pick.h - which shadow a call runs on; every call passes through here */
#ifndef PLINK_SHIM_MPI_SHADOW_PICK_H
#define PLINK_SHIM_MPI_SHADOW_PICK_H

#include "shim/mpi/shadow/shadow.h"

/* May a call create the shadow that it would run on? A nonblocking call may not, because creating
 * one blocks. The last two are for a call that fails at all other ranks (AT_ROOT), or at the root
 * (NOT_AT_ROOT). */
enum pl_shadow_may {
	PL_SHADOW_AS_IS,
	PL_SHADOW_MAKE,
	PL_SHADOW_MAKE_AT_ROOT,
	PL_SHADOW_MAKE_NOT_AT_ROOT
};

/* For a blocking call: it may create a shadow, unless it is known to fail in this process alone. */
static inline enum pl_shadow_may pl_shadow_unless(bool fails)
{
	return fails ? PL_SHADOW_AS_IS : PL_SHADOW_MAKE;
}

/* Does a call fail if its input and its result are one buffer? */
static inline bool pl_shadow_refuses_one_buffer(void)
{
	return !PL_MPI_MAY_TAKE_ONE_BUFFER || pl_shadow_refuses_one;
}

/* A collective call. */
struct pl_shadow_call {
	MPI_Comm comm;
	enum pl_shadow_kind kind;
	enum pl_shadow_may may;
	int root; /* -1: the call has no root */
	pl_mpi_count count;
	MPI_Datatype type, type_in; /* in an all-gather, the types to receive
				       and to send with */
	MPI_Op op;                  /* MPI_OP_NULL: the call has no operation */
};

/* raise.c: false if the call will fail, in this process alone, for its count, type or operation, or
 * because of call->may. Such a call must not wait for other processes. */
bool pl_shadow_is_sound(const struct pl_shadow_call *call);

/* The bytes of a call. They are the same on all processes: the types may differ, but not the amount
 * of data. 0 for invalid arguments, with which the call will fail. */
static inline uint64_t pl_shadow_bytes(pl_mpi_count count, MPI_Datatype type)
{
	MPI_Count size;

	if (count <= 0 || type == MPI_DATATYPE_NULL || !type)
		return 0;
	PMPI_Type_size_x(type, &size);
	return (uint64_t)size * (uint64_t)count;
}

/* The shadow that a call runs on, created first if it must be and call->may allows it. NULL: the
 * call runs on the program's communicator. */
static inline const struct pl_shadow *pl_shadow_pick(const struct pl_shadow_call *call)
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

/* May a reduction run in another order of the ranks? Only with an operation that commutes: any
 * other depends on the order that the program knows. */
static inline bool pl_shadow_may_reorder(MPI_Op op)
{
	int commutes = 0;

	if (op == MPI_SUM || op == MPI_MAX || op == MPI_MIN)
		return true;
	if (op != MPI_OP_NULL && op)
		PMPI_Op_commutative(op, &commutes);
	return commutes;
}

static inline const struct pl_shadow *pl_shadow_pick_allreduce(enum pl_shadow_may may,
							       pl_mpi_count count,
							       MPI_Datatype type, MPI_Op op,
							       MPI_Comm comm)
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

static inline const struct pl_shadow *pl_shadow_pick_broadcast(enum pl_shadow_may may,
							       pl_mpi_count count,
							       MPI_Datatype type, int root,
							       MPI_Comm comm)
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

static inline const struct pl_shadow *pl_shadow_pick_reduce(enum pl_shadow_may may,
							    pl_mpi_count count, MPI_Datatype type,
							    MPI_Op op, int root, MPI_Comm comm)
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

static inline const struct pl_shadow *pl_shadow_pick_barrier(enum pl_shadow_may may, MPI_Comm comm)
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

/* Is @rc, the result on the shadow, that of the program's call? If not, the caller repeats the call
 * on the program's own communicator. */
static inline bool pl_shadow_is_done(int rc)
{
	return rc == MPI_SUCCESS || !pl_shadow_again();
}

#endif
