/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich.c - what MPICH's Fortran and C++ bindings call besides PMPI_X */
/*
 * Fortran sets and gets attributes by functions that also know how wide a value is. Both make a key
 * as C does, which they then give functions to call the program's by: as these stand between MPICH
 * and attributes.c, others must stand between them and the program. So do error handlers of C++;
 * those of Fortran are called as those of C are.
 */
#include "config.h"

#include "shim/mpi/attributes.h"
#include "shim/mpi/errors.h"

#define EXPORT __attribute__((visibility("default")))

/* Of MPICH's own functions; a value's type is an enum there. */
EXPORT int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag, int type);
EXPORT int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int type);

typedef int copy_caller(MPI_Comm_copy_attr_function *, int handle, int keyval, void *extra,
			int type, void *in, void **out, int *flag);
typedef int delete_caller(MPI_Comm_delete_attr_function *, int handle, int keyval, int type,
			  void *value, void *extra);

EXPORT void MPII_Keyval_set_proxy(int keyval, copy_caller *copy, delete_caller *delete);

int MPII_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag, int type)
{
	return PL_MPI_NEXT(MPII_Comm_get_attr)(pl_mpi_enter_for(comm, keyval), keyval, value, flag,
					       type);
}

int MPII_Comm_set_attr(MPI_Comm comm, int keyval, void *value, int type)
{
	return PL_MPI_NEXT(MPII_Comm_set_attr)(pl_mpi_enter_for(comm, keyval), keyval, value, type);
}

static int call_copy(MPI_Comm_copy_attr_function *ours, int handle, int keyval, void *extra,
		     int type, void *in, void **out, int *flag)
{
	const struct pl_mpi_key *key = extra;
	copy_caller *caller = (copy_caller *)key->copy_caller;

	(void)ours;
	return caller(key->copy, pl_mpi_leave(handle), keyval, key->extra, type, in, out, flag);
}

static int call_delete(MPI_Comm_delete_attr_function *ours, int handle, int keyval, int type,
		       void *value, void *extra)
{
	const struct pl_mpi_key *key = extra;
	delete_caller *caller = (delete_caller *)key->delete_caller;

	(void)ours;
	return caller(key->delete, pl_mpi_leave(handle), keyval, type, value, key->extra);
}

void MPII_Keyval_set_proxy(int keyval, copy_caller *copy, delete_caller *delete)
{
	struct pl_mpi_key *key = pl_mpi_key_of(keyval);

	/* keys of types and windows, and of when the shim stands aside */
	if (!key) {
		PL_MPI_NEXT(MPII_Keyval_set_proxy)(keyval, copy, delete);
		return;
	}
	key->copy_caller = (pl_mpi_function *)copy;
	key->delete_caller = (pl_mpi_function *)delete;
	PL_MPI_NEXT(MPII_Keyval_set_proxy)(keyval, call_copy, call_delete);
}

/* By what C++ has its handlers called, of communicators (kind 0), files and windows: always the
 * same function. */
typedef void handler_caller(int kind, int *handle, int *code, pl_mpi_function *function);
static handler_caller *cxx_caller;

EXPORT void MPII_Errhandler_set_cxx(MPI_Errhandler handle, pl_mpi_function *caller);

static void call_cxx(int kind, int *handle, int *code, pl_mpi_function *function)
{
	int seen = kind == 0 ? pl_mpi_leave(*handle) : *handle;

	cxx_caller(kind, &seen, code, pl_mpi_handler_of(function));
}

void MPII_Errhandler_set_cxx(MPI_Errhandler handle, pl_mpi_function *caller)
{
	cxx_caller = (handler_caller *)caller;
	PL_MPI_NEXT(MPII_Errhandler_set_cxx)
	(handle, (pl_mpi_function *)call_cxx);
}
