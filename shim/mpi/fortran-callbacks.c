/* SPDX-License-Identifier: BSD-3-Clause */
/* fortran-callbacks.c - functions of a Fortran program that MPI calls */
/*
 * As in C (attributes.c, errors.c) they are told of MPI_COMM_WORLD, by functions of ours between.
 * Keys of MPI-1 have extra states as wide as an INTEGER: what ours get instead is a number, by
 * which they find the key.
 */
#include "config.h"

#include "shim/mpi/fortran.h"

#include "shim/mpi/errors.h"

#include <pthread.h>
#include <stdlib.h>

typedef MPI_Fint fint;

/* Functions of MPI-2 and of MPI-1, which differ in the width of the values. */
typedef void copy_fn(fint *, fint *, MPI_Aint *, MPI_Aint *, MPI_Aint *, fint *, fint *);
typedef void delete_fn(fint *, fint *, MPI_Aint *, MPI_Aint *, fint *);
typedef void old_copy_fn(fint *, fint *, fint *, fint *, fint *, fint *, fint *);
typedef void old_delete_fn(fint *, fint *, fint *, fint *, fint *);
typedef void handler_fn(fint *, fint *, ...);

PL_FORTRAN_EXPORT void ompi_comm_create_keyval_f(copy_fn *copy, delete_fn *delete, fint *keyval,
						 MPI_Aint *extra, fint *ierr);
PL_FORTRAN_EXPORT void ompi_keyval_create_f(old_copy_fn *copy, old_delete_fn *delete, fint *keyval,
					    fint *extra, fint *ierr);
PL_FORTRAN_EXPORT void ompi_comm_create_errhandler_f(handler_fn *function, fint *handle,
						     fint *ierr);

/* What a key was made with; never released, as a key may outlive its
 * freeing. */
struct key {
	fint number;
	pl_mpi_function *copy, *delete;
	MPI_Aint extra;
	fint old_extra;
	struct key *next;
};

static struct key *keys;
static pthread_mutex_t keys_lock = PTHREAD_MUTEX_INITIALIZER;

/* Takes over what is in @from, all but its number. NULL: out of memory. */
static struct key *key_create(const struct key *from)
{
	struct key *key = malloc(sizeof(*key));

	if (!key)
		return NULL;
	*key = *from;
	pthread_mutex_lock(&keys_lock);
	key->number = keys ? keys->number + 1 : 0;
	key->next = keys;
	keys = key;
	pthread_mutex_unlock(&keys_lock);
	return key;
}

static struct key *key_of(MPI_Aint number)
{
	struct key *key;

	pthread_mutex_lock(&keys_lock);
	key = keys;
	while (key->number != number)
		key = key->next;
	pthread_mutex_unlock(&keys_lock);
	return key;
}

static void copy_value(fint *comm, fint *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out,
		       fint *flag, fint *ierr)
{
	struct key *key = key_of(*extra);
	fint seen = pl_fortran_leave(*comm);

	((copy_fn *)key->copy)(&seen, keyval, &key->extra, in, out, flag, ierr);
}

static void delete_value(fint *comm, fint *keyval, MPI_Aint *value, MPI_Aint *extra, fint *ierr)
{
	struct key *key = key_of(*extra);
	fint seen = pl_fortran_leave(*comm);

	((delete_fn *)key->delete)(&seen, keyval, value, &key->extra, ierr);
}

static void old_copy_value(fint *comm, fint *keyval, fint *extra, fint *in, fint *out, fint *flag,
			   fint *ierr)
{
	struct key *key = key_of(*extra);
	fint seen = pl_fortran_leave(*comm);

	((old_copy_fn *)key->copy)(&seen, keyval, &key->old_extra, in, out, flag, ierr);
}

static void old_delete_value(fint *comm, fint *keyval, fint *value, fint *extra, fint *ierr)
{
	struct key *key = key_of(*extra);
	fint seen = pl_fortran_leave(*comm);

	((old_delete_fn *)key->delete)(&seen, keyval, value, &key->old_extra, ierr);
}

static void fail(fint *ierr)
{
	PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
	if (ierr)
		*ierr = MPI_ERR_NO_MEM;
}

void ompi_comm_create_keyval_f(copy_fn *copy, delete_fn *delete, fint *keyval, MPI_Aint *extra,
			       fint *ierr)
{
	const struct key *key;
	MPI_Aint number;

	if (pl_mpi_is_aside()) {
		PL_MPI_NEXT(ompi_comm_create_keyval_f)
		(copy, delete, keyval, extra, ierr);
		return;
	}
	key = key_create(&(struct key){.copy = (pl_mpi_function *)copy,
				       .delete = (pl_mpi_function *)delete,
				       .extra = *extra});
	if (!key) {
		fail(ierr);
		return;
	}
	number = key->number;
	PL_MPI_NEXT(ompi_comm_create_keyval_f)
	(copy_value, delete_value, keyval, &number, ierr);
}
PL_FORTRAN_NAMES(ompi_comm_create_keyval_f, comm_create_keyval, COMM_CREATE_KEYVAL,
		 Comm_create_keyval)

void ompi_keyval_create_f(old_copy_fn *copy, old_delete_fn *delete, fint *keyval, fint *extra,
			  fint *ierr)
{
	const struct key *key;
	fint number;

	if (pl_mpi_is_aside()) {
		PL_MPI_NEXT(ompi_keyval_create_f)
		(copy, delete, keyval, extra, ierr);
		return;
	}
	key = key_create(&(struct key){.copy = (pl_mpi_function *)copy,
				       .delete = (pl_mpi_function *)delete,
				       .old_extra = *extra});
	if (!key) {
		fail(ierr);
		return;
	}
	number = key->number;
	PL_MPI_NEXT(ompi_keyval_create_f)
	(old_copy_value, old_delete_value, keyval, &number, ierr);
}
PL_FORTRAN_NAMES(ompi_keyval_create_f, keyval_create, KEYVAL_CREATE, Keyval_create)

#define HANDLER(i)                                                                                 \
	static void handle_##i(fint *comm, fint *code, ...)                                        \
	{                                                                                          \
		fint seen = pl_fortran_leave(*comm);                                               \
                                                                                                   \
		((handler_fn *)pl_mpi_handler(i))(&seen, code);                                    \
	}
PL_MPI_EACH_HANDLER(HANDLER)

#define HANDLE(i) handle_##i,

void ompi_comm_create_errhandler_f(handler_fn *function, fint *handle, fint *ierr)
{
	static handler_fn *const ours[PL_MPI_N_HANDLERS] = {PL_MPI_EACH_HANDLER(HANDLE)};
	const int i = pl_mpi_is_aside() ? -1 : pl_mpi_handler_note((pl_mpi_function *)function);

	PL_MPI_NEXT(ompi_comm_create_errhandler_f)
	(i < 0 ? function : ours[i], handle, ierr);
}
PL_FORTRAN_NAMES(ompi_comm_create_errhandler_f, comm_create_errhandler, COMM_CREATE_ERRHANDLER,
		 Comm_create_errhandler)
/* MPI-1's name for it; ompi_errhandler_create_f itself calls the above */
PL_FORTRAN_NAMES(ompi_comm_create_errhandler_f, errhandler_create, ERRHANDLER_CREATE,
		 Errhandler_create)
