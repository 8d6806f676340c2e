/* SPDX-License-Identifier: BSD-3-Clause */
/* in-place.c - reduces whose root gives what lies where it receives */
#include "config.h"

#include PL_MPI_LIBRARY_H
#include "tests/shim-mpi/programs/collectives.h"
#ifdef PL_TEST_LARGE
#include "tests/shim-mpi/programs/large.h"
#endif

#include <stdlib.h>

/* Of elements of two values each, with as much between them as they have. */
#define STRIDE 4
#define N_MOST 20000

/* MPICH crashes at other roots. */
#ifdef MPICH_NUMVERSION
#define N_ROOTS(n) 1
#else
#define N_ROOTS(n) (n)
#endif

static const int n_elements[] = {0, 1, 100, 3000, N_MOST};

/* The values stand before and behind the address of an element. */
static int *value(int *v, int i)
{
	return v + STRIDE * (i / 2) + (i % 2 ? 1 : -1);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < 2 * *count; i++)
		*value(inout, i) += *value(in, i);
}

static void fill(int *v, int rank, int count)
{
	for (int i = 0; i < STRIDE * count; i++)
		v[i - 1] = -5;
	for (int i = 0; i < 2 * count; i++)
		*value(v, i) = (rank + 1) * (i + 1);
}

/* The sums, or what this rank has given, and all that is between them. */
static bool is_right(int *v, int sum, int count)
{
	bool right = true;

	for (int i = 0; i < 2 * count; i++)
		right &= *value(v, i) == sum * (i + 1);
	for (int i = 0; i < count; i++)
		right &= v[STRIDE * i] == -5 && v[STRIDE * i + 2] == -5;
	return right;
}

static bool with_gaps(MPI_Comm comm, int root, int *v, int count, MPI_Datatype type, MPI_Op op)
{
	int rank, n;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &n);
	fill(v, rank, count);
	if (rank == root)
		MPI_Reduce(MPI_IN_PLACE, v, count, type, op, root, comm);
	else
		MPI_Reduce(v, NULL, count, type, op, root, comm);
	return is_right(v, rank == root ? n * (n + 1) / 2 : rank + 1, count);
}

static bool without_gaps(MPI_Comm comm, int root, int *v, int count)
{
	int rank, n;
	bool right = true;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &n);
	for (int i = 0; i < count; i++)
		v[i] = rank + i;
	MPI_Reduce(rank == root ? MPI_IN_PLACE : v, rank == root ? v : NULL, count, MPI_INT,
		   MPI_MAX, root, comm);
	for (int i = 0; i < count; i++)
		right &= v[i] == (rank == root ? n - 1 : rank) + i;
	return right;
}

bool reduces_in_place_are_right(MPI_Comm comm)
{
	const int at[2] = {-1, 1};
	int *v = calloc(STRIDE * N_MOST, sizeof(*v)), n;
	bool right = v != NULL;
	MPI_Datatype pair, type;
	MPI_Op op;

	MPI_Comm_size(comm, &n);
	MPI_Type_create_indexed_block(2, 1, at, MPI_INT, &pair);
	MPI_Type_create_resized(pair, 0, STRIDE * sizeof(int), &type);
	MPI_Type_commit(&type);
	MPI_Op_create(add, 1, &op);
	for (size_t i = 0; i < sizeof(n_elements) / sizeof(n_elements[0]); i++)
		for (int root = 0; root < N_ROOTS(n) && v; root++) {
			right &= without_gaps(comm, root, v, n_elements[i]);
			right &= with_gaps(comm, root, v + 1, n_elements[i], type, op);
		}
	MPI_Op_free(&op);
	MPI_Type_free(&type);
	MPI_Type_free(&pair);
	free(v);
	return right;
}
