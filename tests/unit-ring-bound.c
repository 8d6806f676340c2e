/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-ring-bound.c - lower bounds of rings: valid always, tight on racks */
#include "config.h"

#include "solver/ring-bound.h"
#include "solver/ring-exact.h"
#include "solver/ring-search.h"
#include "tests/failalloc.h"
#include "tests/solve.h"
#include "tests/tap.h"

#include <stdlib.h>

/* A bound that is above the optimum by rounding alone would be wrong too;
 * brute force and bound add in other orders, hence the last two bits. */
static bool above(double bound, double best)
{
	return bound > best * (1 + 4e-16);
}

static void test_brute(enum pl_bound_effort effort, const char *what)
{
	int wrong = 0, broken = 0;

	for (int k = 0; k < 60 * SOLVE_KINDS; k++) {
		const size_t n =
			1 + (size_t)(k / SOLVE_KINDS) % SOLVE_BRUTE_MAX;
		double c[SOLVE_BRUTE_MAX * SOLVE_BRUTE_MAX];
		double bound, weight[SOLVE_BRUTE_MAX];
		struct pl_rng rng;

		pl_rng_init(&rng, 21, (uint64_t)k);
		solve_fill(c, n, (enum solve_kind)(k % SOLVE_KINDS), &rng);
		broken += pl_ring_bound(c, n, effort, NULL, &bound, weight,
					NULL) ||
			  !(bound >= 0);
		wrong += above(bound, solve_brute(c, n));
	}
	is_int(broken, 0, what);
	is_int(wrong, 0, "never above brute force, n <= 8");
}

/* The bound, -1 where there is none. */
static double bound_of(const double *c, size_t n, enum pl_bound_effort effort,
		       double *weight)
{
	double bound = 0;

	return pl_ring_bound(c, n, effort, NULL, &bound, weight, NULL) ? -1
								       : bound;
}

static void test_racks(size_t n, size_t size)
{
	const double best =
		(double)(n / size) * 5000 + (double)(n - n / size) * 500;
	double *c = malloc(n * n * sizeof(*c));
	double *weight = malloc(n * sizeof(*weight)), bound;
	struct pl_rng rng;

	pl_rng_init(&rng, 22, n);
	solve_racks(c, n, size, 500, 5000, &rng);
	bound = bound_of(c, n, PL_BOUND_FAST, weight);
	ok(bound == best,
	   "%zu hosts in racks of %zu: no gap at all (%.17g of %g)", n, size,
	   bound, best);
	free(weight);
	free(c);
}

/* Random points: the ascent comes within 3 % where the first tree is far off. */
static void test_points(void)
{
	enum { N = 60 };
	static double c[N * N], x[N], y[N], weight[N];
	const struct pl_ring_options o = {
		.seed = 1, .moves = 20000, .threads = 1};
	struct pl_ring_result r;
	struct pl_rng rng;
	size_t at[N];
	double fast, full;

	pl_rng_init(&rng, 23, 0);
	for (size_t i = 0; i < N; i++) {
		at[i] = i;
		x[i] = pl_rng_double(&rng);
		y[i] = pl_rng_double(&rng);
	}
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			c[i * N + j] = hypot(x[i] - x[j], y[i] - y[j]);
	ok(!pl_ring_search(c, N, &o, at, &r, NULL), "points in a square");
	fast = bound_of(c, N, PL_BOUND_FAST, weight);
	full = bound_of(c, N, PL_BOUND_FULL, weight);
	ok(fast <= r.cost && fast > 0.97 * r.cost,
	   "fast bound within 3 %% (%.2f %%)", 100 * (r.cost / fast - 1));
	ok(full <= r.cost && full >= fast * 0.999,
	   "full bound as good (%.2f %%)", 100 * (r.cost / full - 1));
}

/* Directed costs whose cheaper ways say nothing: sums out and in do. */
static void test_directed(void)
{
	enum { N = 12 };
	double c[N * N], weight[N], bound, best;
	size_t at[N];

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			c[i * N + j] = i == j ? 0 : j == (i + 1) % N ? 1 : 100;
	c[(N - 1) * N] = 100; /* the chain does not close */
	pl_ring_exact(c, N, at, NULL);
	best = pl_cost_ring(c, N, at, N);
	bound = bound_of(c, N, PL_BOUND_FAST, weight);
	ok(bound == best, "a directed chain: exact (%g of %g)", bound, best);
}

static void test_none(void)
{
	const double c[] = {0, 1, 2, 3, 0, 5, 6, 7, 0};
	double weight[3] = {9, 9, 9}, bound = 9;

	ok(!pl_ring_bound(c, 3, PL_BOUND_NONE, NULL, &bound, weight, NULL) &&
		   bound == 0 && weight[2] == 0,
	   "none asked for: 0, no hints");
}

static void test_no_memory(void)
{
	enum { N = 9 };
	double c[N * N], weight[N], bound;
	struct pl_rng rng;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	pl_rng_init(&rng, 24, 0);
	solve_fill(c, N, SOLVE_DIRECT, &rng);
	do {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = pl_ring_bound(c, N, PL_BOUND_FAST, NULL, &bound, weight,
				   &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 ||
			 (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 6, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: PL_ESYSTEM, and nothing leaks");
}

int main(void)
{
	test_none();
	test_brute(PL_BOUND_FAST, "fast bound");
	test_brute(PL_BOUND_FULL, "full bound");
	test_racks(16, 4);
	test_racks(64, 8);
	test_racks(512, 16);
	test_points();
	test_directed();
	test_no_memory();
	return done_testing();
}
