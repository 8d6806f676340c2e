/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-bottleneck.c - the dearest hop of rings and chains: bounds, exact for few */
#include "config.h"

#include "solver/bound/bottleneck.h"
#include "solver/bound/order-bound.h"
#include "tests/failalloc.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <stdlib.h>

enum { N_MAX = SOLVE_BRUTE_MAX };

static double dearest(const double *c, size_t n, const size_t *at, bool closed)
{
	double most = 0;

	for (size_t k = 0; k + !closed < n; k++)
		most = fmax(most, c[at[k] * n + at[(k + 1) % n]]);
	return n < 2 ? 0 : most;
}

static double brute_from(const double *c, size_t n, size_t *at, size_t k, bool closed)
{
	double best = INFINITY;

	if (k == n)
		return dearest(c, n, at, closed);
	for (size_t i = k; i < n; i++) {
		const size_t t = at[k];

		at[k] = at[i];
		at[i] = t;
		best = fmin(best, brute_from(c, n, at, k + 1, closed));
		at[i] = at[k];
		at[k] = t;
	}
	return best;
}

/* The least that the dearest hop can cost, by trying all rings or chains. */
static double brute(const double *c, size_t n, bool closed)
{
	size_t at[N_MAX];

	for (size_t i = 0; i < n; i++)
		at[i] = i;
	return brute_from(c, n, at, closed, closed);
}

static double bound_of(const double *c, size_t n, size_t exact_max)
{
	double least = -1;

	return pl_bottleneck_ring(c, n, exact_max, NULL, &least, NULL) ? -1 : least;
}

static bool is_cell(const double *c, size_t n, double x)
{
	for (size_t i = 0; i < n * n; i++)
		if (i / n != i % n && c[i] == x)
			return true;
	return n < 2 && x == 0;
}

static void test_rings(enum solve_kind kind)
{
	int off = 0, above = 0, strange = 0, tight = 0;

	for (uint64_t k = 0; k < 160; k++) {
		const size_t n = 1 + k % N_MAX;
		double c[N_MAX * N_MAX], best, bound;
		struct pl_rng rng;

		pl_rng_init(&rng, 61 + kind, k);
		solve_fill(c, n, kind, &rng);
		best = brute(c, n, true);
		bound = bound_of(c, n, 0);
		off += bound_of(c, n, PL_BOTTLENECK_EXACT_MAX) != best;
		above += !(bound >= 0 && bound <= best);
		strange += !is_cell(c, n, bound);
		tight += bound == best;
	}
	ok(!off, "costs %d: exact is as brute force, n <= 8", (int)kind);
	ok(!above && !strange && tight > 120,
	   "the bound is a cell and never above; %d of 160 equal", tight);
}

/* Chains, and rings whose hops go backward, as shapes have them. */
static void test_shapes(enum solve_kind kind, bool closed)
{
	int off = 0;

	for (uint64_t k = 0; k < 80; k++) {
		const size_t n = 2 + k % (N_MAX - 1);
		struct pl_shape shape = {.kind = PL_SLOWEST, .n_pos = n};
		double c[N_MAX * N_MAX], bound = -1, best;
		const struct pl_costs costs = {.n = n, .c = c};
		struct pl_rng rng;

		pl_rng_init(&rng, 71 + kind, k);
		solve_fill(c, n, kind, &rng);
		best = brute(c, n, closed);
		for (size_t p = !closed; p < n; p++)
			pl_shape_add(&shape,
				     (struct pl_hop){.src = (uint32_t)p,
						     .dst = (uint32_t)((p + n - 1) % n),
						     .times = 1},
				     NULL);
		off += pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, NULL) ||
		       bound != best;
		pl_shape_fini(&shape);
	}
	ok(!off, "costs %d, %s: as brute force", (int)kind, closed ? "rings" : "chains");
}

/* Many hosts with a ring of hops that cost 100 at most, others more: the bound is never above, and
 * where they are dear enough no other ring comes near. */
static void test_planted(size_t n)
{
	double *c = malloc(n * n * sizeof(*c)), most = 0, bound;
	size_t *at = malloc(n * sizeof(*at));
	struct pl_rng rng;

	pl_rng_init(&rng, 81, n);
	for (size_t i = 0; i < n; i++)
		at[i] = i;
	pl_rng_shuffle(&rng, at, n);
	for (size_t i = 0; i < n * n; i++)
		c[i] = 101 + pl_rng_double(&rng);
	for (size_t k = 0; k < n; k++) {
		double *hop = &c[at[k] * n + at[(k + 1) % n]];

		*hop = 100 * pl_rng_double(&rng);
		most = fmax(most, *hop);
	}
	bound = bound_of(c, n, 0);
	ok(bound == most, "%zu hosts: the planted ring's dearest hop (%g)", n, bound);
	for (size_t i = 0; i < n * n; i++)
		c[i] -= c[i] > 100 ? 101 : 0;
	bound = bound_of(c, n, 0);
	ok(bound < 1, "and with cheap hops besides one of those (%g)", bound);
	free(at);
	free(c);
}

/* Hosts in a line: two hops at the least go two places further. */
static void test_reasons(void)
{
	double c[25];

	for (size_t i = 0; i < 25; i++)
		c[i] = fabs((double)(i / 5) - (double)(i % 5));
	ok(bound_of(c, 5, 0) == 2, "a line falls apart without any host inside: 2");
	for (size_t i = 0; i < 25; i++)
		c[i] = i % 5 < i / 5 ? 9 : 1;
	c[4 * 5] = 3;
	ok(bound_of(c, 5, 0) == 3, "dear backward: somewhere one has to: 3");
	for (size_t i = 0; i < 25; i++)
		c[i] = i / 5 < 3 && i % 5 < 3 ? 7 : 1;
	ok(bound_of(c, 5, 0) == 7, "three hosts that have but two successors: 7");
}

static void test_no_memory(size_t n)
{
	double c[20 * 20], bound;
	struct pl_rng rng;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	pl_rng_init(&rng, 82, 0);
	solve_fill(c, n, SOLVE_DIRECT, &rng);
	do {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = pl_bottleneck_ring(c, n, PL_BOTTLENECK_EXACT_MAX, NULL, &bound, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 8 && !wrong, "%zu hosts: %zu allocations, each refused once", n, k - 1);
}

int main(void)
{
	for (int kind = 0; kind < SOLVE_ALL_KINDS; kind++) {
		test_rings((enum solve_kind)kind);
		test_shapes((enum solve_kind)kind, true);
		test_shapes((enum solve_kind)kind, false);
	}
	test_planted(40);
	test_planted(300);
	test_reasons();
	test_no_memory(5);
	test_no_memory(20);
	return done_testing();
}
