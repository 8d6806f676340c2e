/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c - the cheapest placement found: from tilings, a grown one and the given one, by swaps */
#include "config.h"

#include "shim/mpi/topology/fit.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Larger graphs are not grown: that takes the square of their vertices. */
#define GROWN_MAX 4096

/* So small ones are grown from every host. */
#define SMALL_MAX 64

/* Less is rounding. */
#define GAIN_MIN 1e-6

double pl_topo_cost(const struct pl_topo_job *job, const int *host_at)
{
	const struct pl_topo_graph *g = job->graph;
	double sum = 0;

	for (size_t v = 0; v < g->n; v++) {
		const double *cost = &job->cost[(size_t)host_at[v] * job->n_hosts];

		for (size_t i = g->first[v]; i < g->first[v + 1]; i++)
			sum += g->weight[i] * cost[host_at[g->to[i]]];
	}
	return sum / 2; /* each edge stands at both of its ends */
}

/* Hosts by position [n_hosts], so that each is followed by the nearest of those that come later:
 * the hosts of a rack stand side by side. */
static void make_chain(const struct pl_topo_job *job, int *chain)
{
	for (size_t i = 0; i < job->n_hosts; i++)
		chain[i] = (int)i;
	for (size_t i = 1; i < job->n_hosts; i++) {
		const double *cost = &job->cost[(size_t)chain[i - 1] * job->n_hosts];
		size_t next = i;
		int host;

		for (size_t k = i + 1; k < job->n_hosts; k++)
			if (cost[chain[k]] < cost[chain[next]])
				next = k;
		host = chain[next];
		memmove(&chain[i + 1], &chain[i], (next - i) * sizeof(*chain));
		chain[i] = host;
	}
}

/* seq[n]: each host of the chain as often as it has processes. */
static int make_sequence(const struct pl_topo_job *job, int *seq)
{
	const size_t n = job->graph->n;
	int *chain = pl_array_create(job->n_hosts, sizeof(*chain));
	size_t *n_on = pl_array_create(job->n_hosts, sizeof(*n_on));
	const bool there = chain && n_on;

	if (there) {
		make_chain(job, chain);
		for (size_t rank = 0; rank < n; rank++)
			n_on[job->host_of[rank]]++;
		for (size_t i = 0, pos = 0; i < job->n_hosts; i++)
			for (size_t k = 0; k < n_on[chain[i]]; k++)
				seq[pos++] = chain[i];
	}
	free(chain);
	free(n_on);
	return there ? 0 : -1;
}

/* Descends from the candidate, and takes what that gives if it is cheaper. */
static int try_from(const struct pl_topo_job *job, int *candidate, int *host_at, double *least)
{
	double cost;

	if (pl_topo_descend(job, candidate))
		return -1;
	cost = pl_topo_cost(job, candidate);
	if (cost < *least) {
		*least = cost;
		memcpy(host_at, candidate, job->graph->n * sizeof(*host_at));
	}
	return 0;
}

/* The sequence that begins with its second host, and ends with the first. */
static void rotate(int *seq, size_t n)
{
	size_t run = 1;

	while (run < n && seq[run] == seq[0])
		run++;
	for (; run > 0; run--) {
		const int host = seq[0];

		memmove(seq, &seq[1], (n - 1) * sizeof(*seq));
		seq[n - 1] = host;
	}
}

/* Grows placements from several hosts, where that takes little time. */
static int try_grown(const struct pl_topo_job *job, int *seq, int *scratch, int *host_at,
		     double *least)
{
	const size_t n = job->graph->n;
	size_t left = n <= SMALL_MAX ? job->n_hosts : n <= GROWN_MAX;

	for (; left > 0; left--) {
		if (pl_topo_grow(job, seq, scratch) || try_from(job, scratch, host_at, least))
			return -1;
		rotate(seq, n);
	}
	return 0;
}

/* The cheapest placement of all tried, in @host_at, which has the given one, of cost *least. */
static int search(const struct pl_topo_job *job, int *host_at, double *least)
{
	const size_t n = job->graph->n;
	int *seq = pl_array_create(n, sizeof(*seq));
	int *scratch = pl_array_create(n, sizeof(*scratch));
	int rc = seq && scratch ? make_sequence(job, seq) : -1;

	if (rc == 0 && job->grid)
		rc = pl_topo_tile(job, seq, scratch, host_at, least);
	if (rc == 0) {
		memcpy(scratch, host_at, n * sizeof(*scratch));
		rc = try_from(job, scratch, host_at, least);
	}
	if (rc == 0)
		rc = try_grown(job, seq, scratch, host_at, least);
	free(seq);
	free(scratch);
	return rc;
}

/* The processes of each host, to the vertices that the host has: a process whose vertex stays on
 * its host keeps its rank. */
static int name_processes(const struct pl_topo_job *job, const int *host_at, int *rank_at)
{
	const size_t n = job->graph->n;
	/* per host, the lowest rank that may still be free */
	size_t *next = pl_array_create(job->n_hosts, sizeof(*next));

	if (!next)
		return -1;
	for (size_t v = 0; v < n; v++)
		rank_at[v] = host_at[v] == job->host_of[v] ? (int)v : -1;
	for (size_t v = 0; v < n; v++) {
		const int host = host_at[v];
		size_t rank = next[host];

		if (rank_at[v] >= 0)
			continue;
		while (job->host_of[rank] != host || host_at[rank] == host)
			rank++;
		rank_at[v] = (int)rank;
		next[host] = rank + 1;
	}
	free(next);
	return 0;
}

int pl_topo_fit(const struct pl_topo_job *job, int *rank_at, double *given, double *found)
{
	const size_t n = job->graph->n;
	int *host_at = pl_array_create(n, sizeof(*host_at));
	int rc = -1;

	if (!host_at)
		return -1;
	memcpy(host_at, job->host_of, n * sizeof(*host_at));
	*given = *found = pl_topo_cost(job, host_at);
	if (search(job, host_at, found))
		goto out;
	if (*found >= *given * (1 - GAIN_MIN)) {
		*found = *given;
		memcpy(host_at, job->host_of, n * sizeof(*host_at));
	}
	rc = name_processes(job, host_at, rank_at);
out:
	free(host_at);
	return rc;
}
