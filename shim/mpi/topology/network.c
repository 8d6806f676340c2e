/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c - the plan's network, and where the processes of a communicator
 * are */
#include "config.h"

#include "shim/mpi/topology/network.h"

#include "base/mem.h"
#include "shim/mpi/refuse.h"
#include "shim/say.h"

#include <stdlib.h>
#include <string.h>

/* Of the job; cost is NULL where the plan has none. */
static struct {
	int n;
	int *host_of; /* [n], by rank in the world that the program sees */
	size_t n_hosts;
	double *cost; /* [n_hosts * n_hosts], means of both directions */
	bool says;
} net;

/* An array that must be there: the other processes cannot go on without this one. */
static void *array(size_t n, size_t size)
{
	void *made = pl_array_create(n, size);

	if (!made)
		pl_mpi_no_memory();
	return made;
}

static void end(void)
{
	free(net.host_of);
	free(net.cost);
	memset(&net, 0, sizeof(net));
}

void pl_topo_begin(const struct pl_plan *plan, const int *host_of, const int *new_rank, int n,
		   bool says)
{
	const size_t n_hosts = plan->hosts.n;

	if (!plan->cost || n_hosts < 2)
		return;
	net.n = n;
	net.n_hosts = n_hosts;
	net.says = says;
	net.host_of = array((size_t)n, sizeof(*net.host_of));
	net.cost = array(n_hosts * n_hosts, sizeof(*net.cost));
	for (int rank = 0; rank < n; rank++)
		net.host_of[new_rank ? new_rank[rank] : rank] = host_of[rank];
	for (size_t i = 0; i < n_hosts; i++)
		for (size_t j = 0; j < n_hosts; j++)
			net.cost[i * n_hosts + j] =
				plan->cost[i * n_hosts + j] / 2 + plan->cost[j * n_hosts + i] / 2;
	pl_mpi_at_finalize(end);
}

/* world_rank[n] of the communicator's processes; false if one has none. */
static bool translate(MPI_Comm comm, int n, int *world_rank)
{
	int *own = array((size_t)n, sizeof(*own));
	MPI_Group group, world;
	bool all = true;

	for (int rank = 0; rank < n; rank++)
		own[rank] = rank;
	PL_MPI_NEXT(PMPI_Comm_group)(comm, &group);
	PL_MPI_NEXT(PMPI_Comm_group)(pl_mpi_world, &world);
	PMPI_Group_translate_ranks(group, n, own, world, world_rank);
	PMPI_Group_free(&group);
	PMPI_Group_free(&world);
	for (int rank = 0; rank < n; rank++)
		all = all && world_rank[rank] >= 0 && world_rank[rank] < net.n;
	free(own);
	return all;
}

/* Numbers the hosts that have processes, in the order of their first ones, and copies the costs
 * between them. host_of[] has world ranks. */
static void take_hosts(struct pl_topo_members *m)
{
	int *number = array(net.n_hosts, sizeof(*number)); /* 0: none yet */
	size_t *host = array(net.n_hosts, sizeof(*host));

	for (int rank = 0; rank < m->n; rank++) {
		const size_t at = (size_t)net.host_of[m->host_of[rank]];

		if (number[at] == 0) {
			host[m->n_hosts++] = at;
			number[at] = (int)m->n_hosts;
		}
		m->host_of[rank] = number[at] - 1;
	}
	m->cost = array(m->n_hosts * m->n_hosts, sizeof(*m->cost));
	for (size_t i = 0; i < m->n_hosts; i++)
		for (size_t j = 0; j < m->n_hosts; j++)
			m->cost[i * m->n_hosts + j] = net.cost[host[i] * net.n_hosts + host[j]];
	free(number);
	free(host);
}

bool pl_topo_members_init(struct pl_topo_members *m, MPI_Comm comm)
{
	int is_inter;

	if (!net.cost || !pl_mpi_is_valid(comm))
		return false;
	PL_MPI_NEXT(PMPI_Comm_test_inter)(comm, &is_inter);
	if (is_inter)
		return false;
	*m = (struct pl_topo_members){.comm = comm};
	PL_MPI_NEXT(PMPI_Comm_size)(comm, &m->n);
	PL_MPI_NEXT(PMPI_Comm_rank)(comm, &m->rank);
	m->host_of = array((size_t)m->n, sizeof(*m->host_of));
	if (translate(comm, m->n, m->host_of))
		take_hosts(m);
	if (m->n_hosts > 1)
		return true;
	pl_topo_members_fini(m);
	return false;
}

void pl_topo_members_fini(struct pl_topo_members *m)
{
	free(m->host_of);
	free(m->cost);
}

int *pl_topo_place(const struct pl_topo_members *m, const struct pl_topo_graph *g,
		   const struct pl_topo_grid *grid, const char *name)
{
	const struct pl_topo_job job = {.graph = g,
					.grid = grid,
					.n_hosts = m->n_hosts,
					.cost = m->cost,
					.host_of = m->host_of};
	int *rank_at = array((size_t)m->n, sizeof(*rank_at));
	double given, found;

	if (pl_topo_fit(&job, rank_at, &given, &found))
		pl_mpi_no_memory();
	if (net.says && m->rank == 0 && found < given)
		pl_shim_say(
			"%s: %d ranks, reordered: their neighbours are %.1f %% cheaper to reach",
			name, m->n, 100 - 100 * found / given);
	else if (net.says && m->rank == 0)
		pl_shim_say("%s: %d ranks, kept: no better order is known", name, m->n);
	return rank_at;
}

int *pl_topo_place_grid(const struct pl_topo_members *m, int n_dims, const int *dims,
			const int *periods, const char *name)
{
	const struct pl_topo_grid grid = {
		.n_dims = (size_t)n_dims, .dim = dims, .periodic = periods};
	struct pl_topo_graph g;
	int *rank_at;

	if (n_dims < 1 || !dims || !periods)
		return NULL;
	for (int d = 0; d < n_dims; d++)
		if (dims[d] < 1)
			return NULL;
	if (pl_topo_grid_size(&grid, (size_t)m->n) == 0)
		return NULL;
	if (pl_topo_grid_graph(&g, (size_t)m->n, &grid))
		pl_mpi_no_memory();
	rank_at = pl_topo_place(m, &g, &grid, name);
	pl_topo_graph_fini(&g);
	return rank_at;
}

/* Are these arguments of MPI_Graph_create? */
static bool is_graph(int n, int n_nodes, const int *index, const int *edges)
{
	int n_edges = 0;

	if (n_nodes < 1 || n_nodes > n || !index)
		return false;
	for (int v = 0; v < n_nodes; v++) {
		if (index[v] < n_edges)
			return false;
		n_edges = index[v];
	}
	for (int i = 0; i < n_edges; i++)
		if (!edges || edges[i] < 0 || edges[i] >= n_nodes)
			return false;
	return true;
}

int *pl_topo_place_graph(const struct pl_topo_members *m, int n_nodes, const int *index,
			 const int *edges, const char *name)
{
	struct pl_topo_edge *edge;
	struct pl_topo_graph g;
	int *rank_at, at = 0;

	if (!is_graph(m->n, n_nodes, index, edges))
		return NULL;
	edge = array((size_t)index[n_nodes - 1] + 1, sizeof(*edge));
	for (int v = 0; v < n_nodes; v++)
		for (; at < index[v]; at++)
			edge[at] = (struct pl_topo_edge){.from = v, .to = edges[at], .weight = 1};
	if (pl_topo_graph_init(&g, (size_t)m->n, edge, (size_t)at))
		pl_mpi_no_memory();
	free(edge);
	rank_at = pl_topo_place(m, &g, NULL, name);
	pl_topo_graph_fini(&g);
	return rank_at;
}

int pl_topo_own_vertex(const struct pl_topo_members *m, const int *rank_at)
{
	int v = 0;

	while (rank_at[v] != m->rank)
		v++;
	return v;
}
