/* SPDX-License-Identifier: BSD-3-Clause */
/* callbacks.c - attributes and error handlers, and what is called for them */
#include "config.h"

#include "tests/shim-mpi/programs/check.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* What the functions below were told. */
struct told {
	int copies, deletes;
	MPI_Comm copied, deleted;
};

static int copy_value(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
	struct told *told = extra;

	(void)keyval;
	told->copies++;
	told->copied = comm;
	*(void **)out = (char *)in + 1;
	*flag = 1;
	return MPI_SUCCESS;
}

static int delete_value(MPI_Comm comm, int keyval, void *value, void *extra)
{
	struct told *told = extra;

	(void)keyval;
	(void)value;
	told->deletes++;
	told->deleted = comm;
	return MPI_SUCCESS;
}

static char bytes[2]; /* values are their addresses */

void check_attributes(void)
{
	struct told told = {0};
	MPI_Comm copy, of_copy;
	void *value = NULL, *in_copy = NULL;
	int keyval, flag, copy_flag;

	MPI_Comm_create_keyval(copy_value, delete_value, &keyval, &told);
	MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &flag);
	check(!flag, "no attribute before it is set");
	MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, bytes);
	MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &flag);
	check(flag && value == bytes, "an attribute of the world");
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_get_attr(copy, keyval, &in_copy, &copy_flag);
	check(copy_flag && in_copy == bytes + 1, "its copy in a copy of it");
	check(told.copies == 1 && told.copied == MPI_COMM_WORLD,
	      "the function that copies is told of MPI_COMM_WORLD");
	of_copy = copy;
	MPI_Comm_free(&copy);
	check(told.deletes == 1 && told.deleted == of_copy, "the one that deletes of the copy");
	MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
	MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &flag);
	check(!flag && told.deletes == 2 && told.deleted == MPI_COMM_WORLD,
	      "and of MPI_COMM_WORLD");
	MPI_Comm_free_keyval(&keyval);
	MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
	MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, bytes);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_get_attr(copy, keyval, &value, &flag);
	check(flag && value == bytes, "MPI_COMM_DUP_FN copies");
	MPI_Comm_free(&copy);
	MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
	MPI_Comm_free_keyval(&keyval);
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

void check_old_attributes(void)
{
	struct told told = {0};
	void *value = NULL;
	int keyval, flag, *tag_ub, found;
	MPI_Comm copy;

	MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &found);
	check(found && *tag_ub >= 32767, "MPI_Attr_get of MPI_TAG_UB");
	MPI_Keyval_create(copy_value, delete_value, &keyval, &told);
	MPI_Attr_put(MPI_COMM_WORLD, keyval, bytes);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Attr_get(copy, keyval, &value, &flag);
	check(flag && value == bytes + 1 && told.copied == MPI_COMM_WORLD, "a key of MPI-1");
	MPI_Comm_free(&copy);
	MPI_Attr_delete(MPI_COMM_WORLD, keyval);
	MPI_Attr_get(MPI_COMM_WORLD, keyval, &value, &flag);
	check(!flag && told.deletes == 2 && told.deleted == MPI_COMM_WORLD, "and its end");
	MPI_Keyval_free(&keyval);
}

/* Of the last error: which handler was told of which communicator. */
static MPI_Comm blamed;
static int handler, n_errors, error_code;

static void note(int which, MPI_Comm comm, int code)
{
	handler = which;
	n_errors++;
	blamed = comm;
	MPI_Error_class(code, &error_code);
}

static void first_handler(MPI_Comm *comm, int *code, ...)
{
	note(1, *comm, *code);
}

static void second_handler(MPI_Comm *comm, int *code, ...)
{
	note(2, *comm, *code);
}

/* Was the last error this one, alone, and of the world? Forgets it. */
static int was(int which, int code)
{
	const int good =
		handler == which && n_errors == 1 && blamed == MPI_COMM_WORLD && error_code == code;

	handler = n_errors = error_code = 0;
	blamed = MPI_COMM_NULL;
	return good;
}

static void raise_without_comm(void)
{
	MPI_Datatype none = MPI_DATATYPE_NULL;

	MPI_Type_free(&none);
}

/* A message that is longer than who receives it thinks. */
static void raise_on_arrival(void)
{
	int two[2] = {0, 0}, one, rank;
	MPI_Request request;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Isend(two, 2, MPI_INT, rank, 3, MPI_COMM_WORLD, &request);
	MPI_Recv(&one, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void raise_with_comm(void)
{
	int none = 0;

	MPI_Send(&none, 1, MPI_INT, 1 << 20, 0, MPI_COMM_WORLD);
}

void check_handlers(void)
{
	MPI_Errhandler first, second, got;
	MPI_Comm copy;

	MPI_Comm_create_errhandler(first_handler, &first);
	MPI_Comm_create_errhandler(second_handler, &second);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, first);
	MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
	check(got == first, "the handler that was set");
	MPI_Errhandler_free(&got);
	raise_with_comm();
	check(was(1, MPI_ERR_RANK), "an error on the world");
	raise_without_comm();
	check(was(1, MPI_ERR_TYPE), "an error of a call without communicator");
	raise_on_arrival();
	check(was(1, MPI_ERR_TRUNCATE), "an error of a message");
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, second);
	MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
	check(was(2, MPI_ERR_OTHER), "another handler, called by its owner");
	raise_without_comm();
	check(was(2, MPI_ERR_TYPE), "and without communicator");
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	MPI_Comm_set_errhandler(copy, first);
	MPI_Comm_call_errhandler(copy, MPI_ERR_OTHER);
	check(handler == 1 && blamed == copy, "a copy has a handler of its own");
	handler = n_errors = 0;
	MPI_Comm_free(&copy);
	/* the library may give its handle again */
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Errhandler_free(&first);
	MPI_Errhandler_free(&second);
	MPI_Comm_create_errhandler(second_handler, &second);
	MPI_Comm_create_errhandler(first_handler, &first);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, second);
	MPI_Errhandler_free(&first);
	MPI_Errhandler_free(&second);
	raise_with_comm();
	check(was(2, MPI_ERR_RANK), "a handler that is freed while it is set");
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Many functions: more than the library may have ones of its own for. */
#define EIGHT(each, tens)                                                                          \
	each(tens##0) each(tens##1) each(tens##2) each(tens##3) each(tens##4) each(tens##5)        \
		each(tens##6) each(tens##7)
#define FORTY(each)                                                                                \
	EIGHT(each, 1)                                                                             \
	EIGHT(each, 2) EIGHT(each, 3) EIGHT(each, 4) EIGHT(each, 5)
#define NUMBERED(i)                                                                                \
	static void numbered_##i(MPI_Comm *comm, int *code, ...)                                   \
	{                                                                                          \
		note(i, *comm, *code);                                                             \
	}
#define OF_NUMBER(i) {i, numbered_##i},
FORTY(NUMBERED)

void check_many_handlers(void)
{
	static const struct {
		int number;
		MPI_Comm_errhandler_function *function;
	} many[] = {FORTY(OF_NUMBER)};
	MPI_Errhandler errhandler;
	int good = 1;

	for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++) {
		MPI_Comm_create_errhandler(many[i].function, &errhandler);
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
		MPI_Errhandler_free(&errhandler);
		MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
		good &= handler == many[i].number && n_errors == 1;
		handler = n_errors = 0;
	}
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	check(good, "each of many handlers is called");
}

static int class_of(int code)
{
	int class;

	MPI_Error_class(code, &class);
	return class;
}

void check_wrong_calls(void)
{
	MPI_Comm world = MPI_COMM_WORLD;
	MPI_Datatype none = MPI_DATATYPE_NULL;
	int tag_ub = 0;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	check(class_of(MPI_Comm_free(&world)) == MPI_ERR_COMM && world == MPI_COMM_WORLD,
	      "the world cannot be freed");
	check(class_of(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub)) != MPI_SUCCESS,
	      "nor MPI_TAG_UB be set");
	check(class_of(MPI_Type_free(&none)) == MPI_ERR_TYPE,
	      "MPI_ERRORS_RETURN goes for calls without communicator");
	check(class_of(MPI_Comm_create_keyval(NULL, NULL, NULL, NULL)) == MPI_ERR_ARG,
	      "a key without functions is refused");
	check(class_of(MPI_Comm_create_errhandler(NULL, NULL)) == MPI_ERR_ARG,
	      "a handler without function is refused");
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static int n_gone, rank_at_end;

static int note_end(MPI_Comm comm, int keyval, void *value, void *extra)
{
	int finalized, size = 0;

	(void)keyval;
	(void)value;
	(void)extra;
	MPI_Finalized(&finalized);
	if (comm == MPI_COMM_SELF)
		MPI_Comm_size(MPI_COMM_WORLD, &size);
	n_gone++;
	if (rank_at_end != 0)
		return MPI_SUCCESS;
	if (comm == MPI_COMM_SELF)
		printf("%sok the attributes of MPI_COMM_SELF go first\n",
		       n_gone == 1 && !finalized && size > 0 ? "" : "not ");
	else
		printf("%sok those of MPI_COMM_WORLD then\n",
		       n_gone == 2 && comm == MPI_COMM_WORLD ? "" : "not ");
	fflush(stdout);
	return MPI_SUCCESS;
}

void watch_finalize(int rank)
{
	int keyval;

	rank_at_end = rank;
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_end, &keyval, NULL);
	MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, bytes);
	MPI_Comm_set_attr(MPI_COMM_SELF, keyval, bytes);
	MPI_Comm_free_keyval(&keyval);
}
