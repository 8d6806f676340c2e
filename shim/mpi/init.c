/* SPDX-License-Identifier: BSD-3-Clause */
/* init.c - the permuted world's life: from MPI_Init to MPI_Finalize */
#include "config.h"

#include "shim/mpi/world.h"

#include "shim/say.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

MPI_Comm pl_mpi_world = MPI_COMM_WORLD;

/* The Fortran bindings may have come with a plugin, for it alone to see: then
 * they stand in no order after this library. */
static void *in_plugin(const char *name)
{
	void *bindings = dlopen(PL_MPI_FORTRAN, RTLD_LAZY | RTLD_NOLOAD);

	return bindings ? dlsym(bindings, name) : NULL;
}

void *pl_mpi_next(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (!found)
		found = in_plugin(name);
	if (found)
		return found;
	pl_shim_say("the program calls %s, which this MPI library lacks", name);
	abort();
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else,
 * the latest first: so this comes after the program's own, and all is still
 * there. */
static int free_world(MPI_Comm self, int keyval, void *value, void *extra)
{
	MPI_Comm world = pl_mpi_world;

	(void)self;
	(void)keyval;
	(void)value;
	(void)extra;
	/* delete functions of the world's attributes run in here: they still
	 * see the permuted one */
	PL_MPI_NEXT(PMPI_Comm_free)(&world);
	pl_mpi_world = MPI_COMM_WORLD;
	return MPI_SUCCESS;
}

void pl_mpi_set_world(MPI_Comm world)
{
	int keyval;

	PL_MPI_NEXT(PMPI_Comm_create_keyval)
	(MPI_COMM_NULL_COPY_FN, free_world, &keyval, NULL);
	PL_MPI_NEXT(PMPI_Comm_set_attr)(MPI_COMM_SELF, keyval, NULL);
	PL_MPI_NEXT(PMPI_Comm_free_keyval)(&keyval);
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
	const int rc =
		PL_MPI_NEXT(PMPI_Init_thread)(argc, argv, required, provided);

	if (rc == MPI_SUCCESS)
		pl_mpi_start();
	return rc;
}
PL_MPI_ALIAS(MPI_Init_thread)
