/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.c - the edges of a grid or graph, by vertex */
#include "config.h"

#include "shim/mpi/topology/fit.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void pl_topo_graph_fini(struct pl_topo_graph *g)
{
	free(g->first);
	free(g->to);
	free(g->weight);
	memset(g, 0, sizeof(*g));
}

static void put(struct pl_topo_graph *g, size_t *next, int at, int to, double weight)
{
	g->to[next[at]] = to;
	g->weight[next[at]++] = weight;
}

/* first[] from how many edges each vertex has. */
static void count(struct pl_topo_graph *g, const struct pl_topo_edge *edge, size_t n_edges)
{
	for (size_t i = 0; i < n_edges; i++) {
		if (edge[i].from == edge[i].to)
			continue;
		g->first[edge[i].from + 1]++;
		g->first[edge[i].to + 1]++;
	}
	for (size_t v = 0; v < g->n; v++)
		g->first[v + 1] += g->first[v];
}

int pl_topo_graph_init(struct pl_topo_graph *g, size_t n, const struct pl_topo_edge *edge,
		       size_t n_edges)
{
	size_t *next = pl_array_create(n + 1, sizeof(*next));

	*g = (struct pl_topo_graph){.n = n,
				    .first = pl_array_create(n + 1, sizeof(*g->first)),
				    .to = pl_array_create(2 * n_edges + 1, sizeof(*g->to)),
				    .weight = pl_array_create(2 * n_edges + 1, sizeof(*g->weight))};
	if (!next || !g->first || !g->to || !g->weight) {
		free(next);
		pl_topo_graph_fini(g);
		return -1;
	}
	count(g, edge, n_edges);
	memcpy(next, g->first, (n + 1) * sizeof(*next));
	for (size_t i = 0; i < n_edges; i++) {
		const struct pl_topo_edge *e = &edge[i];

		if (e->from == e->to)
			continue;
		put(g, next, e->from, e->to, e->weight);
		put(g, next, e->to, e->from, e->weight);
	}
	free(next);
	return 0;
}

size_t pl_topo_grid_size(const struct pl_topo_grid *grid, size_t max)
{
	size_t n = 1;

	for (size_t d = 0; d < grid->n_dims; d++) {
		if ((size_t)grid->dim[d] > max / n)
			return 0;
		n *= (size_t)grid->dim[d];
	}
	return n;
}

/* The edges from @v to its upper neighbours; returns how many. */
static size_t edges_of(const struct pl_topo_grid *grid, size_t v, struct pl_topo_edge *edge)
{
	size_t stride = 1, n = 0;

	for (size_t d = grid->n_dims; d-- > 0;) {
		const size_t dim = (size_t)grid->dim[d];
		const size_t at = v / stride % dim;
		const size_t up = at + 1 < dim ? v + stride : v - at * stride;

		stride *= dim;
		if (at + 1 == dim && !grid->periodic[d])
			continue;
		edge[n++] = (struct pl_topo_edge){.from = (int)v, .to = (int)up, .weight = 1};
	}
	return n;
}

int pl_topo_grid_graph(struct pl_topo_graph *g, size_t n, const struct pl_topo_grid *grid)
{
	const size_t n_used = pl_topo_grid_size(grid, n);
	struct pl_topo_edge *edge = pl_array_create(n_used * grid->n_dims + 1, sizeof(*edge));
	size_t n_edges = 0;
	int rc;

	if (!edge)
		return -1;
	for (size_t v = 0; v < n_used; v++)
		n_edges += edges_of(grid, v, &edge[n_edges]);
	rc = pl_topo_graph_init(g, n, edge, n_edges);
	free(edge);
	return rc;
}
