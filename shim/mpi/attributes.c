/* SPDX-License-Identifier: BSD-3-Clause */
/* attributes.c - attributes of the world, and the functions called for them */
/*
 * MPI_TAG_UB and its like hang on the real world and on nothing else, where the
 * library keeps them up to date (MPI_LASTUSEDCODE grows). The program's own hang on
 * the permuted one, as what it duplicates and frees is that one. Its copy and
 * delete functions are told of MPI_COMM_WORLD, by functions of ours between.
 */
#include "config.h"

#include "shim/mpi/attributes.h"

#include <stdbool.h>
#include <stdlib.h>

MPI_Comm pl_mpi_enter_for(MPI_Comm comm, int keyval)
{
	return pl_mpi_is_predefined(keyval) ? comm : pl_mpi_enter(comm);
}

int PMPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag)
{
	return PL_MPI_NEXT(PMPI_Comm_get_attr)(pl_mpi_enter_for(comm, keyval),
					       keyval, value, flag);
}
PL_MPI_ALIAS(MPI_Comm_get_attr)

int PMPI_Comm_set_attr(MPI_Comm comm, int keyval, void *value)
{
	return PL_MPI_NEXT(PMPI_Comm_set_attr)(pl_mpi_enter_for(comm, keyval),
					       keyval, value);
}
PL_MPI_ALIAS(MPI_Comm_set_attr)

int PMPI_Comm_delete_attr(MPI_Comm comm, int keyval)
{
	return PL_MPI_NEXT(PMPI_Comm_delete_attr)(
		pl_mpi_enter_for(comm, keyval), keyval);
}
PL_MPI_ALIAS(MPI_Comm_delete_attr)

int PMPI_Attr_get(MPI_Comm comm, int keyval, void *value, int *flag)
{
	return PL_MPI_NEXT(PMPI_Attr_get)(pl_mpi_enter_for(comm, keyval),
					  keyval, value, flag);
}
PL_MPI_ALIAS(MPI_Attr_get)

int PMPI_Attr_put(MPI_Comm comm, int keyval, void *value)
{
	return PL_MPI_NEXT(PMPI_Attr_put)(pl_mpi_enter_for(comm, keyval),
					  keyval, value);
}
PL_MPI_ALIAS(MPI_Attr_put)

int PMPI_Attr_delete(MPI_Comm comm, int keyval)
{
	return PL_MPI_NEXT(PMPI_Attr_delete)(pl_mpi_enter_for(comm, keyval),
					     keyval);
}
PL_MPI_ALIAS(MPI_Attr_delete)

/* What a key was made with; as a key may outlive its freeing, never released,
 * and chained so that it is not lost either. */
struct key {
	MPI_Comm_copy_attr_function *copy;
	MPI_Comm_delete_attr_function *delete;
	void *extra;
	struct key *next;
};

static struct key *keys;

static struct key *key_create(MPI_Comm_copy_attr_function *copy,
			      MPI_Comm_delete_attr_function *delete,
			      void *extra)
{
	struct key *key = malloc(sizeof(*key));

	if (!key)
		return NULL;
	*key = (struct key){.copy = copy,
			    .delete = delete,
			    .extra = extra,
			    .next = __atomic_load_n(&keys, __ATOMIC_RELAXED)};
	while (!__atomic_compare_exchange_n(&keys, &key->next, key, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return key;
}

static int copy_value(MPI_Comm comm, int keyval, void *extra, void *in,
		      void *out, int *flag)
{
	const struct key *key = extra;

	return key->copy(pl_mpi_leave(comm), keyval, key->extra, in, out, flag);
}

static int delete_value(MPI_Comm comm, int keyval, void *value, void *extra)
{
	const struct key *key = extra;

	return key->delete (pl_mpi_leave(comm), keyval, value, key->extra);
}

typedef int create_fn(MPI_Comm_copy_attr_function *,
		      MPI_Comm_delete_attr_function *, int *, void *);

static int create_keyval(create_fn *create, MPI_Comm_copy_attr_function *copy,
			 MPI_Comm_delete_attr_function *delete, int *keyval,
			 void *extra)
{
	struct key *key;

	/* what lacks something is an error, which is the library's */
	if (pl_mpi_is_aside() || !copy || !delete || !keyval)
		return create(copy, delete, keyval, extra);
	key = key_create(copy, delete, extra);
	if (!key) {
		PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
		return MPI_ERR_NO_MEM;
	}
	return create(copy_value, delete_value, keyval, key);
}

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
			    MPI_Comm_delete_attr_function *delete, int *keyval,
			    void *extra)
{
	return create_keyval(PL_MPI_NEXT(PMPI_Comm_create_keyval), copy, delete,
			     keyval, extra);
}
PL_MPI_ALIAS(MPI_Comm_create_keyval)

int PMPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *delete,
		       int *keyval, void *extra)
{
	return create_keyval(PL_MPI_NEXT(PMPI_Keyval_create), copy, delete,
			     keyval, extra);
}
PL_MPI_ALIAS(MPI_Keyval_create)
