/* SPDX-License-Identifier: BSD-3-Clause */
/* wrong.c - collectives that fail, and how the program learns of it */
#include "config.h"

#include PL_MPI_LIBRARY_H
#include "tests/shim-mpi/programs/collectives.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What MPICH does not look at: it would crash. */
#ifdef MPICH_NUMVERSION
#define ARE_LOOKED_AT false
#else
#define ARE_LOOKED_AT true
#endif

static MPI_Comm blamed;
static int n_blamed, class_blamed;
static char where[64];

static void note_error(MPI_Comm *comm, int *code, ...)
{
#ifdef OPEN_MPI /* which names the function; MPICH passes no more */
	const char *name;
	va_list ap;

	va_start(ap, code);
	name = va_arg(ap, const char *);
	va_end(ap);
	snprintf(where, sizeof(where), "%s", name ? name : "");
#endif
	blamed = *comm;
	n_blamed++;
	MPI_Error_class(*code, &class_blamed);
}

/* Prints what a call did, for comparison of a run without and with. */
static void tell(int rc, MPI_Comm comm, const char *call)
{
	int rank, class;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Error_class(rc, &class);
	if (rank == 0)
		printf("said %s: class %d, told %d times, class %d, of %s, by %s\n", call, class,
		       n_blamed, class_blamed,
		       blamed == comm             ? "its communicator"
		       : blamed == MPI_COMM_WORLD ? "the world"
						  : "another",
		       where);
	fflush(stdout);
	blamed = MPI_COMM_NULL;
	n_blamed = class_blamed = 0;
	where[0] = '\0';
}

static void count_wrongly(MPI_Comm comm)
{
	int in[8] = {0}, out[8];
	MPI_Request request;

	tell(MPI_Allreduce(in, out, -1, MPI_INT, MPI_SUM, comm), comm, "a count below 0");
	tell(MPI_Iallreduce(in, out, -1, MPI_INT, MPI_SUM, comm, &request), comm, "nonblocking");
	tell(PL_MPI_PERSISTENT(Allreduce)(in, out, -1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
					  &request),
	     comm, "persistent");
}

static void call_wrongly(MPI_Comm comm)
{
	MPI_Datatype open;
	int in[8] = {0}, out[64], n;
	MPI_Request request;

	MPI_Comm_size(comm, &n);
	MPI_Type_contiguous(2, MPI_INT, &open);
	tell(MPI_Allreduce(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm), comm, "no type");
	tell(MPI_Allreduce(in, out, 1, MPI_INT, MPI_OP_NULL, comm), comm, "no operation");
	tell(MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_BAND, comm), comm,
	     "no operation for this type");
	tell(MPI_Allreduce(in, in, 2, MPI_INT, MPI_SUM, comm), comm, "one buffer for both");
	tell(MPI_Allreduce(in, MPI_IN_PLACE, 2, MPI_INT, MPI_SUM, comm), comm,
	     "the result in place");
	tell(MPI_Allreduce(in, out, 1, open, MPI_SUM, comm), comm, "a type not committed");
	tell(MPI_Bcast(in, 1, MPI_INT, n, comm), comm, "a root too high");
	tell(MPI_Bcast(in, 1, MPI_INT, -1, comm), comm, "a root below 0");
	tell(MPI_Bcast(in, 1, MPI_INT, MPI_ROOT, comm), comm, "MPI_ROOT");
	tell(MPI_Bcast(in, 1, open, 0, comm), comm, "a broadcast of such");
	tell(MPI_Reduce(in, out, 1, MPI_INT, MPI_SUM, n, comm), comm, "a reduce to no rank");
	tell(MPI_Allgather(in, 1, MPI_INT, out, -1, MPI_INT, comm), comm,
	     "an all-gather of less than nothing");
	tell(MPI_Allgather(in, 1, MPI_DATATYPE_NULL, out, 1, MPI_INT, comm), comm,
	     "an all-gather without type");
	tell(MPI_Allgather(in, 1, MPI_INT, out, 1, open, comm), comm,
	     "an all-gather into a type not committed");
	tell(MPI_Allgather(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm), comm,
	     "an all-gather in the wrong place");
	tell(MPI_Ibcast(in, 1, MPI_INT, n, comm, &request), comm, "nonblocking, a root too high");
	tell(MPI_Iallreduce(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm, &request), comm,
	     "nonblocking, no type");
	tell(PL_MPI_PERSISTENT(Bcast)(in, -1, MPI_INT, 0, comm, MPI_INFO_NULL, &request), comm,
	     "persistent, a count below 0");
	tell(PL_MPI_PERSISTENT(Reduce)(in, out, 1, MPI_INT, MPI_OP_NULL, 0, comm, MPI_INFO_NULL,
				       &request),
	     comm, "persistent, no operation");
	tell(MPI_Barrier(MPI_COMM_NULL), comm, "no communicator");
	MPI_Type_free(&open);
}

/* By rank 0. */
static void count_alone(MPI_Comm comm)
{
	int in[2] = {0}, out[2];

	tell(MPI_Allreduce(in, out, -1, MPI_INT, MPI_SUM, comm), comm, "alone, a count below 0");
	tell(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm), comm, "alone, a broadcast in place");
	tell(MPI_Reduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, 1, comm), comm,
	     "alone, a reduce in place to another");
}

/* Rank 0 may say in place if it is the root, and only of what it gives. */
static void reduce_alone(MPI_Comm comm)
{
	int v[2] = {0};

	tell(MPI_Reduce(v, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, 0, comm), comm,
	     "alone, a reduce into the wrong place");
	tell(MPI_Reduce(MPI_IN_PLACE, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, 0, comm), comm,
	     "alone, a reduce from nowhere to nowhere");
	tell(MPI_Reduce(v, v, 1, MPI_INT, MPI_SUM, 0, comm), comm, "alone, a reduce in one buffer");
}

/* The same where it is right: in the root in place, elsewhere in one buffer that means nothing. */
static bool reduce_is_right(MPI_Comm comm)
{
	int rank, n, v = 1;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &n);
	MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &v, &v, 1, MPI_INT, MPI_SUM, 0, comm);
	return v == (rank == 0 ? n : 1);
}

/* Rank 0 goes on, the others once it has come here. */
static void wait_for_first(MPI_Comm comm)
{
	int rank, n;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &n);
	for (int to = 1; rank == 0 && to < n; to++)
		MPI_Send(&rank, 1, MPI_INT, to, 0, comm);
	if (rank != 0)
		MPI_Recv(&rank, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
}

/* One process alone is told at once: it waits for none of the others. */
static void call_alone(MPI_Comm world, MPI_Errhandler handler)
{
	MPI_Datatype open;
	int in[8] = {0}, out[64], rank;
	MPI_Comm comm;

	MPI_Comm_dup(world, &comm); /* on which nothing was called yet */
	MPI_Comm_set_errhandler(comm, handler);
	MPI_Comm_rank(comm, &rank);
	MPI_Type_contiguous(2, MPI_INT, &open);
	if (rank == 0) {
		if (ARE_LOOKED_AT)
			count_alone(comm);
		tell(MPI_Reduce(in, out, 1, MPI_DOUBLE, MPI_BAND, 0, comm), comm,
		     "alone, no operation for this type");
		tell(MPI_Bcast(in, 1, open, 0, comm), comm, "alone, a type not committed");
		tell(MPI_Allgather(in, 1, MPI_INT, out, 1, MPI_DATATYPE_NULL, comm), comm,
		     "alone, no type");
		tell(MPI_Allgather(in, -1, MPI_INT, out, 1, MPI_INT, comm), comm,
		     "alone, less than nothing given");
		tell(MPI_Allgather(in, 1, open, out, 1, MPI_INT, comm), comm,
		     "alone, an all-gather of a type not committed");
		tell(MPI_Allgather(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm), comm,
		     "alone, an all-gather in the wrong place");
		tell(MPI_Allreduce(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm), comm,
		     "alone, the result in place");
		tell(MPI_Allreduce(out, out, 2, MPI_INT, MPI_SUM, comm), comm,
		     "alone, one buffer for both");
		reduce_alone(comm);
	}
	wait_for_first(world);
	MPI_Type_free(&open);
	check(reduce_is_right(comm) && sum_is_right(comm), "then all call it");
	MPI_Comm_free(&comm);
}

/* More than a process has room for: found out when it has come. Of two processes: with more, some
 * would wait for those that have failed. */
static void send_too_much(MPI_Errhandler handler)
{
	int rank, n, v[2] = {0}, rc = MPI_SUCCESS;
	MPI_Comm pair;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Comm_split(MPI_COMM_WORLD, rank == 0 || rank == n - 1, rank, &pair);
	MPI_Comm_set_errhandler(pair, handler);
	if (rank == 0 || rank == n - 1)
		rc = MPI_Bcast(v, rank == 0 ? 2 : 1, MPI_INT, 0, pair);
	MPI_Error_class(rc, &rc);
	check(rank < n - 1 || (rc == MPI_ERR_TRUNCATE && n_blamed == 1 && class_blamed == rc &&
			       blamed == pair),
	      "a buffer too small is told of the communicator");
	n_blamed = 0;
	MPI_Comm_free(&pair);
}

void check_wrong(void)
{
	MPI_Errhandler handler, fatal;
	MPI_Comm comm;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_create_errhandler(note_error, &handler);
	MPI_Comm_get_errhandler(comm, &fatal);
	check(fatal == MPI_ERRORS_ARE_FATAL && sum_is_right(comm),
	      "the handler stays when a collective has come");
	MPI_Errhandler_free(&fatal);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Comm_set_errhandler(comm, handler);
	if (ARE_LOOKED_AT)
		count_wrongly(comm);
	call_wrongly(comm);
	call_alone(comm, handler);
	send_too_much(handler);
	MPI_Comm_free(&comm);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&handler);
}
