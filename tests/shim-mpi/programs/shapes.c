/* SPDX-License-Identifier: BSD-3-Clause */
/* shapes.c - what a program makes of its world: windows, topologies, files */
#include "config.h"

#include "tests/shim-mpi/programs/check.h"

#include <mpi.h>
#include <stdio.h>

/* Even and odd ranks, two groups that know one another by the world's ranks. */
void check_intercomm(int rank, int n)
{
	const int other = 1 - rank % 2;
	MPI_Comm half, both;
	int remote, got = -1, mine;

	if (n < 2)
		return;
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, other, 4, &both);
	MPI_Comm_remote_size(both, &remote);
	MPI_Comm_rank(half, &mine);
	if (mine == 0)
		MPI_Sendrecv(&rank, 1, MPI_INT, 0, 5, &got, 1, MPI_INT, 0, 5, both,
			     MPI_STATUS_IGNORE);
	check(remote == (n + 1 - other) / 2 && (mine != 0 || got == other),
	      "an intercommunicator joins the ranks that it names");
	MPI_Comm_free(&both);
	MPI_Comm_free(&half);
}

void check_windows(int rank, int n)
{
	const int next = (rank + 1) % n;
	int mine = -1, *room, got = -1;
	MPI_Win win;

	MPI_Win_create(&mine, sizeof(mine), sizeof(mine), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	MPI_Put(&rank, 1, MPI_INT, next, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	check(mine == (rank + n - 1) % n, "a put goes where it says");
	MPI_Win_free(&win);
	MPI_Win_allocate(sizeof(*room), sizeof(*room), MPI_INFO_NULL, MPI_COMM_WORLD, &room, &win);
	*room = rank;
	MPI_Win_fence(0, win);
	MPI_Get(&got, 1, MPI_INT, next, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	check(got == next, "a get comes from where it says");
	MPI_Win_free(&win);
}

void check_topologies(int rank, int n)
{
	const int dims[1] = {n}, periods[1] = {1};
	int before, next, sources[1], targets[1], weights[1] = {1};
	MPI_Comm ring, graph;

	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
	MPI_Cart_shift(ring, 0, 1, &before, &next);
	check(next == (rank + 1) % n && before == (rank + n - 1) % n, "a Cartesian ring");
	MPI_Comm_free(&ring);
	sources[0] = before;
	targets[0] = next;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, weights, 1, targets, weights,
				       MPI_INFO_NULL, 0, &graph);
	MPI_Dist_graph_neighbors(graph, 1, sources, weights, 1, targets, weights);
	check(sources[0] == before && targets[0] == next, "a graph of a ring");
	MPI_Comm_free(&graph);
}

/* Each rank writes at its place; rank 0 reads it all. */
void check_file(int rank, int n, const char *path)
{
	int value = rank, right = 1;
	MPI_File file;

	MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_write_at_all(file, (MPI_Offset)rank * (MPI_Offset)sizeof(int), &value, 1, MPI_INT,
			      MPI_STATUS_IGNORE);
	MPI_File_sync(file);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < n && rank == 0; i++) {
		MPI_File_read_at(file, (MPI_Offset)i * (MPI_Offset)sizeof(int), &value, 1, MPI_INT,
				 MPI_STATUS_IGNORE);
		right &= value == i;
	}
	MPI_File_close(&file);
	check(right, "a file written in parallel");
}
