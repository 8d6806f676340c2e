/* SPDX-License-Identifier: BSD-3-Clause */
/* graph-ranks.c - where MPI puts the ranks of a graph (under mpirun) */
/*
 * graph-ranks SEED MACHINES: ranks in a square grid, numbered at random, ask
 * MPI_Dist_graph_create_adjacent with reorder=1 for a communicator. Prints from rank 0 how many
 * ranks it renumbers, and how many of the messages to all neighbours stay on a machine, stay in a
 * rack (MACHINES with consecutive numbers: h0, h1, ...), and leave it.
 */
#include "config.h"

#include "base/rng.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define RANKS_MAX 1024

enum { MOVED, ON_MACHINE, IN_RACK, ACROSS, COUNTS };

/* The ranks next to @me in the grid; returns how many. */
static int find_neighbours(int me, int n, uint64_t seed, int near[4])
{
	size_t rank_at[RANKS_MAX];
	struct pl_rng rng;
	int width = 1, pos = 0, k = 0;

	while (width * width < n)
		width++;
	for (int i = 0; i < n; i++)
		rank_at[i] = (size_t)i;
	pl_rng_init(&rng, seed, 0);
	pl_rng_shuffle(&rng, rank_at, (size_t)n);
	while (rank_at[pos] != (size_t)me)
		pos++;
	if (pos % width > 0)
		near[k++] = (int)rank_at[pos - 1];
	if (pos % width + 1 < width && pos + 1 < n)
		near[k++] = (int)rank_at[pos + 1];
	if (pos >= width)
		near[k++] = (int)rank_at[pos - width];
	if (pos + width < n)
		near[k++] = (int)rank_at[pos + width];
	return k;
}

/* The number in this machine's name. */
static int machine(void)
{
	char name[64] = "";

	gethostname(name, sizeof(name) - 1);
	return atoi(name + 1);
}

static void count(MPI_Comm graph, int me, int in_rack, int counts[COUNTS])
{
	const int here = machine();
	int near[4], unused[4], weight[4], machine_of[RANKS_MAX];
	int rank, n_in, n_out, weighted;

	MPI_Comm_rank(graph, &rank);
	MPI_Dist_graph_neighbors_count(graph, &n_in, &n_out, &weighted);
	MPI_Dist_graph_neighbors(graph, n_in, unused, weight, n_out, near, weight);
	MPI_Allgather(&here, 1, MPI_INT, machine_of, 1, MPI_INT, graph);
	counts[MOVED] = rank != me;
	for (int i = 0; i < n_out; i++) {
		const int there = machine_of[near[i]];

		counts[there == here                       ? ON_MACHINE
		       : there / in_rack == here / in_rack ? IN_RACK
							   : ACROSS]++;
	}
}

int main(int argc, char **argv)
{
	const int weight[4] = {1, 1, 1, 1};
	int near[4], counts[COUNTS] = {0}, sum[COUNTS], me, n, k;
	MPI_Comm graph;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	if (argc != 3 || atoi(argv[2]) < 1 || n > RANKS_MAX) {
		fputs("usage: graph-ranks SEED MACHINES\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	k = find_neighbours(me, n, strtoull(argv[1], NULL, 10), near);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, k, near, weight, k, near, weight,
				       MPI_INFO_NULL, 1, &graph);
	count(graph, me, atoi(argv[2]), counts);
	MPI_Reduce(counts, sum, COUNTS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (me == 0)
		printf("%d of %d ranks renumbered; messages: %d on a machine, %d in a rack, %d "
		       "between racks\n",
		       sum[MOVED], n, sum[ON_MACHINE], sum[IN_RACK], sum[ACROSS]);
	MPI_Comm_free(&graph);
	MPI_Finalize();
	return 0;
}
