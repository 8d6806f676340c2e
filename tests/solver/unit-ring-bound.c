/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-ring-bound.c - lower bounds of rings: valid always, tight on racks */
#include "config.h"

#include "solver/ring/ring-bound.h"
#include "solver/ring/ring-exact.h"
#include "solver/ring/ring-search.h"
#include "tests/failalloc.h"
#include "tests/solver/solve.h"
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

	for (int k = 0; k < 60 * SOLVE_ALL_KINDS; k++) {
		const size_t n = 1 + (size_t)(k / SOLVE_ALL_KINDS) % SOLVE_BRUTE_MAX;
		double c[SOLVE_BRUTE_MAX * SOLVE_BRUTE_MAX];
		struct pl_ring_bound bound;
		double weight[SOLVE_BRUTE_MAX];
		struct pl_rng rng;

		pl_rng_init(&rng, 21, (uint64_t)k);
		solve_fill(c, n, (enum solve_kind)(k % SOLVE_ALL_KINDS), &rng);
		broken += pl_ring_bound(c, n, effort, NULL, &bound, weight, NULL) ||
			  !(bound.value >= 0);
		wrong += above(bound.value, solve_brute(c, n));
	}
	is_int(broken, 0, what);
	is_int(wrong, 0, "never above brute force, n <= 8");
}

/* The cheapest successors of hosts @i and on, by trying all. */
static double brute_successors(const double *c, size_t n, size_t i, unsigned taken)
{
	double best = INFINITY;

	if (i == n)
		return 0;
	for (size_t j = 0; j < n; j++)
		if (j != i && !(taken >> j & 1))
			best = fmin(best,
				    c[i * n + j] + brute_successors(c, n, i + 1, taken | 1U << j));
	return best;
}

static void test_assignment(enum solve_kind kind)
{
	int off = 0, unfair = 0;

	for (uint64_t k = 0; k < 90; k++) {
		const size_t n = 2 + k % 6;
		double c[49], out[7], in[7], sum = 0, best, slack;
		struct pl_rng rng;

		pl_rng_init(&rng, 25 + kind, k);
		solve_fill(c, n, kind, &rng);
		best = brute_successors(c, n, 0, 0);
		slack = 0;
		for (size_t i = 0; kind != SOLVE_WHOLE && i < n * n; i++)
			slack = fmax(slack, 1e-14 * c[i]);
		off += pl_assignment(c, n, NULL, out, in, NULL);
		for (size_t i = 0; i < n; i++)
			sum += out[i] + in[i];
		off += !(fabs(sum - best) <= slack);
		for (size_t i = 0; i < n * n; i++)
			unfair += i / n != i % n && out[i / n] + in[i % n] > c[i] + slack;
	}
	ok(!off && !unfair, "costs %d: prices add up to the cheapest assignment", (int)kind);
}

/* Whole numbers with few different ones, where rows compete for columns. */
static void test_assignment_ties(void)
{
	int off = 0;

	for (uint64_t k = 0; k < 300; k++) {
		const size_t n = 3 + k % 5;
		double c[49], out[7], in[7], sum = 0;
		struct pl_rng rng;

		pl_rng_init(&rng, 26, k);
		for (size_t i = 0; i < n * n; i++)
			c[i] = (double)pl_rng_below(&rng, 4);
		off += pl_assignment(c, n, NULL, out, in, NULL);
		for (size_t i = 0; i < n; i++)
			sum += out[i] + in[i];
		off += sum != brute_successors(c, n, 0, 0);
	}
	is_int(off, 0, "many ties: exact");
}

/* Hosts in groups of four that are cheap one way round: whoever gives each a successor pays little,
 * and every ring pays for leaving the groups. */
static void test_groups(void)
{
	enum { N = 32 };
	double c[N * N], weight[N];
	struct pl_ring_bound bound = {0};

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			c[i * N + j] = i == j                 ? 0
				       : i / 4 != j / 4       ? 100
				       : (i + 1) % 4 == j % 4 ? 1
							      : 7;
	pl_ring_bound(c, N, PL_BOUND_FAST, NULL, &bound, weight, NULL);
	ok(bound.value == 8 * 3 + 8 * 100, "directed groups: exact (%g)", bound.value);
	for (size_t i = 0; i < N; i++)
		c[i * N + (i + 5) % N] = 0.5;
	pl_ring_bound(c, N, PL_BOUND_FAST, NULL, &bound, weight, NULL);
	ok(bound.by == PL_PROOF_ASSIGNMENT && fabs(bound.value - 16) < 1e-9 && bound.value <= 16,
	   "a ring of cheapest hops: the assignment proves it (%g)", bound.value);
}

/* The bound, -1 where there is none. */
static double bound_of(const double *c, size_t n, enum pl_bound_effort effort, double *weight)
{
	struct pl_ring_bound bound;

	return pl_ring_bound(c, n, effort, NULL, &bound, weight, NULL) ? -1 : bound.value;
}

/* Directed: every third host had better not be the one that leaves its rack. */
static void test_racks(size_t n, size_t size, bool directed)
{
	const double best = (double)(n / size) * 5000 + (double)(n - n / size) * 500;
	double *c = malloc(n * n * sizeof(*c));
	double *weight = malloc(n * sizeof(*weight)), bound;
	struct pl_rng rng;

	pl_rng_init(&rng, 22, n);
	solve_racks(c, n, size, 500, 5000, &rng);
	for (size_t i = 0; directed && i < n * n; i++)
		c[i] *= c[i] == 5000 && i / n % 3 == 0 ? 2 : 1;
	bound = bound_of(c, n, PL_BOUND_FAST, weight);
	ok(bound == best, "%zu hosts in %sracks of %zu: no gap at all (%.17g of %g)", n,
	   directed ? "directed " : "", size, bound, best);
	free(weight);
	free(c);
}

/* Random points: the ascent comes within 3 % where the first tree is far
 * off. */
static void test_points(void)
{
	enum { N = 60 };
	static double c[N * N], x[N], y[N], weight[N];
	const struct pl_ring_options o = {.seed = 1, .moves = 20000, .threads = 1};
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
	ok(fast <= r.cost && fast > 0.97 * r.cost, "fast bound within 3 %% (%.2f %%)",
	   100 * (r.cost / fast - 1));
	ok(full <= r.cost && full >= fast * 0.999, "full bound as good (%.2f %%)",
	   100 * (r.cost / full - 1));
}

/* Directed costs whose cheaper ways say nothing: sums out and in do. */
static void test_directed(void)
{
	enum { N = 12 };
	double c[N * N], weight[N], bound, best;
	size_t at[N];
	bool done;

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			c[i * N + j] = i == j ? 0 : j == (i + 1) % N ? 1 : 100;
	c[(N - 1) * N] = 100; /* the chain does not close */
	ok(!pl_ring_exact(c, N, NULL, at, &done, NULL) && done, "solved");
	best = pl_cost_ring(c, N, at, N);
	bound = bound_of(c, N, PL_BOUND_FAST, weight);
	ok(bound == best, "a directed chain: exact (%g of %g)", bound, best);
}

static void test_none(void)
{
	const double c[] = {0, 1, 2, 3, 0, 5, 6, 7, 0};
	double weight[3] = {9, 9, 9};
	struct pl_ring_bound bound = {9, PL_PROOF_CUTS};

	ok(!pl_ring_bound(c, 3, PL_BOUND_NONE, NULL, &bound, weight, NULL) && bound.value == 0 &&
		   bound.by == PL_PROOF_NONE && weight[2] == 0,
	   "none asked for: 0, no hints");
}

static void test_no_memory(void)
{
	enum { N = 9 };
	double c[N * N], weight[N];
	struct pl_ring_bound bound;
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
		rc = pl_ring_bound(c, N, PL_BOUND_FAST, NULL, &bound, weight, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 6, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: PL_ESYSTEM, and nothing leaks");
}

int main(void)
{
	test_none();
	test_brute(PL_BOUND_FAST, "fast bound");
	test_brute(PL_BOUND_FULL, "full bound");
	test_racks(16, 4, false);
	test_racks(16, 4, true);
	test_racks(64, 8, false);
	test_racks(64, 8, true);
	test_racks(512, 16, false);
	test_racks(512, 16, true);
	test_points();
	test_directed();
	for (int kind = 0; kind < SOLVE_ALL_KINDS; kind++)
		test_assignment((enum solve_kind)kind);
	test_assignment_ties();
	test_groups();
	test_no_memory();
	return done_testing();
}
