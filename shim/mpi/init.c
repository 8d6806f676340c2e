/* SPDX-License-Identifier: BSD-3-Clause */
/* init.c - the permuted world's life: from MPI_Init to MPI_Finalize */
#include "config.h"

#include "shim/mpi/world.h"

#include "shim/mpi/library.h"
#include "shim/say.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

MPI_Comm pl_mpi_world = MPI_COMM_WORLD;

/* The Fortran bindings may have come with a plugin, for it alone to see: then they stand in no
 * order after this library. */
static void *in_plugin(const char *name)
{
	void *bindings = dlopen(PL_MPI_FORTRAN, RTLD_LAZY | RTLD_NOLOAD);

	return bindings ? dlsym(bindings, name) : NULL;
}

void *pl_mpi_next(const char *name, const void *caller)
{
	void *found = dlsym(RTLD_NEXT, name);

	pl_mpi_check_caller(caller);
	if (!found)
		found = in_plugin(name);
	if (found)
		return found;
	pl_shim_say("the program calls %s, which this MPI library lacks", name);
	abort();
}

static int call_end(MPI_Comm self, int keyval, void *end, void *extra)
{
	(void)self;
	(void)keyval;
	(void)extra;
	((void (*)(void))(uintptr_t)end)();
	return MPI_SUCCESS;
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else, the latest first: so
 * this comes after the program's own. */
void pl_mpi_at_finalize(void (*end)(void))
{
	int keyval;

	PL_MPI_NEXT(PMPI_Comm_create_keyval)
	(MPI_COMM_NULL_COPY_FN, call_end, &keyval, NULL);
	PL_MPI_NEXT(PMPI_Comm_set_attr)
	(MPI_COMM_SELF, keyval, (void *)(uintptr_t)end);
	PL_MPI_NEXT(PMPI_Comm_free_keyval)(&keyval);
}

static void free_world(void)
{
	MPI_Comm world = pl_mpi_world;

	/* delete functions of the world's attributes run in here: they still see the permuted
	 * one */
	PL_MPI_NEXT(PMPI_Comm_free)(&world);
	pl_mpi_world = MPI_COMM_WORLD;
}

void pl_mpi_set_world(MPI_Comm world)
{
	pl_mpi_at_finalize(free_world);
	PL_MPI_NEXT(PMPI_Comm_set_name)(world, "MPI_COMM_WORLD");
	pl_mpi_world = world;
}

int PMPI_Init(int *argc, char ***argv)
{
	const int rc = PL_MPI_NEXT(PMPI_Init)(argc, argv);

	if (rc == MPI_SUCCESS)
		pl_mpi_start();
	return rc;
}
PL_MPI_ALIAS(MPI_Init)

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	const int rc = PL_MPI_NEXT(PMPI_Init_thread)(argc, argv, required, provided);

	if (rc == MPI_SUCCESS)
		pl_mpi_start();
	return rc;
}
PL_MPI_ALIAS(MPI_Init_thread)

#if MPI_VERSION >= 4
/* No rank follows the plan in sessions: only the caller is looked at. */
int PMPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
	return PL_MPI_NEXT(PMPI_Session_init)(info, handler, session);
}
PL_MPI_ALIAS(MPI_Session_init)
#endif
