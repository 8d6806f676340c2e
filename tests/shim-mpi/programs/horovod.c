/* SPDX-License-Identifier: BSD-3-Clause */
/* horovod.c - the communicators of Horovod, and what it does on them */
/*
 * A copy of the world, the ranks of a machine (split_type), and across the machines those with the
 * same rank in theirs. On the copy a coordinator gathers what is ready and tells what comes; sums
 * are made flat, or within machines, across, and within again. One line a check from rank 0, "ok"
 * where it holds on all ranks, and for each rank "rank local cross machine".
 */
#include "config.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define N 64 /* floats in a tensor */
#define RANKS_MAX 16

static MPI_Comm all, local, cross;
static int rank, n, local_rank, n_local, cross_rank, n_cross;

static void check(int good, const char *what)
{
	int holds;

	MPI_Allreduce(&good, &holds, 1, MPI_INT, MPI_LAND, all);
	if (rank == 0)
		printf("%sok %s\n", holds ? "" : "not ", what);
}

static void make_communicators(void)
{
	MPI_Comm_dup(MPI_COMM_WORLD, &all);
	MPI_Comm_rank(all, &rank);
	MPI_Comm_size(all, &n);
	MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
	MPI_Comm_rank(local, &local_rank);
	MPI_Comm_size(local, &n_local);
	MPI_Comm_split(all, local_rank, rank, &cross);
	MPI_Comm_rank(cross, &cross_rank);
	MPI_Comm_size(cross, &n_cross);
}

/* All machines have as many ranks, one machine's are together, and the rank within it is the one by
 * which the launcher has bound a core or a GPU. */
static void check_places(void)
{
	const char *launched = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
	int sizes[RANKS_MAX], world, good = 1;

	MPI_Comm_rank(MPI_COMM_WORLD, &world);
	check(world == rank, "the copy has the world's ranks");
	MPI_Allgather(&n_local, 1, MPI_INT, sizes, 1, MPI_INT, all);
	for (int i = 0; i < n; i++)
		good &= sizes[i] == n_local;
	check(good && n_local * n_cross == n, "machines are alike");
	check(rank == cross_rank * n_local + local_rank,
	      "the ranks of a machine follow one another");
	/* as many machines as there are: none is made up by PLINK_HOST */
	if (n_cross > 1)
		check(launched && atoi(launched) == local_rank,
		      "the rank within a machine is the launcher's");
}

/* What is ready where, as words of different lengths, and the answer to all. */
static void check_coordinator(void)
{
	char mine[32], words[RANKS_MAX * 32] = "", want[RANKS_MAX * 32] = "";
	int sizes[RANKS_MAX], at[RANKS_MAX], size, total = 0;

	for (int r = 0; r < n; r++)
		total += snprintf(want + total, sizeof(want) - (size_t)total, "tensor-%d,",
				  r * r * r);
	size = snprintf(mine, sizeof(mine), "tensor-%d,", rank * rank * rank);
	MPI_Gather(&size, 1, MPI_INT, sizes, 1, MPI_INT, 0, all);
	for (int r = 0; rank == 0 && r < n; r++)
		at[r] = r ? at[r - 1] + sizes[r - 1] : 0;
	MPI_Gatherv(mine, size, MPI_BYTE, words, sizes, at, MPI_BYTE, 0, all);
	size = (int)strlen(words);
	MPI_Bcast(&size, 1, MPI_INT, 0, all);
	MPI_Bcast(words, size, MPI_BYTE, 0, all);
	check(size == total && memcmp(words, want, (size_t)total) == 0,
	      "the coordinator hears every rank, and every rank the answer");
}

static void check_bits(void)
{
	uint64_t bits[2] = {~(UINT64_C(1) << rank), UINT64_MAX};

	MPI_Allreduce(MPI_IN_PLACE, bits, 2, MPI_UINT64_T, MPI_BAND, all);
	check(bits[0] == ~((UINT64_C(1) << n) - 1) && bits[1] == UINT64_MAX, "bits that all have");
}

static float element(int of, int i)
{
	return (float)(of + 1) * (float)(i + 1);
}

static int is_sum(const float *sums)
{
	for (int i = 0; i < N; i++)
		if (sums[i] != (float)(n * (n + 1) / 2) * (float)(i + 1))
			return 0;
	return 1;
}

static void check_flat(void)
{
	float sums[N];

	for (int i = 0; i < N; i++)
		sums[i] = element(rank, i);
	MPI_Allreduce(MPI_IN_PLACE, sums, N, MPI_FLOAT, MPI_SUM, all);
	check(is_sum(sums), "a sum over all");
}

/* The first blocks are one longer where it does not divide evenly. */
static void check_hierarchical(void)
{
	int counts[RANKS_MAX], at[RANKS_MAX], left = N;
	float sums[N], part[N];

	for (int r = 0; r < n_local; r++) {
		counts[r] = (left + n_local - r - 1) / (n_local - r);
		at[r] = N - left;
		left -= counts[r];
	}
	for (int i = 0; i < N; i++)
		sums[i] = element(rank, i);
	MPI_Reduce_scatter(sums, part, counts, MPI_FLOAT, MPI_SUM, local);
	MPI_Allreduce(MPI_IN_PLACE, part, counts[local_rank], MPI_FLOAT, MPI_SUM, cross);
	MPI_Allgatherv(part, counts[local_rank], MPI_FLOAT, sums, counts, at, MPI_FLOAT, local);
	check(is_sum(sums), "a sum within machines, across, and within");
}

/* Numbers in two bytes, as halves are: a type and an operation of its own. */
static void add_shorts(void *in, void *inout, int *len, MPI_Datatype *type)
{
	const uint16_t *a = in;
	uint16_t *b = inout;

	(void)type;
	for (int i = 0; i < *len; i++)
		b[i] = (uint16_t)(a[i] + b[i]);
}

static void check_shorts(void)
{
	uint16_t values[N], good = 1;
	MPI_Datatype two_bytes;
	MPI_Op sum;

	for (int i = 0; i < N; i++)
		values[i] = (uint16_t)(rank + i);
	MPI_Type_contiguous(2, MPI_BYTE, &two_bytes);
	MPI_Type_commit(&two_bytes);
	MPI_Op_create(add_shorts, 1, &sum);
	MPI_Allreduce(MPI_IN_PLACE, values, N, two_bytes, sum, all);
	for (int i = 0; i < N; i++)
		good &= values[i] == n * (n - 1) / 2 + n * i;
	MPI_Op_free(&sum);
	MPI_Type_free(&two_bytes);
	check(good, "a type and an operation of its own");
}

/* Rank r gives r + 1 numbers to each; all have all. */
static void check_allgather(void)
{
	int counts[RANKS_MAX], at[RANKS_MAX], mine[RANKS_MAX];
	int got[RANKS_MAX * RANKS_MAX], good = 1;

	for (int r = 0; r < n; r++) {
		counts[r] = r + 1;
		at[r] = r * (r + 1) / 2;
		mine[r] = rank;
	}
	MPI_Allgatherv(mine, rank + 1, MPI_INT, got, counts, at, MPI_INT, all);
	for (int r = 0; r < n; r++)
		for (int i = 0; i <= r; i++)
			good &= got[at[r] + i] == r;
	check(good, "parts of different sizes");
}

static void check_broadcast(void)
{
	int good = 1;

	for (int root = 0; root < n; root++) {
		int value = rank;

		MPI_Bcast(&value, 1, MPI_INT, root, all);
		good &= value == root;
		value = cross_rank;
		MPI_Bcast(&value, 1, MPI_INT, root % n_cross, cross);
		good &= value == root % n_cross;
	}
	check(good, "every root reaches all");
}

static void show_places(void)
{
	char line[128], *lines = calloc(RANKS_MAX, sizeof(line));
	const char *named = getenv("PLINK_HOST");
	struct utsname node;

	uname(&node);
	snprintf(line, sizeof(line), "%d %d %d %.64s", rank, local_rank, cross_rank,
		 named ? named : node.nodename);
	MPI_Gather(line, sizeof(line), MPI_CHAR, lines, sizeof(line), MPI_CHAR, 0, all);
	for (int r = 0; lines && rank == 0 && r < n; r++)
		printf("%s\n", lines + (size_t)r * sizeof(line));
	free(lines);
}

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	make_communicators();
	if (n > RANKS_MAX)
		MPI_Abort(MPI_COMM_WORLD, 2);
	check_places();
	check_coordinator();
	check_bits();
	check_flat();
	check_hierarchical();
	check_shorts();
	check_allgather();
	check_broadcast();
	show_places();
	fflush(stdout);
	MPI_Comm_free(&cross);
	MPI_Comm_free(&local);
	MPI_Comm_free(&all);
	MPI_Finalize();
	return 0;
}
