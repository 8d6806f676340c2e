/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.c - error handlers of the world, and MPI_Abort */
/*
 * Calls without a communicator raise their errors on the real world, all others
 * on the permuted one: a handler set on the world is set on both. The program's
 * handlers are told of MPI_COMM_WORLD, by one function of ours that stands for
 * all of them: which of them is meant, the communicator knows.
 */
#include "config.h"

#include "shim/mpi/errors.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

/* A handle and its function. The library frees an error handler when its last
 * user is gone, of which nobody is told: so entries stay, and one whose handle
 * comes again is overwritten. */
struct handler {
	MPI_Errhandler handle;
	pl_mpi_function *function;
	struct handler *next;
};

static struct handler *handlers;
static pthread_mutex_t handlers_lock = PTHREAD_MUTEX_INITIALIZER;

/* Both with the lock held. */
static struct handler *find(MPI_Errhandler handle)
{
	struct handler *h = handlers;

	while (h && h->handle != handle)
		h = h->next;
	return h;
}

static struct handler *find_or_add(MPI_Errhandler handle)
{
	struct handler *h = find(handle);

	if (h)
		return h;
	h = malloc(sizeof(*h));
	if (!h)
		return NULL;
	*h = (struct handler){.handle = handle, .next = handlers};
	handlers = h;
	return h;
}

int pl_mpi_handler_note(MPI_Errhandler handle, pl_mpi_function *function)
{
	struct handler *h;

	pthread_mutex_lock(&handlers_lock);
	h = find_or_add(handle);
	if (h)
		h->function = function;
	pthread_mutex_unlock(&handlers_lock);
	return h ? 0 : -1;
}

pl_mpi_function *pl_mpi_handler_of(MPI_Comm comm)
{
	pl_mpi_function *function = NULL;
	MPI_Errhandler handle;
	struct handler *h;

	PL_MPI_NEXT(PMPI_Comm_get_errhandler)(comm, &handle);
	pthread_mutex_lock(&handlers_lock);
	h = find(handle);
	if (h)
		function = h->function;
	pthread_mutex_unlock(&handlers_lock);
	PL_MPI_NEXT(PMPI_Errhandler_free)(&handle);
	return function;
}

/* Open MPI gives a handler one more argument, the name of the function that
 * failed, and a NULL behind it. */
static void handle_error(MPI_Comm *comm, int *code, ...)
{
	MPI_Comm_errhandler_function *function =
		(MPI_Comm_errhandler_function *)pl_mpi_handler_of(*comm);
	MPI_Comm seen = pl_mpi_leave(*comm);
	const char *where;
	va_list ap;

	va_start(ap, code);
	where = va_arg(ap, const char *);
	va_end(ap);
	if (function)
		function(&seen, code, where, NULL);
	else /* another thread has just set another: no error must be lost */
		PMPI_Abort(seen, *code);
}

int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function,
				MPI_Errhandler *handle)
{
	int rc;

	/* what lacks something is an error, which is the library's */
	if (pl_mpi_is_aside() || !function || !handle)
		return PL_MPI_NEXT(PMPI_Comm_create_errhandler)(function,
								handle);
	rc = PL_MPI_NEXT(PMPI_Comm_create_errhandler)(handle_error, handle);
	if (rc != MPI_SUCCESS ||
	    pl_mpi_handler_note(*handle, (pl_mpi_function *)function) == 0)
		return rc;
	PL_MPI_NEXT(PMPI_Errhandler_free)(handle);
	PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
	return MPI_ERR_NO_MEM;
}
PL_MPI_ALIAS(MPI_Comm_create_errhandler)

int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handle)
{
	const int rc = PL_MPI_NEXT(PMPI_Comm_set_errhandler)(comm, handle);

	if (rc != MPI_SUCCESS || pl_mpi_enter(comm) == comm)
		return rc;
	return PL_MPI_NEXT(PMPI_Comm_set_errhandler)(pl_mpi_enter(comm),
						     handle);
}
PL_MPI_ALIAS(MPI_Comm_set_errhandler)

/* The world that the launcher knows, so that it says of it what it always does. */
int PMPI_Abort(MPI_Comm comm, int code)
{
	return PL_MPI_NEXT(PMPI_Abort)(comm, code);
}
PL_MPI_ALIAS(MPI_Abort)
