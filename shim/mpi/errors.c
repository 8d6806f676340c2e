/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.c - error handlers of the world, and MPI_Abort */
/*
 * Calls without a communicator raise their errors on the real world, all others on the permuted
 * one: a handler set on the world is set on both. The program's handlers are told of
 * MPI_COMM_WORLD, by functions of ours that stand for them. These are told no more than the
 * communicator, and MPICH, which calls them with its lock held, cannot be asked for its handler: so
 * there is one of ours for each of the program's. Programs have few.
 */
#include "config.h"

#include "shim/mpi/errors.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

/* Those of the program, none of them twice. */
static pl_mpi_function *stands_for[PL_MPI_N_HANDLERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int pl_mpi_handler_note(pl_mpi_function *function)
{
	int i = 0;

	pthread_mutex_lock(&lock);
	while (i < PL_MPI_N_HANDLERS && stands_for[i] && stands_for[i] != function)
		i++;
	if (i < PL_MPI_N_HANDLERS)
		stands_for[i] = function;
	pthread_mutex_unlock(&lock);
	return i < PL_MPI_N_HANDLERS ? i : -1;
}

pl_mpi_function *pl_mpi_handler(int i)
{
	return stands_for[i];
}

/* Open MPI gives a handler one more argument, the name of the function that failed, and a NULL
 * behind it; MPICH a zero. */
#define HANDLER(i)                                                                                 \
	static void handle_##i(MPI_Comm *comm, int *code, ...)                                     \
	{                                                                                          \
		MPI_Comm seen = pl_mpi_leave(*comm);                                               \
		const char *where;                                                                 \
		va_list ap;                                                                        \
                                                                                                   \
		va_start(ap, code);                                                                \
		where = va_arg(ap, const char *);                                                  \
		va_end(ap);                                                                        \
		((MPI_Comm_errhandler_function *)stands_for[i])(&seen, code, where, NULL);         \
	}
PL_MPI_EACH_HANDLER(HANDLER)

#define HANDLE(i) handle_##i,
static MPI_Comm_errhandler_function *const ours[PL_MPI_N_HANDLERS] = {PL_MPI_EACH_HANDLER(HANDLE)};

pl_mpi_function *pl_mpi_handler_of(pl_mpi_function *function)
{
	for (int i = 0; i < PL_MPI_N_HANDLERS; i++)
		if ((pl_mpi_function *)ours[i] == function)
			return stands_for[i];
	return function;
}

int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *handle)
{
	int i = -1;

	/* what lacks something is an error, which is the library's */
	if (!pl_mpi_is_aside() && function && handle)
		i = pl_mpi_handler_note((pl_mpi_function *)function);
	return PL_MPI_NEXT(PMPI_Comm_create_errhandler)(i < 0 ? function : ours[i], handle);
}
PL_MPI_ALIAS(MPI_Comm_create_errhandler)

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handle)
{
	const int rc = PL_MPI_NEXT(PMPI_Comm_set_errhandler)(comm, handle);

	if (rc != MPI_SUCCESS || pl_mpi_enter(comm) == comm)
		return rc;
	return PL_MPI_NEXT(PMPI_Comm_set_errhandler)(pl_mpi_enter(comm), handle);
}
PL_MPI_ALIAS(MPI_Comm_set_errhandler)

/* The world that the launcher knows, so that it says of it what it always
 * does. */
int PMPI_Abort(MPI_Comm comm, int code)
{
	return PL_MPI_NEXT(PMPI_Abort)(comm, code);
}
PL_MPI_ALIAS(MPI_Abort)
