/* SPDX-License-Identifier: BSD-3-Clause */
/* create.c - grids and graphs whose ranks may be reordered, by the plan's network */
/*
 * The library makes each of them itself, without reordering, of a communicator whose ranks are in
 * the new order. What cannot be placed by the plan goes to the library as the program passes it.
 */
#include "config.h"

#include "shim/mpi/topology/network.h"
#include "shim/mpi/topology/records.h"

#include <stdlib.h>

/* What the library is called with. */
struct placed {
	MPI_Comm comm;
	int reorder;
	bool made; /* comm is of here */
};

/* As the program says. */
static struct placed as_given(MPI_Comm comm, int reorder)
{
	return (struct placed){.comm = comm, .reorder = reorder};
}

static bool is_identity(const int *rank_at, int n)
{
	int v = 0;

	while (v < n && rank_at[v] == v)
		v++;
	return v == n;
}

/* Collective: puts the processes in the order of rank_at[], which may be NULL, and ends this and
 * @m. */
static void reorder(struct placed *p, struct pl_topo_members *m, int *rank_at)
{
	if (rank_at) {
		p->reorder = 0;
		p->made = !is_identity(rank_at, m->n) &&
			  PL_MPI_NEXT(PMPI_Comm_split)(m->comm, 0, pl_topo_own_vertex(m, rank_at),
						       &p->comm) == MPI_SUCCESS;
	}
	if (!p->made)
		p->comm = m->comm;
	free(rank_at);
	pl_topo_members_fini(m);
}

static int finish(struct placed *p, int rc)
{
	if (p->made)
		PL_MPI_NEXT(PMPI_Comm_free)(&p->comm);
	return rc;
}

int PMPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[],
		     int may_reorder, MPI_Comm *cart)
{
	struct placed p = as_given(pl_mpi_enter(comm), may_reorder);
	struct pl_topo_members m;

	if (may_reorder && cart && pl_topo_members_init(&m, p.comm))
		reorder(&p, &m, pl_topo_place_grid(&m, ndims, dims, periods, "MPI_Cart_create"));
	return finish(&p,
		      PL_MPI_NEXT(PMPI_Cart_create)(p.comm, ndims, dims, periods, p.reorder, cart));
}
PL_MPI_ALIAS(MPI_Cart_create)

int PMPI_Graph_create(MPI_Comm comm, int nnodes, const int index[], const int edges[],
		      int may_reorder, MPI_Comm *graph)
{
	struct placed p = as_given(pl_mpi_enter(comm), may_reorder);
	struct pl_topo_members m;

	if (may_reorder && graph && pl_topo_members_init(&m, p.comm))
		reorder(&p, &m, pl_topo_place_graph(&m, nnodes, index, edges, "MPI_Graph_create"));
	return finish(
		&p, PL_MPI_NEXT(PMPI_Graph_create)(p.comm, nnodes, index, edges, p.reorder, graph));
}
PL_MPI_ALIAS(MPI_Graph_create)

/* Each process may pass any edges of the graph: they stay where they are. */
int PMPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
			   const int destinations[], const int weights[], MPI_Info info,
			   int may_reorder, MPI_Comm *graph)
{
	struct placed p = as_given(pl_mpi_enter(comm), may_reorder);
	struct pl_topo_members m;

	if (may_reorder && pl_topo_members_init(&m, p.comm))
		reorder(&p, &m,
			pl_topo_place_edges(&m, n, sources, degrees, destinations, weights));
	return finish(&p,
		      PL_MPI_NEXT(PMPI_Dist_graph_create)(p.comm, n, sources, degrees, destinations,
							  weights, info, p.reorder, graph));
}
PL_MPI_ALIAS(MPI_Dist_graph_create)

static int call_adjacent(const struct placed *p, const struct pl_topo_adjacent *a, MPI_Info info,
			 MPI_Comm *graph)
{
	return PL_MPI_NEXT(PMPI_Dist_graph_create_adjacent)(p->comm, a->n_in, a->in, a->in_weight,
							    a->n_out, a->out, a->out_weight, info,
							    p->reorder, graph);
}

/* A process passes the edges of its own rank: the process that gets this rank passes them on. */
static int create_adjacent(struct placed *p, struct pl_topo_members *m,
			   const struct pl_topo_adjacent *own, MPI_Info info, MPI_Comm *graph)
{
	struct pl_topo_adjacent a = *own;
	struct pl_topo_records r;
	bool weighted;
	int *rank_at, rc;

	if (!pl_topo_adjacent_tell(&r, m, own, &weighted)) {
		reorder(p, m, NULL);
		return call_adjacent(p, own, info, graph);
	}
	rank_at = pl_topo_place_adjacent(m, &r, weighted);
	a = pl_topo_adjacent_of(&r, pl_topo_own_vertex(m, rank_at), weighted);
	reorder(p, m, rank_at);
	rc = call_adjacent(p, p->made ? &a : own, info, graph);
	pl_topo_records_fini(&r);
	return rc;
}

int PMPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[],
				    const int sourceweights[], int outdegree,
				    const int destinations[], const int destweights[],
				    MPI_Info info, int may_reorder, MPI_Comm *graph)
{
	const struct pl_topo_adjacent own = {.n_in = indegree,
					     .n_out = outdegree,
					     .in = sources,
					     .in_weight = sourceweights,
					     .out = destinations,
					     .out_weight = destweights};
	struct placed p = as_given(pl_mpi_enter(comm), may_reorder);
	struct pl_topo_members m;

	if (may_reorder && pl_topo_members_init(&m, p.comm))
		return finish(&p, create_adjacent(&p, &m, &own, info, graph));
	return call_adjacent(&p, &own, info, graph);
}
PL_MPI_ALIAS(MPI_Dist_graph_create_adjacent)
