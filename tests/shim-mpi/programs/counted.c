/* SPDX-License-Identifier: BSD-3-Clause */
/* counted.c - calls whose number and bytes are known, for PLINK_STATS */
/* The argument says which; each is a line of the table at the end. */
#include "config.h"

#include PL_MPI_LIBRARY_H

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANKS_MAX 16

static int rank, n;
static int in[1024], out[1024];

/* counts[i] = first + i, displs after one another */
static void make_counts(int counts[RANKS_MAX], int displs[RANKS_MAX], int first)
{
	for (int i = 0; i < n; i++) {
		counts[i] = first + i;
		displs[i] = i ? displs[i - 1] + counts[i - 1] : 0;
	}
}

static void call_common(void)
{
	double *x = calloc(100, sizeof(*x)), *y = calloc(100, sizeof(*y));

	for (int i = 0; i < 3; i++)
		MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 2; i++)
		MPI_Bcast(in, 3, MPI_INT, 1, MPI_COMM_WORLD);
	for (int i = 0; i < 5; i++)
		MPI_Allreduce(x, y, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allreduce(MPI_IN_PLACE, y, 0, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Reduce(in, out, 2, MPI_INT, MPI_MAX, n - 1, MPI_COMM_WORLD);
	MPI_Scan(in, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Exscan(in, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	free(x);
	free(y);
}

static void call_gathers(void)
{
	const void *give = rank == 0 ? MPI_IN_PLACE : in;
	void *take = rank == 0 ? MPI_IN_PLACE : in;
	int counts[RANKS_MAX], displs[RANKS_MAX];

	make_counts(counts, displs, 0);
	MPI_Gather(give, 5, MPI_BYTE, out, 5, MPI_BYTE, 0, MPI_COMM_WORLD);
	MPI_Gatherv(give, rank, MPI_INT, out, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Scatter(out, 5, MPI_BYTE, take, 5, MPI_BYTE, 0, MPI_COMM_WORLD);
	MPI_Scatterv(out, counts, displs, MPI_INT, take, rank, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Allgather(in, 3, MPI_INT, out, 3, MPI_INT, MPI_COMM_WORLD);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 3, MPI_INT, MPI_COMM_WORLD);
	make_counts(counts, displs, 1);
	MPI_Allgatherv(in, rank + 1, MPI_INT, out, counts, displs, MPI_INT, MPI_COMM_WORLD);
	MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, counts, displs, MPI_INT,
		       MPI_COMM_WORLD);
}

static void call_exchanges(void)
{
	int counts[RANKS_MAX], displs[RANKS_MAX], mine[RANKS_MAX];
	int at[RANKS_MAX], mine_at[RANKS_MAX];
	MPI_Datatype types[RANKS_MAX], mine_of[RANKS_MAX];

	make_counts(counts, displs, 0);
	for (int i = 0; i < n; i++) {
		mine[i] = rank;
		at[i] = i * rank;
		mine_at[i] = 4 * at[i];
		types[i] = i % 2 ? MPI_BYTE : MPI_INT;
		mine_of[i] = rank % 2 ? MPI_BYTE : MPI_INT;
	}
	MPI_Alltoall(in, 2, MPI_INT, out, 2, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 2, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoallv(in, counts, displs, MPI_INT, out, mine, at, MPI_INT, MPI_COMM_WORLD);
	for (int i = 0; i < n; i++)
		displs[i] *= 4;
	MPI_Alltoallw(in, counts, displs, types, out, mine, mine_at, mine_of, MPI_COMM_WORLD);
	make_counts(counts, displs, 1);
	MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Reduce_scatter_block(in, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void call_later(void)
{
	MPI_Request request[3];
	MPI_Status status[3];

	MPI_Iallreduce(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[0]);
	MPI_Ibcast(in, 2, MPI_INT, 0, MPI_COMM_WORLD, &request[1]);
	MPI_Ibarrier(MPI_COMM_WORLD, &request[2]);
	MPI_Waitall(3, request, status);
	PL_MPI_PERSISTENT(Allreduce)
	(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
	for (int i = 0; i < 3; i++) {
		MPI_Start(&request[0]);
		MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request[0]);
}

static void call_messages(void)
{
	const int next = (rank + 1) % n, before = (rank + n - 1) % n;
	MPI_Request request;

	MPI_Isend(in, 7, MPI_BYTE, next, 1, MPI_COMM_WORLD, &request);
	MPI_Recv(out, 7, MPI_BYTE, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Send(in, 100, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
	MPI_Sendrecv(in, 1 + rank % 2, MPI_INT, next, 2, out, 2, MPI_INT, before, 2, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(in, 1, MPI_INT, next, 3, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Send_init(in, 9, MPI_BYTE, next, 4, MPI_COMM_WORLD, &request);
	MPI_Start(&request);
	MPI_Recv(out, 9, MPI_BYTE, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
}

/* Two halves, and what is between them; a type with holes; a call that
 * fails. */
static void call_on_others(void)
{
	const int is_low = rank < n / 2;
	MPI_Comm half, between;
	MPI_Datatype holes;
	int root = 0;

	MPI_Comm_split(MPI_COMM_WORLD, is_low, rank, &half);
	MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, half);
	MPI_Allreduce(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
	MPI_Type_vector(3, 1, 2, MPI_INT, &holes);
	MPI_Type_commit(&holes);
	MPI_Bcast(in, 2, holes, 0, half);
	MPI_Type_free(&holes);
	MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
	MPI_Bcast(in, 1, MPI_INT, 77, half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? n / 2 : 0, 7, &between);
	if (is_low)
		root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
	MPI_Bcast(in, 1, MPI_INT, root, between);
	MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, root, between);
	MPI_Alltoall(in, 3, MPI_BYTE, out, 3, MPI_BYTE, between);
	MPI_Comm_free(&between);
	MPI_Comm_free(&half);
}

static void call_all(void)
{
	call_common();
	call_gathers();
	call_exchanges();
	call_later();
	call_messages();
	call_on_others();
}

#define THREADS 4

/* Each thread twice, as tables are handed on: a thousand messages to itself. */
static void *send_many(void *arg)
{
	const int tag = *(int *)arg;
	MPI_Request request;
	char byte = 0, got;

	for (int i = 0; i < 1000; i++) {
		MPI_Irecv(&got, 1, MPI_BYTE, 0, tag, MPI_COMM_SELF, &request);
		MPI_Send(&byte, 1, MPI_BYTE, 0, tag, MPI_COMM_SELF);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	return NULL;
}

static void call_threads(void)
{
	pthread_t thread[THREADS];
	int tag[THREADS];

	for (int turn = 0; turn < 2; turn++) {
		for (int i = 0; i < THREADS; i++) {
			tag[i] = i;
			if (pthread_create(&thread[i], NULL, send_many, &tag[i]))
				exit(2);
		}
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
	}
}

/* More kinds of calls than a process tells apart: 17 classes of 23
 * functions. */
static void call_many(void)
{
	MPI_Comm comm = MPI_COMM_SELF;
	MPI_Request r[2];
	MPI_Status status[2];
	int zero = 0;

	for (int bits = -1; bits < 16; bits++) {
		const int m = bits < 0 ? 0 : 1 << bits;
		char *a = calloc(2, (size_t)m + 1), *b = a + m + 1;

		MPI_Bcast(a, m, MPI_BYTE, 0, comm);
		MPI_Reduce(a, b, m, MPI_BYTE, MPI_BOR, 0, comm);
		MPI_Allreduce(a, b, m, MPI_BYTE, MPI_BOR, comm);
		MPI_Scan(a, b, m, MPI_BYTE, MPI_BOR, comm);
		MPI_Exscan(a, b, m, MPI_BYTE, MPI_BOR, comm);
		MPI_Gather(a, m, MPI_BYTE, b, m, MPI_BYTE, 0, comm);
		MPI_Gatherv(a, m, MPI_BYTE, b, &m, &zero, MPI_BYTE, 0, comm);
		MPI_Scatter(a, m, MPI_BYTE, b, m, MPI_BYTE, 0, comm);
		MPI_Scatterv(a, &m, &zero, MPI_BYTE, b, m, MPI_BYTE, 0, comm);
		MPI_Allgather(a, m, MPI_BYTE, b, m, MPI_BYTE, comm);
		MPI_Alltoall(a, m, MPI_BYTE, b, m, MPI_BYTE, comm);
		MPI_Reduce_scatter(a, b, &m, MPI_BYTE, MPI_BOR, comm);
		MPI_Reduce_scatter_block(a, b, m, MPI_BYTE, MPI_BOR, comm);
		MPI_Ibcast(a, m, MPI_BYTE, 0, comm, &r[0]);
		MPI_Ireduce(a, b, m, MPI_BYTE, MPI_BOR, 0, comm, &r[1]);
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
		MPI_Iallreduce(a, b, m, MPI_BYTE, MPI_BOR, comm, &r[1]);
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
		MPI_Iscan(a, b, m, MPI_BYTE, MPI_BOR, comm, &r[1]);
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
		MPI_Igather(a, m, MPI_BYTE, b, m, MPI_BYTE, 0, comm, &r[1]);
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
		MPI_Iscatter(a, m, MPI_BYTE, b, m, MPI_BYTE, 0, comm, &r[1]);
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
		MPI_Iallgather(a, m, MPI_BYTE, b, m, MPI_BYTE, comm, &r[1]);
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
		MPI_Ialltoall(a, m, MPI_BYTE, b, m, MPI_BYTE, comm, &r[1]);
		MPI_Waitall(2, r, status);
		MPI_Sendrecv(a, m, MPI_BYTE, 0, 0, b, m, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE);
		/* of nothing, the library makes it an MPI_Sendrecv */
		MPI_Sendrecv_replace(a, m ? m : 1, MPI_BYTE, 0, 0, 0, 0, comm, MPI_STATUS_IGNORE);
		free(a);
	}
}

/* Ranks call different things, and one of them nothing. */
static void call_unequally(void)
{
	for (int i = 0; i < 10 * rank; i++)
		MPI_Allreduce(in, out, 1 << rank, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

/* One of the ranks comes late: the others spend the time waiting. */
static void call_late(void)
{
	if (rank == 1)
		usleep(200000);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void call_abort(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Abort(MPI_COMM_WORLD, 7);
}

static void call_elsewhere(void)
{
	if (chdir("/"))
		exit(2);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* A program that needs no standard streams, and gets their numbers for files of its own. */
static void call_closed(void)
{
	char path[64];

	close(1);
	close(2);
	for (int fd = 1; fd <= 2; fd++) {
		snprintf(path, sizeof(path), "own-%d-%d", rank, fd);
		if (open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) != fd)
			exit(2);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

static const struct {
	const char *name;
	void (*call)(void);
} calls[] = {
	{"closed", call_closed},       {"all", call_all},
	{"threads", call_threads},     {"many", call_many},
	{"unequally", call_unequally}, {"late", call_late},
	{"abort", call_abort},         {"elsewhere", call_elsewhere},
};

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (argc > 1 && strcmp(argv[1], calls[i].name) == 0)
			calls[i].call();
	MPI_Finalize();
	return argc > 2 ? atoi(argv[2]) : 0;
}
