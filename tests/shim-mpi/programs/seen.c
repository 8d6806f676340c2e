/* SPDX-License-Identifier: BSD-3-Clause */
/* seen.c - an MPI library that tells of its all-reduces of many elements */
/* Preloaded behind the shim, it is what the shim takes for the library. */
#include "config.h"

#include PL_MPI_LIBRARY_H

#include <dlfcn.h>
#include <stdio.h>

#define MANY 100

#define CALL(function, more_parameters, more_arguments)                                            \
	int function(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op,               \
		     MPI_Comm comm more_parameters)                                                \
	{                                                                                          \
		int (*next)(const void *, void *, int, MPI_Datatype, MPI_Op,                       \
			    MPI_Comm more_parameters);                                             \
                                                                                                   \
		*(void **)&next = dlsym(RTLD_NEXT, TEXT(function));                                \
		if (n >= MANY)                                                                     \
			fprintf(stderr, "the library has seen %s\n", TEXT(function));              \
		return next(in, out, n, type, op, comm more_arguments);                            \
	}
#define TEXT(function) TEXT_OF(function)
#define TEXT_OF(function) #function
#define AND ,

CALL(PMPI_Allreduce, , )
CALL(PMPI_Iallreduce, AND MPI_Request *request, AND request)
CALL(PL_MPI_PERSISTENT(Allreduce), AND MPI_Info info AND MPI_Request *request, AND info AND request)
