/* SPDX-License-Identifier: BSD-3-Clause */
/* halo-time.c - the halo exchange of a grid, timed (under mpirun) */
/*
 * halo-time DIMS BYTES TURNS [REORDER]: a grid of DIMS ("4x4"), not periodic, in which each process
 * exchanges BYTES with each neighbour: nonblocking calls, then MPI_Waitall. Prints from rank 0 the
 * middle over TURNS of the time that the slowest process takes, in ms.
 */
#include "config.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define DIMS_MAX 3
#define WARMUP 3

static int parse_dims(const char *s, int dims[DIMS_MAX])
{
	int n = 0;

	for (char *end; n < DIMS_MAX; s = end + 1) {
		dims[n++] = (int)strtol(s, &end, 10);
		if (*end != 'x')
			return *end ? 0 : n;
	}
	return 0;
}

/* Sends out[] to the neighbours and gets in[] from them, @bytes each. */
static void exchange(MPI_Comm grid, int n_dims, char *in, const char *out, int bytes)
{
	MPI_Request request[4 * DIMS_MAX];
	int n = 0;

	for (int d = 0; d < n_dims; d++) {
		int near[2];

		MPI_Cart_shift(grid, d, 1, &near[0], &near[1]);
		for (int k = 0; k < 2; k++) {
			const long at = (2L * d + k) * bytes;

			MPI_Irecv(in + at, bytes, MPI_BYTE, near[k], k, grid, &request[n++]);
			MPI_Isend(out + at, bytes, MPI_BYTE, near[k], 1 - k, grid, &request[n++]);
		}
	}
	MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	int dims[DIMS_MAX], periods[DIMS_MAX] = {0}, n_dims, bytes, turns, rank;
	char *in, *out;
	double *ms;
	MPI_Comm grid;

	MPI_Init(&argc, &argv);
	n_dims = argc > 3 ? parse_dims(argv[1], dims) : 0;
	bytes = argc > 3 ? atoi(argv[2]) : 0;
	turns = argc > 3 ? atoi(argv[3]) : 0;
	if (n_dims < 1 || bytes < 1 || turns < 1) {
		fputs("usage: halo-time DIMS BYTES TURNS [REORDER]\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	in = calloc(2 * DIMS_MAX, (size_t)bytes);
	out = calloc(2 * DIMS_MAX, (size_t)bytes);
	ms = calloc((size_t)turns, sizeof(*ms));
	if (!in || !out || !ms)
		MPI_Abort(MPI_COMM_WORLD, 4);
	MPI_Cart_create(MPI_COMM_WORLD, n_dims, dims, periods, argc > 4 ? atoi(argv[4]) : 1, &grid);
	MPI_Comm_rank(grid, &rank);
	for (int i = -WARMUP; i < turns; i++) {
		double took;

		MPI_Barrier(grid);
		took = MPI_Wtime();
		exchange(grid, n_dims, in, out, bytes);
		took = 1e3 * (MPI_Wtime() - took);
		MPI_Reduce(&took, &ms[i < 0 ? 0 : i], 1, MPI_DOUBLE, MPI_MAX, 0, grid);
	}
	qsort(ms, (size_t)turns, sizeof(*ms), compare);
	if (rank == 0)
		printf("%.3f\n", ms[turns / 2]);
	MPI_Comm_free(&grid);
	free(in);
	free(out);
	free(ms);
	MPI_Finalize();
	return 0;
}
