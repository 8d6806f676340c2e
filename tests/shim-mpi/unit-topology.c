/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-topology.c - placements in grids and graphs: brute force, planted */
#include "config.h"

#include "base/rng.h"
#include "shim/mpi/topology/fit.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 1024
#define HOSTS_MAX 64

/* Costs of racks: 1 within one, 10 between two. */
static void make_racks(double *cost, size_t n_hosts, size_t n_racks)
{
	for (size_t i = 0; i < n_hosts; i++)
		for (size_t j = 0; j < n_hosts; j++)
			cost[i * n_hosts + j] = i == j ? 0 : i % n_racks == j % n_racks ? 1 : 10;
}

static double cost_of(const struct pl_topo_job *job, const int *rank_at)
{
	int host_at[RANKS_MAX];

	for (size_t v = 0; v < job->graph->n; v++)
		host_at[v] = job->host_of[rank_at[v]];
	return pl_topo_cost(job, host_at);
}

static bool is_permutation(const int *rank_at, size_t n)
{
	bool seen[RANKS_MAX] = {false};

	for (size_t v = 0; v < n; v++) {
		if (rank_at[v] < 0 || (size_t)rank_at[v] >= n || seen[rank_at[v]])
			return false;
		seen[rank_at[v]] = true;
	}
	return true;
}

/* A grid of @slots processes on each of the hosts in racks of @per, which come by turns: is the
 * cost at most @most? */
static void test_grid(const int *dim, const int *periodic, size_t n_dims, size_t n_hosts,
		      size_t n_racks, double most)
{
	const struct pl_topo_grid grid = {.n_dims = n_dims, .dim = dim, .periodic = periodic};
	const size_t n = pl_topo_grid_size(&grid, RANKS_MAX);
	static double cost[HOSTS_MAX * HOSTS_MAX];
	int host_of[RANKS_MAX], rank_at[RANKS_MAX];
	struct pl_topo_graph g;
	struct pl_topo_job job = {
		.graph = &g, .grid = &grid, .n_hosts = n_hosts, .cost = cost, .host_of = host_of};
	double given, found;

	make_racks(cost, n_hosts, n_racks);
	for (size_t rank = 0; rank < n; rank++)
		host_of[rank] = (int)(rank / (n / n_hosts));
	if (pl_topo_grid_graph(&g, n, &grid) || pl_topo_fit(&job, rank_at, &given, &found))
		abort();
	if (!ok(is_permutation(rank_at, n) && found <= most && found == cost_of(&job, rank_at) &&
			found < given,
		"%zu ranks, %zu dimensions, %zu hosts, %zu racks: planted one found", n, n_dims,
		n_hosts, n_racks))
		printf("# given %g, found %g, planted %g\n", given, found, most);
	pl_topo_graph_fini(&g);
}

static void test_planted(void)
{
	/* 4 racks of 4 x 4: 8 edges of 10 each in each direction, within them
	 * 2 x 2 hosts of one process: 12 of 16 edges inside */
	test_grid((int[]){8, 8}, (int[]){0, 0}, 2, 64, 4, 16 * 10 + 4 * 24 * 1);
	/* the same of 2 x 2 processes on 16 hosts */
	test_grid((int[]){8, 8}, (int[]){0, 0}, 2, 16, 4, 16 * 10 + 4 * 8 * 1);
	/* a torus of 16 x 8 x 8: racks are slabs of 4 x 8 x 8, in which hosts are blocks of 4 x 2 x
	 * 2 */
	test_grid((int[]){16, 8, 8}, (int[]){1, 1, 1}, 3, 64, 4, 4 * 64 * 10 + 4 * 256 * 1);
}

/* The least cost of all placements of the rest from vertex @v on. */
static double brute(const struct pl_topo_job *job, int *host_at, size_t v)
{
	double least = 1e300;

	if (v == job->graph->n)
		return pl_topo_cost(job, host_at);
	for (size_t k = v; k < job->graph->n; k++) {
		const int a = host_at[v], b = host_at[k];
		double cost;

		host_at[v] = b;
		host_at[k] = a;
		cost = brute(job, host_at, v + 1);
		if (cost < least)
			least = cost;
		host_at[v] = a;
		host_at[k] = b;
	}
	return least;
}

/* Random graphs of 7 ranks on 4 hosts: never worse than given, mostly as good as can be. */
static void test_brute(void)
{
	struct pl_rng rng;
	int wrong = 0, best = 0;

	pl_rng_init(&rng, 5, 0);
	for (int i = 0; i < 100; i++) {
		struct pl_topo_edge edge[12];
		double cost[16] = {0}, given, found, least;
		int host_of[7], host_at[7], rank_at[7];
		struct pl_topo_graph g;
		struct pl_topo_job job = {
			.graph = &g, .n_hosts = 4, .cost = cost, .host_of = host_of};

		for (int k = 0; k < 12; k++)
			edge[k] = (struct pl_topo_edge){.from = (int)pl_rng_below(&rng, 7),
							.to = (int)pl_rng_below(&rng, 7),
							.weight = (double)pl_rng_below(&rng, 5)};
		for (int a = 0; a < 4; a++)
			for (int b = 0; b < a; b++)
				cost[4 * a + b] = cost[4 * b + a] =
					1 + (double)pl_rng_below(&rng, 9);
		for (int k = 0; k < 7; k++)
			host_of[k] = host_at[k] = (int)pl_rng_below(&rng, 4);
		if (pl_topo_graph_init(&g, 7, edge, 12) ||
		    pl_topo_fit(&job, rank_at, &given, &found))
			abort();
		least = brute(&job, host_at, 0);
		wrong += !is_permutation(rank_at, 7) || found > given ||
			 found != cost_of(&job, rank_at) || found < least;
		best += found == least;
		pl_topo_graph_fini(&g);
	}
	is_int(wrong, 0, "permutations, never worse than the given one");
	ok(best >= 90, "%d of 100 are the best there is", best);
}

/* Two pairs that exchange much, apart, and edges of little weight: the weights decide. */
static void test_weights(void)
{
	const struct pl_topo_edge edge[] = {{0, 2, 9}, {1, 3, 9}, {0, 1, 1}, {2, 3, 1}};
	const double cost[] = {0, 1, 1, 0};
	const int host_of[] = {0, 0, 1, 1};
	struct pl_topo_graph g;
	const struct pl_topo_job job = {
		.graph = &g, .n_hosts = 2, .cost = cost, .host_of = host_of};
	double given, found;
	int rank_at[4];

	if (pl_topo_graph_init(&g, 4, edge, 4) || pl_topo_fit(&job, rank_at, &given, &found))
		abort();
	ok(given == 18 && found == 2, "weights count");
	ok(host_of[rank_at[0]] == host_of[rank_at[2]], "the pair is together");
	pl_topo_graph_fini(&g);
}

/* No placement is cheaper: every process keeps its rank, those of no vertex of the grid, too. */
static void test_kept(void)
{
	const struct pl_topo_grid grid = {
		.n_dims = 2, .dim = (int[]){2, 2}, .periodic = (int[]){1, 0}};
	const double cost[] = {0, 1, 1, 0};
	const int host_of[] = {0, 0, 1, 1, 1};
	struct pl_topo_graph g;
	const struct pl_topo_job job = {
		.graph = &g, .grid = &grid, .n_hosts = 2, .cost = cost, .host_of = host_of};
	const int identity[] = {0, 1, 2, 3, 4};
	double given, found;
	int rank_at[5];

	if (pl_topo_grid_graph(&g, 5, &grid))
		abort();
	is_int((int64_t)g.first[4], 12, "2 x 2, one way around: 6 edges");
	is_int((int64_t)(g.first[5] - g.first[4]), 0, "the rest has none");
	pl_topo_graph_fini(&g);
	/* along the other dimension the given order is the best */
	if (pl_topo_graph_init(&g, 5, (struct pl_topo_edge[]){{0, 1, 1}, {2, 3, 1}}, 2) ||
	    pl_topo_fit(&job, rank_at, &given, &found))
		abort();
	ok(memcmp(rank_at, identity, sizeof(identity)) == 0 && given == found,
	   "what cannot be better stays");
	pl_topo_graph_fini(&g);
}

int main(void)
{
	test_planted();
	test_brute();
	test_weights();
	test_kept();
	return done_testing();
}
