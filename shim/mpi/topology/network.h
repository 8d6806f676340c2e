/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - the plan's network, and where the processes of a communicator
 * are */
#ifndef PLINK_SHIM_MPI_TOPOLOGY_NETWORK_H
#define PLINK_SHIM_MPI_TOPOLOGY_NETWORK_H

#include "base/plan/plan.h"
#include "shim/mpi/topology/fit.h"
#include "shim/mpi/world.h"

/*
 * Keeps the plan's costs until MPI_Finalize, if it has any: from then on grids and graphs are
 * placed by them. host_of[n] is the host of each process by the launcher's rank; new_rank[n] its
 * rank in the permuted world, NULL if ranks stay. With @says, the first process of a communicator
 * tells what is done.
 */
void pl_topo_begin(const struct pl_plan *plan, const int *host_of, const int *new_rank, int n,
		   bool says);

/* The processes of a communicator, and the network between their hosts. */
struct pl_topo_members {
	MPI_Comm comm;
	int n, rank;
	int *host_of; /* [n], by rank */
	size_t n_hosts;
	double *cost; /* [n_hosts * n_hosts], as struct pl_topo_job has it */
};

/*
 * Finds out where they are; calls no other process. False, with nothing to
 * fini: nothing can be placed, because the plan has no costs, the communicator
 * is no intracommunicator of processes of this job, or all are on one host.
 * All processes of @comm get the same answer.
 */
bool pl_topo_members_init(struct pl_topo_members *m, MPI_Comm comm);
void pl_topo_members_fini(struct pl_topo_members *m);

/*
 * The old rank at each vertex: rank_at[m->n], to be freed. @grid is NULL if the graph is none.
 * @name is the program's call, for messages. Ends the job if memory runs out.
 */
int *pl_topo_place(const struct pl_topo_members *m, const struct pl_topo_graph *g,
		   const struct pl_topo_grid *grid, const char *name);

/* The same for a grid that the program passes, or the graph of MPI_Graph_create. NULL: the library
 * is to refuse the arguments. */
int *pl_topo_place_grid(const struct pl_topo_members *m, int n_dims, const int *dims,
			const int *periods, const char *name);
int *pl_topo_place_graph(const struct pl_topo_members *m, int n_nodes, const int *index,
			 const int *edges, const char *name);

/* The vertex of this process. */
int pl_topo_own_vertex(const struct pl_topo_members *m, const int *rank_at);

#endif
