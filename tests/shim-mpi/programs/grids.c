/* SPDX-License-Identifier: BSD-3-Clause */
/* grids.c - grids and graphs that may be reordered: grids REORDER [TURNS] */
/*
 * Prints from rank 0 a line for each check, and from each process "KIND RANK HOST" for its rank in
 * each new communicator. What holds does so in any order of the ranks. With TURNS, also makes and
 * frees as many grids.
 */
#include "config.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int may_reorder;
static int follows_plan; /* where MPI_Cart_map and the calls must agree */
/* Open MPI's MPI_UNWEIGHTED is an address that compilers warn of. */
static int *volatile unweighted;

static void check(int good, const char *what)
{
	int all, rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Reduce(&good, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%s %s\n", all ? "ok" : "not ok", what);
}

static void tell(const char *kind, MPI_Comm comm)
{
	const char *host = getenv("PLINK_HOST");
	int rank;

	MPI_Comm_rank(comm, &rank);
	printf("%s %d %s\n", kind, rank, host ? host : "");
}

/* A value that a process at these coordinates gives to its neighbours. */
static int value_at(const int *at)
{
	return 1 + 100 * at[0] + at[1];
}

/* The halo of a grid, by rank and by neighbourhood. */
static int exchange(MPI_Comm grid, int rank)
{
	int at[2], other[2], halo[4] = {0}, give[4], good = 1;

	MPI_Cart_coords(grid, rank, 2, at);
	for (int i = 0; i < 4; i++)
		give[i] = value_at(at);
	MPI_Neighbor_alltoall(give, 1, MPI_INT, halo, 1, MPI_INT, grid);
	for (int i = 0; i < 4; i++) {
		int from, to, got = 0;

		MPI_Cart_shift(grid, i / 2, i % 2 ? -1 : 1, &from, &to);
		MPI_Sendrecv(give, 1, MPI_INT, to, i, &got, 1, MPI_INT, from, i, grid,
			     MPI_STATUS_IGNORE);
		if (from == MPI_PROC_NULL) {
			good = good && got == 0 && halo[i] == 0;
			continue;
		}
		MPI_Cart_coords(grid, from, 2, other);
		good = good && got == value_at(other) && halo[i] == got &&
		       abs(at[0] - other[0]) + abs(at[1] - other[1]) > 0;
	}
	return good;
}

static void check_grid(MPI_Comm world, int n)
{
	const int dims[2] = {n / 2, 2}, periods[2] = {n > 4, 0};
	int got_dims[2], got_periods[2], at[2], kind, rank, again, mapped, good;
	MPI_Errhandler handler;
	MPI_Comm grid;

	MPI_Cart_create(world, 2, dims, periods, may_reorder, &grid);
	MPI_Comm_rank(grid, &rank);
	tell("grid", grid);
	MPI_Topo_test(grid, &kind);
	MPI_Cart_get(grid, 2, got_dims, got_periods, at);
	MPI_Cart_rank(grid, at, &again);
	good = kind == MPI_CART && got_dims[0] == dims[0] && got_dims[1] == 2 &&
	       got_periods[0] == periods[0] && got_periods[1] == 0 && again == rank;
	check(good, "a grid is what was asked for");
	check(exchange(grid, rank), "its halo comes from the neighbours");
	MPI_Comm_get_errhandler(grid, &handler);
	check(handler == MPI_ERRORS_RETURN, "its error handler is inherited");
	MPI_Cart_map(world, 2, dims, periods, &mapped);
	check(!follows_plan || mapped == rank, "MPI_Cart_map says the same rank");
	MPI_Comm_free(&grid);
	check(grid == MPI_COMM_NULL, "it is freed");
}

static void check_surplus(MPI_Comm world, int n)
{
	const int dims[2] = {(n - 2) / 2, 2}, periods[2] = {0, 0};
	int size = 0, n_in, is_in, mapped, good = 1;
	MPI_Comm grid;

	MPI_Cart_create(world, 2, dims, periods, may_reorder, &grid);
	MPI_Cart_map(world, 2, dims, periods, &mapped);
	is_in = grid != MPI_COMM_NULL;
	MPI_Allreduce(&is_in, &n_in, 1, MPI_INT, MPI_SUM, world);
	if (is_in) {
		MPI_Comm_size(grid, &size);
		good = size == n - 2 && (!follows_plan || mapped >= 0);
		MPI_Comm_free(&grid);
	} else {
		good = !follows_plan || mapped == MPI_UNDEFINED;
	}
	check(good && n_in == n - 2, "two processes are left out of a grid");
}

/* A ring, in which each vertex has its two neighbours. */
static void check_graph(MPI_Comm world, int n)
{
	int *index = malloc(sizeof(*index) * (size_t)n);
	int *edges = malloc(sizeof(*edges) * 2 * (size_t)n);
	int rank, degree, near[2], got[2], mapped;
	MPI_Comm graph;

	for (int v = 0; v < n; v++) {
		index[v] = 2 * (v + 1);
		edges[2 * v] = (v + n - 1) % n;
		edges[2 * v + 1] = (v + 1) % n;
	}
	MPI_Graph_create(world, n, index, edges, may_reorder, &graph);
	MPI_Graph_map(world, n, index, edges, &mapped);
	tell("graph", graph);
	MPI_Comm_rank(graph, &rank);
	MPI_Graph_neighbors_count(graph, rank, &degree);
	MPI_Graph_neighbors(graph, rank, 2, near);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, graph);
	check(degree == 2 && near[0] == (rank + n - 1) % n && near[1] == (rank + 1) % n &&
		      got[0] == near[0] && got[1] == near[1],
	      "a graph has the edges of its ranks");
	check(!follows_plan || mapped == rank, "MPI_Graph_map says the same rank");
	MPI_Comm_free(&graph);
	free(index);
	free(edges);
}

/* Has the vertex its two neighbours, with their weights, and what they send? */
static int has_pair(MPI_Comm graph, int n)
{
	int rank, n_in, n_out, weighted, in[2], out[2], win[2], wout[2], got[2];
	int good;

	MPI_Comm_rank(graph, &rank);
	MPI_Dist_graph_neighbors_count(graph, &n_in, &n_out, &weighted);
	if (n_in != 2 || n_out != 2)
		return 0;
	MPI_Dist_graph_neighbors(graph, 2, in, win, 2, out, wout);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, graph);
	good = weighted && got[0] == in[0] && got[1] == in[1];
	for (int i = 0; i < 2; i++) {
		const int far = (rank + n / 2) % n;

		good = good && (in[i] == far ? win[i] == 90 : win[i] == 1) &&
		       (out[i] == far ? wout[i] == 90 : wout[i] == 1) &&
		       (in[i] == far || in[i] == (rank ^ 1));
	}
	return good && in[0] != in[1] && out[0] != out[1];
}

/* Each vertex exchanges much with the one half way round, little with its
 * pair. */
static void check_adjacent(MPI_Comm world, int rank, int n)
{
	const int near[2] = {(rank + n / 2) % n, rank ^ 1};
	const int weights[2] = {90, 1};
	MPI_Comm graph;

	MPI_Dist_graph_create_adjacent(world, 2, near, weights, 2, near, weights, MPI_INFO_NULL,
				       may_reorder, &graph);
	tell("adjacent", graph);
	check(has_pair(graph, n),
	      "a graph of neighbours has those of its ranks, and their weights");
	MPI_Comm_free(&graph);
	MPI_Dist_graph_create_adjacent(world, 2, near, unweighted, 2, near, unweighted,
				       MPI_INFO_NULL, may_reorder, &graph);
	tell("unweighted", graph);
	MPI_Comm_free(&graph);
}

/* The same graph, whose edges the last process passes. */
static void check_distributed(MPI_Comm world, int rank, int n)
{
	const int n_passed = rank == n - 1 ? n : 0;
	int *sources = malloc(sizeof(*sources) * (size_t)n);
	int *degrees = malloc(sizeof(*degrees) * (size_t)n);
	int *to = malloc(sizeof(*to) * 2 * (size_t)n);
	int *weights = malloc(sizeof(*weights) * 2 * (size_t)n);
	MPI_Comm graph;

	for (int v = 0; v < n; v++) {
		sources[v] = v;
		degrees[v] = 2;
		to[2 * v] = (v + n / 2) % n;
		weights[2 * v] = 90;
		to[2 * v + 1] = v ^ 1;
		weights[2 * v + 1] = 1;
	}
	MPI_Dist_graph_create(world, n_passed, sources, degrees, to, weights, MPI_INFO_NULL,
			      may_reorder, &graph);
	tell("distributed", graph);
	check(has_pair(graph, n), "so has a graph that one process knows");
	MPI_Comm_free(&graph);
	free(sources);
	free(degrees);
	free(to);
	free(weights);
}

/* Arguments that the library refuses. */
static void check_wrong(MPI_Comm world, int n)
{
	const int dims[2] = {n, 2}, periods[2] = {0, 0};
	MPI_Comm grid = MPI_COMM_NULL;

	check(MPI_Cart_create(world, 2, dims, periods, may_reorder, &grid) != MPI_SUCCESS,
	      "a grid that is too large is refused");
}

static void take_turns(MPI_Comm world, int n, int turns)
{
	const int dims[2] = {n / 2, 2}, periods[2] = {0, 0};
	int good = 1;

	for (int i = 0; i < turns && good; i++) {
		MPI_Comm grid;

		good = MPI_Cart_create(world, 2, dims, periods, may_reorder, &grid) ==
			       MPI_SUCCESS &&
		       MPI_Comm_free(&grid) == MPI_SUCCESS;
	}
	check(good, "any number of grids can be made and freed");
}

int main(int argc, char **argv)
{
	int rank, n;
	MPI_Comm world;

	MPI_Init(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &world);
	MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
	MPI_Comm_rank(world, &rank);
	MPI_Comm_size(world, &n);
	may_reorder = argc > 1 && atoi(argv[1]);
	unweighted = (int *)MPI_UNWEIGHTED;
	follows_plan = may_reorder && getenv("PLINK_PLAN");
	if (argc > 2) {
		take_turns(world, n, atoi(argv[2]));
	} else {
		check_grid(world, n);
		check_surplus(world, n);
		check_graph(world, n);
		check_adjacent(world, rank, n);
		check_distributed(world, rank, n);
		check_wrong(world, n);
	}
	MPI_Comm_free(&world);
	MPI_Finalize();
	return 0;
}
