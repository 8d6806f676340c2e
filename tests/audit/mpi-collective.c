/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-collective.c - one collective, so many times, and nothing else (under mpirun) */
/*
 * usage: mpi-collective COLLECTIVE BYTES TIMES
 *
 * BYTES are what plink-audit --size takes. What the job sends is what these calls send: no barrier,
 * no communicator of its own.
 */
#include "config.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffers {
	float *in, *out;
	int n; /* numbers */
	int *counts;
};

static int call(const char *collective, const struct buffers *b)
{
	const MPI_Comm comm = MPI_COMM_WORLD;

	if (!strcmp(collective, "allreduce"))
		return MPI_Allreduce(b->in, b->out, b->n, MPI_FLOAT, MPI_SUM, comm);
	if (!strcmp(collective, "broadcast"))
		return MPI_Bcast(b->in, b->n, MPI_FLOAT, 0, comm);
	if (!strcmp(collective, "reduce"))
		return MPI_Reduce(b->in, b->out, b->n, MPI_FLOAT, MPI_SUM, 0, comm);
	if (!strcmp(collective, "allgather"))
		return MPI_Allgather(b->in, b->n, MPI_FLOAT, b->out, b->n, MPI_FLOAT, comm);
	if (!strcmp(collective, "reduce-scatter"))
		return MPI_Reduce_scatter(b->in, b->out, b->counts, MPI_FLOAT, MPI_SUM, comm);
	if (!strcmp(collective, "barrier"))
		return MPI_Barrier(comm);
	fprintf(stderr, "mpi-collective: no collective %s\n", collective);
	return 1;
}

/* Blocks as even as can be, the first ones longer. */
static void fill_counts(struct buffers *b, int size)
{
	for (int i = 0; i < size; i++)
		b->counts[i] = b->n / size + (i < b->n % size);
}

int main(int argc, char **argv)
{
	struct buffers b = {.n = 0};
	int size, rc = 0;
	long times;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (argc != 4) {
		fprintf(stderr, "usage: mpi-collective COLLECTIVE BYTES TIMES\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
		return 2;
	}
	b.n = (int)(strtol(argv[2], NULL, 10) / (long)sizeof(float));
	times = strtol(argv[3], NULL, 10);
	b.in = calloc((size_t)b.n + 1, sizeof(float));
	b.out = calloc((size_t)b.n * (size_t)size + 1, sizeof(float));
	b.counts = calloc((size_t)size, sizeof(int));
	if (!b.in || !b.out || !b.counts)
		rc = 4;
	else
		fill_counts(&b, size);
	for (long i = 0; !rc && i < times; i++)
		rc = call(argv[1], &b);
	free(b.in);
	free(b.out);
	free(b.counts);
	if (rc)
		MPI_Abort(MPI_COMM_WORLD, rc);
	MPI_Finalize();
	return rc;
}
