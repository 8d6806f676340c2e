/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c - an MPI library that tells which of its collectives are called, on what */
/*
 * Preloaded behind the shim, it is what the shim takes for the library. A program that has a
 * function plink_test_called() is told.
 */
#include "config.h"

#include <dlfcn.h>
#include <mpi.h>

typedef void called(const char *name, MPI_Comm comm, int root);

static void tell(const char *name, MPI_Comm comm, int root)
{
	called *to;

	*(void **)&to = dlsym(RTLD_DEFAULT, "plink_test_called");
	if (to)
		to(name, comm, root);
}

/* PMPI_X, whose arguments those are. */
#define CALL(name, root, parameters, arguments)                                                    \
	int PMPI_##name parameters                                                                 \
	{                                                                                          \
		int(*next) parameters;                                                             \
                                                                                                   \
		*(void **)&next = dlsym(RTLD_NEXT, "PMPI_" #name);                                 \
		tell(#name, comm, root);                                                           \
		return next arguments;                                                             \
	}

/* Of each collective the blocking, the nonblocking and the persistent one. */
#define ALLREDUCE(number)                                                                          \
	const void *in, void *out, number n, MPI_Datatype type, MPI_Op op, MPI_Comm comm
#define CALL_ALLREDUCE(number, suffix)                                                             \
	CALL(Allreduce##suffix, -1, (ALLREDUCE(number)), (in, out, n, type, op, comm))             \
	CALL(Iallreduce##suffix, -1, (ALLREDUCE(number), MPI_Request * request),                   \
	     (in, out, n, type, op, comm, request))                                                \
	CALL(Allreduce_init##suffix, -1,                                                           \
	     (ALLREDUCE(number), MPI_Info info, MPI_Request * request),                            \
	     (in, out, n, type, op, comm, info, request))

#define BCAST(number) void *buffer, number n, MPI_Datatype type, int root, MPI_Comm comm
#define CALL_BCAST(number, suffix)                                                                 \
	CALL(Bcast##suffix, root, (BCAST(number)), (buffer, n, type, root, comm))                  \
	CALL(Ibcast##suffix, root, (BCAST(number), MPI_Request * request),                         \
	     (buffer, n, type, root, comm, request))                                               \
	CALL(Bcast_init##suffix, root, (BCAST(number), MPI_Info info, MPI_Request * request),      \
	     (buffer, n, type, root, comm, info, request))

#define REDUCE(number)                                                                             \
	const void *in, void *out, number n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm
#define CALL_REDUCE(number, suffix)                                                                \
	CALL(Reduce##suffix, root, (REDUCE(number)), (in, out, n, type, op, root, comm))           \
	CALL(Ireduce##suffix, root, (REDUCE(number), MPI_Request * request),                       \
	     (in, out, n, type, op, root, comm, request))                                          \
	CALL(Reduce_init##suffix, root, (REDUCE(number), MPI_Info info, MPI_Request * request),    \
	     (in, out, n, type, op, root, comm, info, request))

#define CALL_ALLGATHER(number, suffix)                                                             \
	CALL(Allgather##suffix, -1,                                                                \
	     (const void *in, number n_in, MPI_Datatype type_in, void *out, number n,              \
	      MPI_Datatype type, MPI_Comm comm),                                                   \
	     (in, n_in, type_in, out, n, type, comm))

#define CALL_ALL(number, suffix)                                                                   \
	CALL_ALLREDUCE(number, suffix)                                                             \
	CALL_BCAST(number, suffix)                                                                 \
	CALL_REDUCE(number, suffix)                                                                \
	CALL_ALLGATHER(number, suffix)

CALL_ALL(int, )
CALL_ALL(MPI_Count, _c)
CALL(Barrier, -1, (MPI_Comm comm), (comm))
CALL(Ibarrier, -1, (MPI_Comm comm, MPI_Request *request), (comm, request))
CALL(Barrier_init, -1, (MPI_Comm comm, MPI_Info info, MPI_Request *request), (comm, info, request))
