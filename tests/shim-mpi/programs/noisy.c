/* SPDX-License-Identifier: BSD-3-Clause */
/* noisy.c - all-reduces of vectors whose norms are known, for PLINK_STATS with noise */
/* The argument says which; each is a line of the table at the end. */
#include "config.h"

#include PL_MPI_LIBRARY_H

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define N 32768 /* elements */
#define ITERATIONS 12

static int rank, n;
static float in[N], out[N];
static double wide_in[N], wide_out[N];

/* All have the same vector, with a norm of sqrt(N). */
static void fill_alike(void)
{
	for (int i = 0; i < N; i++)
		in[i] = i % 2 ? -1 : 1;
}

/* Orthogonal ones, of sqrt(N / ranks). */
static void fill_apart(void)
{
	for (int i = 0; i < N; i++)
		wide_in[i] = in[i] = i % n == rank;
}

static void add(MPI_Comm comm)
{
	MPI_Allreduce(in, out, N, MPI_FLOAT, MPI_SUM, comm);
}

static void call_alike(void)
{
	fill_alike();
	add(MPI_COMM_WORLD);
}

static void call_apart(void)
{
	fill_apart();
	add(MPI_COMM_WORLD);
}

static void call_in_place(void)
{
	fill_apart();
	memcpy(out, in, sizeof(out));
	MPI_Allreduce(MPI_IN_PLACE, out, N, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void call_wide(void)
{
	fill_apart();
	MPI_Allreduce(wide_in, wide_out, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Vectors that differ in length. */
static void call_unequal(void)
{
	fill_alike();
	for (int i = 0; i < N; i++)
		in[i] *= (float)rank;
	add(MPI_COMM_WORLD);
}

static void call_two(void)
{
	call_alike();
	call_apart();
}

static void call_nan(void)
{
	fill_alike();
	in[7] = rank == 1 ? -NAN : 1;
	add(MPI_COMM_WORLD);
}

/* Even and odd ranks, on communicators that are made anew each time. */
static void call_halves(void)
{
	MPI_Comm half;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	fill_alike();
	add(half);
	add(half);
	MPI_Comm_free(&half);
}

static void add_pairs(void *more, void *sum, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < 2 * *count; i++)
		((float *)sum)[i] += ((float *)more)[i];
}

/* All files are closed, and this program's own take their numbers. */
static void call_closed(void)
{
	call_alike();
	for (int fd = 3; rank == 0 && fd < 256; fd++) {
		char link[32], to[256];
		ssize_t len;

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		len = readlink(link, to, sizeof(to));
		if (len > 6 && memcmp(to + len - 6, ".norms", 6) == 0) {
			const int own = open("program", O_WRONLY | O_CREAT, 0666);

			dup2(own, fd);
			close(own);
		}
	}
}

/* What is not looked at; and a call that fails. */
static void call_others(void)
{
	MPI_Request request;
	MPI_Datatype pair;
	MPI_Op op;

	MPI_Allreduce(in, out, 16383, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allreduce(in, out, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allreduce(in, out, N, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
	MPI_Iallreduce(in, out, N, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	add(MPI_COMM_SELF);
	MPI_Type_contiguous(2, MPI_FLOAT, &pair);
	MPI_Type_commit(&pair);
	MPI_Op_create(add_pairs, 1, &op);
	MPI_Allreduce(in, out, N / 2, pair, op, MPI_COMM_WORLD);
	MPI_Op_free(&op);
	MPI_Type_free(&pair);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Allreduce(in, out, N, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_WORLD);
}

/* Memory that only a GPU can read; one buffer for both, which is an error. */
static void call_unreadable(void)
{
	void *far = mmap(NULL, sizeof(in), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Allreduce(far, far, N, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	const struct {
		const char *name;
		void (*call)(void);
	} calls[] = {
		{"alike", call_alike},
		{"apart", call_apart},
		{"in-place", call_in_place},
		{"wide", call_wide},
		{"unequal", call_unequal},
		{"two", call_two},
		{"nan", call_nan},
		{"halves", call_halves},
		{"closed", call_closed},
		{"others", call_others},
		{"unreadable", call_unreadable},
	};

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		for (int k = 0; argc > 1 && k < ITERATIONS; k++)
			if (strcmp(calls[i].name, argv[1]) == 0)
				calls[i].call();
	MPI_Finalize();
	return 0;
}
