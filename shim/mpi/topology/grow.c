/* SPDX-License-Identifier: BSD-3-Clause */
/* grow.c - a placement that grows from vertex to vertex, host by host */
#include "config.h"

#include "shim/mpi/topology/fit.h"

#include "base/mem.h"

#include <stdlib.h>

static double largest(const struct pl_topo_job *job)
{
	double most = 0;

	for (size_t i = 0; i < job->n_hosts * job->n_hosts; i++)
		if (job->cost[i] > most)
			most = job->cost[i];
	return most;
}

/* How strongly each vertex is drawn to @host by its placed neighbours: the nearer they are, the
 * more. */
static void draw_to(const struct pl_topo_job *job, int host, double most, const int *host_at,
		    double *drawn)
{
	const struct pl_topo_graph *g = job->graph;
	const double *cost = &job->cost[(size_t)host * job->n_hosts];

	for (size_t v = 0; v < g->n; v++) {
		drawn[v] = 0;
		for (size_t i = g->first[v]; i < g->first[v + 1]; i++)
			if (host_at[g->to[i]] >= 0)
				drawn[v] += g->weight[i] * (most - cost[host_at[g->to[i]]]);
	}
}

/* The free vertex that is drawn the most; of several, the first. */
static size_t strongest(const struct pl_topo_job *job, const int *host_at, const double *drawn)
{
	size_t best = job->graph->n;

	for (size_t v = 0; v < job->graph->n; v++)
		if (host_at[v] < 0 && (best == job->graph->n || drawn[v] > drawn[best]))
			best = v;
	return best;
}

int pl_topo_grow(const struct pl_topo_job *job, const int *seq, int *host_at)
{
	const struct pl_topo_graph *g = job->graph;
	const double most = largest(job);
	double *drawn = pl_array_create(g->n, sizeof(*drawn));

	if (!drawn)
		return -1;
	for (size_t v = 0; v < g->n; v++)
		host_at[v] = -1;
	for (size_t pos = 0; pos < g->n; pos++) {
		const int host = seq[pos];
		size_t v;

		if (pos == 0 || host != seq[pos - 1])
			draw_to(job, host, most, host_at, drawn);
		v = strongest(job, host_at, drawn);
		host_at[v] = host;
		for (size_t i = g->first[v]; i < g->first[v + 1]; i++)
			drawn[g->to[i]] += g->weight[i] * most;
	}
	free(drawn);
	return 0;
}
