/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-cluster.c - groups of bounded sizes: exact assignment, k-means,
 * memory */
#include "config.h"

#include "base/rng.h"
#include "tests/failalloc.h"
#include "tests/tap.h"
#include "topology/cluster.h"

#include <stdlib.h>

enum { SMALL = 7, RACKS = 5, IN_RACK = 6, HOSTS = RACKS * IN_RACK };

/* The cheapest of all k^n ways that keep the sizes. */
static int64_t by_hand(const int64_t *cost, size_t n, size_t k, struct pl_assign_sizes sizes)
{
	size_t ways = 1;
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < n; i++)
		ways *= k;
	for (size_t way = 0; way < ways; way++) {
		size_t size[SMALL] = {0}, rest = way;
		int64_t sum = 0;
		bool fits = true;

		for (size_t i = 0; i < n; i++, rest /= k) {
			size[rest % k]++;
			sum += cost[i * k + rest % k];
		}
		for (size_t c = 0; c < k; c++)
			fits = fits && size[c] >= sizes.least && size[c] <= sizes.most;
		if (fits && sum < least)
			least = sum;
	}
	return least;
}

static bool assigns_best(uint64_t trial)
{
	int64_t cost[SMALL * SMALL], sum = 0;
	size_t group[SMALL], size[SMALL] = {0}, n, k;
	struct pl_assign_sizes sizes;
	struct pl_rng rng;

	pl_rng_init(&rng, 3, trial);
	n = 1 + pl_rng_below(&rng, SMALL);
	k = 1 + pl_rng_below(&rng, n < 4 ? n : 4);
	sizes.least = pl_rng_below(&rng, n / k + 1);
	sizes.most = (n + k - 1) / k + pl_rng_below(&rng, 3);
	for (size_t i = 0; i < n * k; i++)
		cost[i] = (int64_t)pl_rng_below(&rng, trial % 2 ? 10 : PL_ASSIGN_COST_MAX + 1);
	if (pl_assign(cost, n, k, sizes, group, NULL))
		return false;
	for (size_t i = 0; i < n; i++) {
		sum += cost[i * k + group[i]];
		size[group[i]]++;
	}
	for (size_t c = 0; c < k; c++)
		if (size[c] < sizes.least || size[c] > sizes.most)
			return false;
	return sum == by_hand(cost, n, k, sizes);
}

static void assigning(void)
{
	const int64_t cost[4] = {0};
	struct pl_err err = {0};
	size_t group[4];
	int64_t n_best = 0;

	for (uint64_t trial = 0; trial < 600; trial++)
		n_best += assigns_best(trial);
	is_int(n_best, 600, "as cheap as the cheapest of all, 600 times");
	ok(pl_assign(cost, 4, 1, (struct pl_assign_sizes){5, 9}, group, &err) &&
		   err.code == PL_EUSAGE,
	   "too few hosts for the least size");
	ok(pl_assign(cost, 4, 1, (struct pl_assign_sizes){0, 3}, group, &err) &&
		   err.code == PL_EUSAGE,
	   "too many for the largest");
}

/* Racks in a plane, far from one another; the hosts shuffled. */
static void racks(double *at, size_t *rack, uint64_t seed)
{
	struct pl_rng rng;

	pl_rng_init(&rng, seed, 0);
	for (size_t i = 0; i < HOSTS; i++)
		rack[i] = i % RACKS;
	pl_rng_shuffle(&rng, rack, HOSTS);
	for (size_t i = 0; i < HOSTS; i++) {
		at[2 * i] = 10.0 * (double)rack[i] + pl_rng_double(&rng);
		at[2 * i + 1] = 7.0 * (double)(rack[i] % 2) + pl_rng_double(&rng);
	}
}

static bool same_groups(const size_t *a, const size_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if ((a[i] == a[j]) != (b[i] == b[j]))
				return false;
	return true;
}

static struct pl_cluster_options options(size_t k, double elasticity)
{
	return (struct pl_cluster_options){
		.k = k,
		.sizes = pl_cluster_sizes(HOSTS, k, elasticity),
		.tries = 8,
		.slack = 0.05,
		.seed = 1,
	};
}

static void clusters(void)
{
	double at[2 * HOSTS];
	size_t rack[HOSTS], group[HOSTS], again[HOSTS];
	const struct pl_cluster_points p = {at, HOSTS, 2};
	struct pl_cluster_options o = options(RACKS, 1);
	struct pl_cluster_result r, s;
	int64_t n_found = 0, n_even = 0;

	for (uint64_t seed = 0; seed < 20; seed++) {
		racks(at, rack, seed);
		o.seed = seed;
		if (!pl_cluster(&p, &o, group, &r, NULL))
			n_found += same_groups(group, rack, HOSTS) && group[0] == 0;
	}
	is_int(n_found, 20, "planted racks are found, 20 times");
	for (size_t k = 1; k <= HOSTS; k++) {
		o = options(k, 1);
		if (!pl_cluster(&p, &o, group, &r, NULL))
			n_even += r.largest - r.smallest <= 1;
	}
	is_int(n_even, HOSTS, "elasticity 1: sizes that differ by one at most");
	o = options(RACKS, 1);
	ok(!pl_cluster(&p, &o, group, &r, NULL) && !pl_cluster(&p, &o, again, &s, NULL) &&
		   !memcmp(group, again, sizeof(group)) && r.cost == s.cost,
	   "same seed, same groups");
	memset(at, 0, sizeof(at));
	o = options(4, 2);
	ok(!pl_cluster(&p, &o, group, &r, NULL) && r.smallest >= 3 && r.largest <= 15,
	   "all in one place: sizes are kept");
	is_int((int64_t)pl_cluster_default_k(64), 8, "64 hosts, 8 groups");
	o.sizes.least = 0;
	ok(pl_cluster(&p, &o, group, &r, NULL), "empty groups are refused");
}

/* Racks of 4 and 8: with elasticity they are kept, without it they are not. */
static void uneven(void)
{
	double at[HOSTS];
	size_t rack[HOSTS], group[HOSTS];
	const struct pl_cluster_points p = {at, 24, 1};
	struct pl_cluster_options o = {.k = 4, .tries = 8, .slack = 0.05, .seed = 1};
	struct pl_cluster_result r;

	for (size_t i = 0; i < 24; i++) {
		rack[i] = i < 4 ? 0 : i < 8 ? 1 : i < 16 ? 2 : 3;
		at[i] = 100.0 * (double)rack[i] + (double)(i % 3);
	}
	o.sizes = pl_cluster_sizes(24, 4, 1.5);
	ok(!pl_cluster(&p, &o, group, &r, NULL) && same_groups(group, rack, 24) &&
		   r.smallest == 4 && r.largest == 8,
	   "elasticity 1.5 keeps racks of 4 and of 8 whole");
	o.sizes = pl_cluster_sizes(24, 4, 1);
	ok(!pl_cluster(&p, &o, group, &r, NULL) && r.smallest == 6 && r.largest == 6,
	   "elasticity 1 makes them 6 each");
}

static void without_memory(void)
{
	double at[2 * HOSTS];
	size_t rack[HOSTS], group[HOSTS], live;
	const struct pl_cluster_points p = {at, HOSTS, 2};
	struct pl_cluster_options o = options(RACKS, 1);
	bool failed = true, told = true, freed = true;

	o.tries = 1;
	racks(at, rack, 1);
	for (size_t k = 0; failed; k++) {
		struct pl_cluster_result r;
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k);
		rc = pl_cluster(&p, &o, group, &r, &err);
		failed = failalloc_end(&live);
		freed = freed && live == 0;
		told = told && (rc == -1) == failed && (err.code == PL_ESYSTEM) == failed;
	}
	ok(told && freed, "out of memory at every place: told, nothing kept");
}

int main(void)
{
	assigning();
	clusters();
	uneven();
	without_memory();
	return done_testing();
}
