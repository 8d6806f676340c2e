/* SPDX-License-Identifier: BSD-3-Clause */
/* results.c - what collectives should compute */
#include "config.h"

#include PL_MPI_LIBRARY_H
#include "tests/shim-mpi/programs/collectives.h"
#ifdef PL_TEST_LARGE
#include "tests/shim-mpi/programs/large.h"
#endif

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LONGEST 70000 /* values in a buffer */

static const int lengths[] = {0, 1, 7, 1000, LONGEST};
#define N_LENGTHS (sizeof(lengths) / sizeof(lengths[0]))

struct who {
	MPI_Comm comm;
	int rank, n;
};

static struct who who(MPI_Comm comm)
{
	struct who w = {.comm = comm};

	MPI_Comm_rank(comm, &w.rank);
	MPI_Comm_size(comm, &w.n);
	return w;
}

/* Value i that a rank gives; any rank can tell. */
static int value(int rank, int i)
{
	return (rank + 1) * (i % 1000 + 1);
}

static int sum_of_values(int n, int i)
{
	return n * (n + 1) / 2 * (i % 1000 + 1);
}

static void fill(int *v, int rank, int count)
{
	for (int i = 0; i < count; i++)
		v[i] = value(rank, i);
}

static bool are_sums(const int *v, int n, int count)
{
	for (int i = 0; i < count; i++)
		if (v[i] != sum_of_values(n, i))
			return false;
	return true;
}

bool sum_is_right(MPI_Comm comm)
{
	const struct who w = who(comm);
	int sum = -1;

	MPI_Allreduce(&w.rank, &sum, 1, MPI_INT, MPI_SUM, comm);
	return sum == w.n * (w.n - 1) / 2;
}

static bool sums(const struct who *w, int *in, int *out, int count)
{
	bool right;

	fill(in, w->rank, count);
	MPI_Allreduce(in, out, count, MPI_INT, MPI_SUM, w->comm);
	right = are_sums(out, w->n, count);
	MPI_Allreduce(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, w->comm);
	return right && are_sums(in, w->n, count);
}

static bool sums_at_roots(const struct who *w, int *in, int *out, int count)
{
	bool right = true;

	for (int root = 0; root < w->n; root++) {
		fill(in, w->rank, count);
		memset(out, 0, (size_t)count * sizeof(*out));
		MPI_Reduce(in, out, count, MPI_INT, MPI_SUM, root, w->comm);
		right &= w->rank != root || are_sums(out, w->n, count);
	}
	return right;
}

/* x -> a x + b: one after the other, which is not the same as the other way. */
struct map {
	int a, b;
};

static struct map map_of(int rank)
{
	return (struct map){.a = rank + 2, .b = 3 * rank + 1};
}

static struct map then(struct map first, struct map second)
{
	return (struct map){.a = first.a * second.a, .b = first.b * second.a + second.b};
}

static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
	const struct map *first = in;
	struct map *second = inout;

	(void)type;
	for (int i = 0; i < *count; i++)
		second[i] = then(first[i], second[i]);
}

/* Operations in which the order of the ranks is to be kept. */
static bool composed_in_order(const struct who *w)
{
	struct map in = map_of(w->rank), out = {0}, want = map_of(0), there;
	MPI_Datatype type;
	bool right;
	MPI_Op op;

	for (int rank = 1; rank < w->n; rank++)
		want = then(want, map_of(rank));
	MPI_Type_contiguous(2, MPI_INT, &type);
	MPI_Type_commit(&type);
	MPI_Op_create(compose, 0, &op);
	MPI_Allreduce(&in, &out, 1, type, op, w->comm);
	right = out.a == want.a && out.b == want.b;
	MPI_Reduce(&in, &there, 1, type, op, w->n - 1, w->comm);
	right &= w->rank < w->n - 1 || (there.a == want.a && there.b == want.b);
	MPI_Op_free(&op);
	MPI_Type_free(&type);
	return right;
}

static bool other_operations(const struct who *w)
{
	struct {
		double value;
		int at;
	} in = {.value = -(double)w->rank, .at = w->rank}, out;
	const unsigned bit = 1U << w->rank;
	unsigned bits = 0;
	long long most;
	const long long mine = w->rank * 10;

	MPI_Allreduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MINLOC, w->comm);
	MPI_Allreduce(&bit, &bits, 1, MPI_UNSIGNED, MPI_BOR, w->comm);
	MPI_Allreduce(&mine, &most, 1, MPI_LONG_LONG, MPI_MAX, w->comm);
	return out.at == w->n - 1 && bits == (1U << w->n) - 1 && most == (w->n - 1) * 10;
}

/* Two buffers of LONGEST values for each of @n ranks. */
static int *buffers_create(int n, int **second)
{
	int *first = calloc(2 * (size_t)n * LONGEST, sizeof(*first));

	if (!first)
		MPI_Abort(MPI_COMM_WORLD, 9);
	*second = first + (size_t)n * LONGEST;
	return first;
}

bool reductions_are_right(MPI_Comm comm)
{
	const struct who w = who(comm);
	bool right = composed_in_order(&w) && other_operations(&w);
	int *out, *in = buffers_create(1, &out);

	for (size_t i = 0; i < N_LENGTHS; i++) {
		right &= sums(&w, in, out, lengths[i]);
		right &= sums_at_roots(&w, in, out, lengths[i]);
	}
	free(in);
	return right;
}

static bool are_values(const int *v, int rank, int count)
{
	for (int i = 0; i < count; i++)
		if (v[i] != value(rank, i))
			return false;
	return true;
}

bool broadcasts_are_right(MPI_Comm comm)
{
	const struct who w = who(comm);
	bool right = true;
	int *unused, *v = buffers_create(1, &unused);

	for (size_t i = 0; i < N_LENGTHS; i++)
		for (int root = 0; root < w.n; root++) {
			memset(v, 0, (size_t)lengths[i] * sizeof(*v));
			if (w.rank == root)
				fill(v, root, lengths[i]);
			MPI_Bcast(v, lengths[i], MPI_INT, root, comm);
			right &= are_values(v, root, lengths[i]);
		}
	free(v);
	return right;
}

/* Of one clock for all processes, which MPI_Wtime need not be. */
static double clock_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* No process may leave before the last has come. */
bool barriers_are_right(MPI_Comm comm)
{
	double came_s, left_s, last_came_s, first_left_s;

	came_s = clock_s();
	MPI_Barrier(comm);
	left_s = clock_s();
	MPI_Allreduce(&came_s, &last_came_s, 1, MPI_DOUBLE, MPI_MAX, comm);
	MPI_Allreduce(&left_s, &first_left_s, 1, MPI_DOUBLE, MPI_MIN, comm);
	return last_came_s <= first_left_s;
}

static bool are_gathered(const int *v, int n, int count, int stride)
{
	for (int rank = 0; rank < n; rank++)
		for (int i = 0; i < count; i++)
			if (v[(rank * count + i) * stride] != value(rank, i))
				return false;
	return true;
}

static bool gathered(const struct who *w, int *in, int *out, int count)
{
	bool right;

	fill(in, w->rank, count);
	memset(out, 0, (size_t)w->n * (size_t)count * sizeof(*out));
	MPI_Allgather(in, count, MPI_INT, out, count, MPI_INT, w->comm);
	right = are_gathered(out, w->n, count, 1);
	memset(out, 0, (size_t)w->n * (size_t)count * sizeof(*out));
	fill(out + w->rank * count, w->rank, count);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, MPI_INT, w->comm);
	return right && are_gathered(out, w->n, count, 1);
}

/* Is what lies between the values as it was? */
static bool are_gaps(const int *v, int n)
{
	for (int i = 1; i < n; i += 2)
		if (v[i] != -5)
			return false;
	return true;
}

/* Ranks need not receive with the same type: every second one leaves gaps. */
static bool gathered_with_gaps(const struct who *w, int *in, int *out)
{
	const int count = 9, stride = w->rank % 2 ? 1 : 2;
	MPI_Datatype gapped, type;
	bool right;

	MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gapped);
	MPI_Type_commit(&gapped);
	type = stride == 2 ? gapped : MPI_INT;
	fill(in, w->rank, count);
	for (int i = 0; i < 2 * w->n * count; i++)
		out[i] = -5;
	MPI_Allgather(in, count, MPI_INT, out, count, type, w->comm);
	right = are_gathered(out, w->n, count, stride) &&
		(stride == 1 || are_gaps(out, 2 * w->n * count));
	for (int i = 0; i < w->n * count; i++)
		if (i / count != w->rank)
			out[i * stride] = -5;
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, type, w->comm);
	right &= are_gathered(out, w->n, count, stride) &&
		 (stride == 1 || are_gaps(out, 2 * w->n * count));
	MPI_Type_free(&gapped);
	return right;
}

/* Columns of a matrix of n rows: the blocks lie between one another. */
static bool gathered_in_columns(const struct who *w, int *in, int *out)
{
	enum { ROWS = 11 };
	MPI_Datatype whole, column;
	bool right = true;

	MPI_Type_vector(ROWS, 1, w->n, MPI_INT, &whole);
	MPI_Type_create_resized(whole, 0, sizeof(int), &column);
	MPI_Type_commit(&column);
	fill(in, w->rank, ROWS);
	MPI_Allgather(in, ROWS, MPI_INT, out, 1, column, w->comm);
	for (int row = 0; row < ROWS; row++)
		for (int rank = 0; rank < w->n; rank++)
			right &= out[row * w->n + rank] == value(rank, row);
	MPI_Type_free(&column);
	MPI_Type_free(&whole);
	return right;
}

bool gathers_are_right(MPI_Comm comm)
{
	const struct who w = who(comm);
	int *out, *in = buffers_create(w.n, &out);
	bool right = gathered_with_gaps(&w, in, out);

	right &= gathered_in_columns(&w, in, out);
	for (size_t i = 0; i < N_LENGTHS; i++)
		right &= gathered(&w, in, out, lengths[i]);
	free(in);
	return right;
}

/* Several at once, with blocking ones between them. */
static bool nonblocking(const struct who *w, int *in, int *out, int count)
{
	const int root = w->n - 1;
	int *sum = out, *copy = out + count, *at_root = out + 2 * count;
	MPI_Request request[4];
	MPI_Status status[4];
	bool right;

	fill(in, w->rank, count);
	if (w->rank == root)
		fill(copy, root, count);
	MPI_Iallreduce(in, sum, count, MPI_INT, MPI_SUM, w->comm, &request[0]);
	MPI_Ibcast(copy, count, MPI_INT, root, w->comm, &request[1]);
	right = sum_is_right(w->comm);
	MPI_Ireduce(in, at_root, count, MPI_INT, MPI_SUM, root, w->comm, &request[2]);
	MPI_Ibarrier(w->comm, &request[3]);
	MPI_Waitall(4, request, status);
	return right && are_sums(sum, w->n, count) && are_values(copy, root, count) &&
	       (w->rank != root || are_sums(at_root, w->n, count));
}

static bool persistent(const struct who *w, int *in, int *out, int count)
{
	int *sum = out, *copy = out + count, *at_root = out + 2 * count;
	MPI_Request request[4];
	MPI_Status status[4];
	bool right = true;

	PL_MPI_PERSISTENT(Allreduce)
	(in, sum, count, MPI_INT, MPI_SUM, w->comm, MPI_INFO_NULL, &request[0]);
	PL_MPI_PERSISTENT(Bcast)
	(copy, count, MPI_INT, 0, w->comm, MPI_INFO_NULL, &request[1]);
	PL_MPI_PERSISTENT(Reduce)
	(in, at_root, count, MPI_INT, MPI_SUM, 0, w->comm, MPI_INFO_NULL, &request[2]);
	PL_MPI_PERSISTENT(Barrier)(w->comm, MPI_INFO_NULL, &request[3]);
	for (int turn = 0; turn < 3; turn++) {
		memset(out, 0, 3 * (size_t)count * sizeof(*out));
		fill(in, w->rank, count);
		if (w->rank == 0)
			fill(copy, 0, count);
		MPI_Startall(4, request);
		MPI_Waitall(4, request, status);
		right &= are_sums(sum, w->n, count) && are_values(copy, 0, count) &&
			 (w->rank != 0 || are_sums(at_root, w->n, count));
	}
	for (int i = 0; i < 4; i++)
		MPI_Request_free(&request[i]);
	return right;
}

bool requests_are_right(MPI_Comm comm)
{
	const struct who w = who(comm);
	int *out, *in = buffers_create(3, &out);
	bool right = true;

	for (size_t i = 0; i < N_LENGTHS; i++) {
		right &= nonblocking(&w, in, out, lengths[i]);
		right &= persistent(&w, in, out, lengths[i]);
	}
	free(in);
	return right;
}
