/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - MPI_Cart_map and MPI_Graph_map: the rank that the call which creates the grid or graph
 * would give */
#include "config.h"

#include "shim/mpi/topology/network.h"

#include <stdlib.h>

/* Ends @m and rank_at[], which may be NULL: then the library answers. */
static bool answer(struct pl_topo_members *m, int *rank_at, int n_used, int *new_rank)
{
	const bool there = rank_at && new_rank;

	if (there) {
		*new_rank = pl_topo_own_vertex(m, rank_at);
		if (*new_rank >= n_used)
			*new_rank = MPI_UNDEFINED;
	}
	free(rank_at);
	pl_topo_members_fini(m);
	return there;
}

int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
	struct pl_topo_members m;

	comm = pl_mpi_enter(comm);
	if (pl_topo_members_init(&m, comm)) {
		int *rank_at = pl_topo_place_grid(&m, ndims, dims, periods, "MPI_Cart_map");
		const struct pl_topo_grid grid = {.n_dims = rank_at ? (size_t)ndims : 0,
						  .dim = dims};

		if (answer(&m, rank_at, (int)pl_topo_grid_size(&grid, (size_t)m.n), newrank))
			return MPI_SUCCESS;
	}
	return PL_MPI_NEXT(PMPI_Cart_map)(comm, ndims, dims, periods, newrank);
}
PL_MPI_ALIAS(MPI_Cart_map)

int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank)
{
	struct pl_topo_members m;

	comm = pl_mpi_enter(comm);
	if (pl_topo_members_init(&m, comm) &&
	    answer(&m, pl_topo_place_graph(&m, nnodes, index, edges, "MPI_Graph_map"), nnodes,
		   newrank))
		return MPI_SUCCESS;
	return PL_MPI_NEXT(PMPI_Graph_map)(comm, nnodes, index, edges, newrank);
}
PL_MPI_ALIAS(MPI_Graph_map)
