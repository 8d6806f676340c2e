/* SPDX-License-Identifier: BSD-3-Clause */
/* attributes.c - attributes of the world, and the functions called for them */
/*
 * MPI_TAG_UB and its like hang on the real world and on nothing else, where the library keeps them
 * up to date (MPI_LASTUSEDCODE grows). The program's own hang on the permuted one, as what it
 * duplicates and frees is that one. Its copy and delete functions are told of MPI_COMM_WORLD, by
 * functions of ours between.
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
	return PL_MPI_NEXT(PMPI_Comm_get_attr)(pl_mpi_enter_for(comm, keyval), keyval, value, flag);
}
PL_MPI_ALIAS(MPI_Comm_get_attr)

int PMPI_Comm_set_attr(MPI_Comm comm, int keyval, void *value)
{
	return PL_MPI_NEXT(PMPI_Comm_set_attr)(pl_mpi_enter_for(comm, keyval), keyval, value);
}
PL_MPI_ALIAS(MPI_Comm_set_attr)

int PMPI_Comm_delete_attr(MPI_Comm comm, int keyval)
{
	return PL_MPI_NEXT(PMPI_Comm_delete_attr)(pl_mpi_enter_for(comm, keyval), keyval);
}
PL_MPI_ALIAS(MPI_Comm_delete_attr)

int PMPI_Attr_get(MPI_Comm comm, int keyval, void *value, int *flag)
{
	return PL_MPI_NEXT(PMPI_Attr_get)(pl_mpi_enter_for(comm, keyval), keyval, value, flag);
}
PL_MPI_ALIAS(MPI_Attr_get)

int PMPI_Attr_put(MPI_Comm comm, int keyval, void *value)
{
	return PL_MPI_NEXT(PMPI_Attr_put)(pl_mpi_enter_for(comm, keyval), keyval, value);
}
PL_MPI_ALIAS(MPI_Attr_put)

int PMPI_Attr_delete(MPI_Comm comm, int keyval)
{
	return PL_MPI_NEXT(PMPI_Attr_delete)(pl_mpi_enter_for(comm, keyval), keyval);
}
PL_MPI_ALIAS(MPI_Attr_delete)

static struct pl_mpi_key *keys;

static struct pl_mpi_key *key_create(MPI_Comm_copy_attr_function *copy,
				     MPI_Comm_delete_attr_function *delete, void *extra)
{
	struct pl_mpi_key *key = malloc(sizeof(*key));

	if (!key)
		return NULL;
	*key = (struct pl_mpi_key){.copy = copy,
				   .delete = delete,
				   .extra = extra,
				   .keyval = MPI_KEYVAL_INVALID,
				   .next = __atomic_load_n(&keys, __ATOMIC_RELAXED)};
	while (!__atomic_compare_exchange_n(&keys, &key->next, key, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED))
		;
	return key;
}

struct pl_mpi_key *pl_mpi_key_of(int keyval)
{
	struct pl_mpi_key *key = __atomic_load_n(&keys, __ATOMIC_ACQUIRE);

	while (key && key->keyval != keyval)
		key = key->next;
	return key;
}

static int copy_value(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
	const struct pl_mpi_key *key = extra;

	return key->copy(pl_mpi_leave(comm), keyval, key->extra, in, out, flag);
}

static int delete_value(MPI_Comm comm, int keyval, void *value, void *extra)
{
	const struct pl_mpi_key *key = extra;

	return key->delete (pl_mpi_leave(comm), keyval, value, key->extra);
}

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
			    MPI_Comm_delete_attr_function *delete, int *keyval, void *extra)
{
	struct pl_mpi_key *key;
	int rc;

	/* what lacks something is an error, which is the library's, or has nothing to call */
	if (pl_mpi_is_aside() || (!copy && !delete) || !keyval)
		return PL_MPI_NEXT(PMPI_Comm_create_keyval)(copy, delete, keyval, extra);
	key = key_create(copy, delete, extra);
	if (!key) {
		PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
		return MPI_ERR_NO_MEM;
	}
	rc = PL_MPI_NEXT(PMPI_Comm_create_keyval)(copy ? copy_value : NULL,
						  delete ? delete_value : NULL, keyval, key);
	if (rc == MPI_SUCCESS)
		key->keyval = *keyval;
	return rc;
}
PL_MPI_ALIAS(MPI_Comm_create_keyval)

/* MPI-1's name for it. */
int PMPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *delete, int *keyval,
		       void *extra)
{
	return PMPI_Comm_create_keyval(copy, delete, keyval, extra);
}
PL_MPI_ALIAS(MPI_Keyval_create)
