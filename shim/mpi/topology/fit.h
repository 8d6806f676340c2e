/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.h - which process takes which place in a grid or graph */
/*
 * A place is a rank of the new communicator: a vertex of the grid or graph. The cost of a placement
 * is the sum, over all edges, of the edge's weight times the cost between the hosts of its two
 * ends. Nothing here calls MPI.
 */
#ifndef PLINK_SHIM_MPI_TOPOLOGY_FIT_H
#define PLINK_SHIM_MPI_TOPOLOGY_FIT_H

#include <stdbool.h>
#include <stddef.h>

struct pl_topo_edge {
	int from, to;
	double weight; /* not negative */
};

/* A graph in which each edge stands at both of its ends. */
struct pl_topo_graph {
	size_t n;
	size_t *first; /* [n + 1]: v's are first[v] to first[v + 1] - 1 */
	int *to;
	double *weight;
};

/* A grid as MPI_Cart_create takes it; borrows both arrays. */
struct pl_topo_grid {
	size_t n_dims;
	const int *dim;      /* [n_dims], all positive */
	const int *periodic; /* [n_dims] */
};

/* What a placement is made for. */
struct pl_topo_job {
	const struct pl_topo_graph *graph;
	const struct pl_topo_grid *grid; /* the graph's, or NULL: it is none */
	size_t n_hosts;
	const double *cost; /* [n_hosts * n_hosts], symmetric, diagonal 0 */
	const int *host_of; /* [graph->n]: host of each process, by old rank */
};

/* Makes a graph of @n vertices from edges; an edge from a vertex to itself is left out. End it with
 * fini. 0, or -1: no memory, and nothing to fini. */
int pl_topo_graph_init(struct pl_topo_graph *g, size_t n, const struct pl_topo_edge *edge,
		       size_t n_edges);

/* The same for a grid, whose vertices are numbered in row-major order and are at most @n; the rest
 * have no edges. */
int pl_topo_grid_graph(struct pl_topo_graph *g, size_t n, const struct pl_topo_grid *grid);
void pl_topo_graph_fini(struct pl_topo_graph *g);

/* The product of the dimensions; 0 if it exceeds @max. */
size_t pl_topo_grid_size(const struct pl_topo_grid *grid, size_t max);

/* The cost of the placement that puts host host_at[v] at vertex v. */
double pl_topo_cost(const struct pl_topo_job *job, const int *host_at);

/*
 * Tries to fill the grid in blocks within blocks, with the hosts in the order of seq[graph->n]
 * (each host as often as it has processes). If a tiling costs less than *least, writes the best to
 * @host_at and its cost to *least. @scratch has graph->n elements. 0, or -1: no memory.
 */
int pl_topo_tile(const struct pl_topo_job *job, const int *seq, int *scratch, int *host_at,
		 double *least);

/* Grows the placement from vertex to vertex, hosts in the order of @seq. 0, or -1: no memory. */
int pl_topo_grow(const struct pl_topo_job *job, const int *seq, int *host_at);

/* Swaps pairs of vertices as long as that lowers the cost, and at most as long as a limit of work
 * allows. 0, or -1: no memory. */
int pl_topo_descend(const struct pl_topo_job *job, int *host_at);

/*
 * Finds a placement that costs less than the given one: rank_at[graph->n] becomes the old rank at
 * each vertex. If none is found, rank_at[v] is v. *given and *found are the two costs. The same job
 * gives the same placement. 0, or -1: no memory.
 */
int pl_topo_fit(const struct pl_topo_job *job, int *rank_at, double *given, double *found);

#endif
