/* SPDX-License-Identifier: BSD-3-Clause */
/* raise.c - errors on shadows are the program's communicators' */
/*
 * A call with a wrong argument fails before anything is sent. It is made again on the program's
 * communicator, where it fails just so, and the library says so in the words and to the handler
 * that it would have without a shadow. Other errors, after which a call must not be made again, are
 * handed on.
 */
#include "config.h"

#include "shim/mpi/shadow/pick.h"

#include <stdarg.h>
#include <stddef.h>

MPI_Errhandler pl_shadow_handler = MPI_ERRHANDLER_NULL;

MPI_Comm pl_shadow_alone = MPI_COMM_NULL;
bool pl_shadow_refuses_one;

/* Has a call of this thread failed on a shadow for its arguments? */
static __thread bool is_again;

static bool is_of_arguments(int code)
{
	int class = MPI_ERR_UNKNOWN;

	PMPI_Error_class(code, &class);
	switch (class) {
	case MPI_ERR_ARG:
	case MPI_ERR_BUFFER:
	case MPI_ERR_COMM:
	case MPI_ERR_COUNT:
	case MPI_ERR_OP:
	case MPI_ERR_ROOT:
	case MPI_ERR_TYPE:
		return true;
	default:
		return false;
	}
}

static void handle_error(MPI_Comm *shadow, int *code, ...)
{
	MPI_Comm owner;

	if (is_of_arguments(*code)) {
		is_again = true;
		return;
	}
	owner = pl_shadow_owner(*shadow);
	if (owner != MPI_COMM_NULL)
		PMPI_Comm_call_errhandler(owner, *code);
}

/* Of an element in which nothing is: what comes after the question may have its own opinion of one
 * buffer. */
static bool takes_one_buffer(void)
{
	MPI_Datatype nothing;
	char buffer[1];
	bool takes;

	PMPI_Type_contiguous(0, MPI_BYTE, &nothing);
	PMPI_Type_commit(&nothing);
	takes = PL_MPI_NEXT(PMPI_Allgather)(buffer, 1, nothing, buffer, 1, nothing,
					    pl_shadow_alone) == MPI_SUCCESS;
	PMPI_Type_free(&nothing);
	return takes;
}

void pl_shadow_handler_init(void)
{
	PL_MPI_NEXT(PMPI_Comm_create_errhandler)
	(handle_error, &pl_shadow_handler);
	PL_MPI_NEXT(PMPI_Comm_dup)(MPI_COMM_SELF, &pl_shadow_alone);
	PL_MPI_NEXT(PMPI_Comm_set_errhandler)
	(pl_shadow_alone, MPI_ERRORS_RETURN);
	if (PL_MPI_MAY_TAKE_ONE_BUFFER)
		pl_shadow_refuses_one = !takes_one_buffer();
}

void pl_shadow_handler_fini(void)
{
	PL_MPI_NEXT(PMPI_Comm_free)(&pl_shadow_alone);
	PMPI_Errhandler_free(&pl_shadow_handler);
}

/* Both ask the library, by a call with no elements. */
static bool is_type(MPI_Datatype type)
{
	char buffer[1];

	return PL_MPI_TRY_TYPE(buffer, type, pl_shadow_alone) == MPI_SUCCESS;
}

/* In an all-gather. */
static bool may_receive_by(MPI_Datatype type)
{
	return PL_MPI_RECEIVES_UNCOMMITTED ? type != MPI_DATATYPE_NULL : is_type(type);
}

static bool is_type_for(MPI_Datatype type, MPI_Op op)
{
	char in[1], out[1];

	return PL_MPI_NEXT(PMPI_Allreduce)(in, out, 0, type, op, pl_shadow_alone) == MPI_SUCCESS;
}

static bool is_at_root(const struct pl_shadow_call *call)
{
	int rank;

	PMPI_Comm_rank(call->comm, &rank);
	return rank == call->root;
}

bool pl_shadow_is_sound(const struct pl_shadow_call *call)
{
	if (call->kind == PL_SHADOW_BARRIER)
		return true;
	if (call->may == PL_SHADOW_MAKE_AT_ROOT && !is_at_root(call))
		return false;
	if (call->may == PL_SHADOW_MAKE_NOT_AT_ROOT && is_at_root(call))
		return false;
	if (call->count < 0)
		return false;
	if (call->op != MPI_OP_NULL)
		return is_type_for(call->type, call->op);
	if (call->kind == PL_SHADOW_ALLGATHER)
		return may_receive_by(call->type) && is_type(call->type_in);
	return is_type(call->type);
}

bool pl_shadow_again(void)
{
	const bool again = is_again;

	is_again = false;
	return again;
}
