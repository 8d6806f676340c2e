/* SPDX-License-Identifier: BSD-3-Clause */
/* descend.c - swaps of two vertices that lower the cost of a placement */
#include "config.h"

#include "shim/mpi/topology/fit.h"

#include "base/mem.h"

#include <stdlib.h>

/* Pairs of vertices that are looked at, and cells of the table below. */
#define PAIRS_MAX ((size_t)3 << 20)
#define CELLS_MAX ((size_t)8 << 20)

/* Smaller gains, as a share of the cost, are rounding. */
#define GAIN_MIN 1e-9

struct descent {
	const struct pl_topo_job *job;
	int *host_at;
	double *on; /* [n * n_hosts]: cost of v's edges, were v on that host */
	double gain_min;
};

/* The edges' costs of @v's neighbours when @v goes from host to host. */
static void tell(struct descent *d, size_t v, int from, int to)
{
	const struct pl_topo_graph *g = d->job->graph;
	const size_t n_hosts = d->job->n_hosts;
	const double *added = &d->job->cost[(size_t)to * n_hosts];
	const double *gone = from < 0 ? NULL : &d->job->cost[(size_t)from * n_hosts];

	for (size_t i = g->first[v]; i < g->first[v + 1]; i++) {
		double *on = &d->on[(size_t)g->to[i] * n_hosts];

		for (size_t h = 0; h < n_hosts; h++)
			on[h] += g->weight[i] * (added[h] - (gone ? gone[h] : 0));
	}
}

static double weight_between(const struct pl_topo_graph *g, size_t u, size_t v)
{
	double sum = 0;

	for (size_t i = g->first[u]; i < g->first[u + 1]; i++)
		if ((size_t)g->to[i] == v)
			sum += g->weight[i];
	return sum;
}

/* Swaps two vertices if that gains. */
static bool swap(struct descent *d, size_t u, size_t v)
{
	const size_t n_hosts = d->job->n_hosts;
	const int a = d->host_at[u], b = d->host_at[v];
	double gain = d->on[u * n_hosts + (size_t)a] + d->on[v * n_hosts + (size_t)b] -
		      d->on[u * n_hosts + (size_t)b] - d->on[v * n_hosts + (size_t)a];

	if (gain <= d->gain_min)
		return false;
	/* the edge between both stays as long as it was */
	gain -= 2 * weight_between(d->job->graph, u, v) *
		d->job->cost[(size_t)a * n_hosts + (size_t)b];
	if (gain <= d->gain_min)
		return false;
	d->host_at[u] = b;
	d->host_at[v] = a;
	tell(d, u, a, b);
	tell(d, v, b, a);
	return true;
}

/* All pairs once, as far as *left allows. Has any gained? */
static bool sweep(struct descent *d, size_t *left)
{
	const size_t n = d->job->graph->n;
	bool gained = false;

	for (size_t u = 0; u < n; u++) {
		for (size_t v = u + 1; v<n && * left> 0; v++, --*left)
			if (d->host_at[u] != d->host_at[v] && swap(d, u, v))
				gained = true;
	}
	return gained && *left > 0;
}

int pl_topo_descend(const struct pl_topo_job *job, int *host_at)
{
	struct descent d = {
		.job = job, .host_at = host_at, .gain_min = GAIN_MIN * pl_topo_cost(job, host_at)};
	size_t left = PAIRS_MAX;

	if (job->graph->n > CELLS_MAX / job->n_hosts)
		return 0;
	d.on = pl_array_create(job->graph->n * job->n_hosts, sizeof(*d.on));
	if (!d.on)
		return -1;
	for (size_t v = 0; v < job->graph->n; v++)
		tell(&d, v, -1, host_at[v]);
	while (sweep(&d, &left))
		;
	free(d.on);
	return 0;
}
