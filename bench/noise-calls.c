/* SPDX-License-Identifier: BSD-3-Clause */
/* noise-calls.c - all-reduces of large vectors, timed (under mpirun) */
/*
 * "BYTES FIRST SECOND" for each size: the middle nanoseconds of the first of each two calls, and of
 * the second. PLINK_STATS=FILE,noise=2 looks at the first ones: what else the machine does disturbs
 * both alike.
 */
#include "config.h"

#include "base/clock.h"
#include "base/stats.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define PAIRS 100

static void measure(float *in, float *out, int n, int rank)
{
	double ns[2][PAIRS];

	for (int i = 0; i < 2 * PAIRS; i++) {
		int64_t start_ns;

		MPI_Barrier(MPI_COMM_WORLD);
		start_ns = pl_clock_ns();
		MPI_Allreduce(in, out, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
		ns[i % 2][i / 2] = (double)(pl_clock_ns() - start_ns);
	}
	if (rank == 0)
		printf("%zu %.0f %.0f\n", (size_t)n * sizeof(*in), pl_median(ns[0], PAIRS),
		       pl_median(ns[1], PAIRS));
}

int main(int argc, char **argv)
{
	const int sizes[] = {1 << 14, 1 << 18, 1 << 21}; /* elements */
	float *in = calloc((size_t)sizes[2], sizeof(*in));
	float *out = calloc((size_t)sizes[2], sizeof(*out));
	int rank;

	if (!in || !out)
		return 4;
	for (int i = 0; i < sizes[2]; i++)
		in[i] = (float)(i % 1000);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
		measure(in, out, sizes[s], rank);
	MPI_Finalize();
	free(in);
	free(out);
	return 0;
}
