/* SPDX-License-Identifier: BSD-3-Clause */
/* records.h - the edges of a distributed graph, known to all processes */
#ifndef PLINK_SHIM_MPI_TOPOLOGY_RECORDS_H
#define PLINK_SHIM_MPI_TOPOLOGY_RECORDS_H

#include "shim/mpi/topology/network.h"

/* One record of whole numbers from each process. */
struct pl_topo_records {
	int *start; /* [n + 1]: rank's begins at v[start[rank]] */
	int *v;
};

void pl_topo_records_fini(struct pl_topo_records *r);

/* The program's arguments of MPI_Dist_graph_create_adjacent: the neighbours of one vertex. */
struct pl_topo_adjacent {
	int n_in, n_out;
	const int *in, *in_weight, *out, *out_weight;
};

/*
 * Collective: the same of all processes. *weighted: do the weights count? False as above, also if a
 * process has no valid arguments.
 */
bool pl_topo_adjacent_tell(struct pl_topo_records *r, const struct pl_topo_members *m,
			   const struct pl_topo_adjacent *own, bool *weighted);

/* The neighbours of vertex @v; borrows from the records. */
struct pl_topo_adjacent pl_topo_adjacent_of(const struct pl_topo_records *r, int v, bool weighted);

/* Collective: old ranks by vertex, as pl_topo_place() has them, for the edges that each process
 * passes to MPI_Dist_graph_create. NULL on all: leave it to the library. */
int *pl_topo_place_edges(const struct pl_topo_members *m, int n, const int *sources,
			 const int *degrees, const int *destinations, const int *weights);

/* The same for records of pl_topo_adjacent_tell(). */
int *pl_topo_place_adjacent(const struct pl_topo_members *m, const struct pl_topo_records *r,
			    bool weighted);

#endif
