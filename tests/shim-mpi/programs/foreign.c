/* SPDX-License-Identifier: BSD-3-Clause */
/* foreign.c - preload library: the MPI library says that it is another one */
/* Its handles and callbacks need not be like Open MPI's: what comes to it from the program must be
 * the program's. */
#include "config.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define LENGTH 5000 /* MPI's of the family of MPICH say up to 8191 */

int PMPI_Get_library_version(char *version, int *len)
{
	static const char start[] = "Any MPI v4.1.4, of nobody ";

	memset(version, 'x', LENGTH);
	memcpy(version, start, sizeof(start) - 1);
	version[LENGTH] = '\0';
	*len = LENGTH;
	return MPI_SUCCESS;
}

static void check_own(const char *what, void *function)
{
	Dl_info info = {0};

	if (dladdr(function, &info) && strstr(info.dli_fname, "plink-mpi"))
		printf("%s: not the program's\n", what);
}

typedef int key_fn(MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *, int *, void *);
typedef int handler_fn(MPI_Comm_errhandler_function *, MPI_Errhandler *);

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy,
			    MPI_Comm_delete_attr_function *delete, int *keyval, void *extra)
{
	key_fn *next = (key_fn *)dlsym(RTLD_NEXT, "PMPI_Comm_create_keyval");

	check_own("copy function", (void *)copy);
	check_own("delete function", (void *)delete);
	return next(copy, delete, keyval, extra);
}

int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *handle)
{
	handler_fn *next = (handler_fn *)dlsym(RTLD_NEXT, "PMPI_Comm_create_errhandler");

	check_own("error handler", (void *)function);
	return next(function, handle);
}
