/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.h - for tests of solvers: random and planted costs, brute force */
#ifndef PLINK_TESTS_SOLVER_SOLVE_H
#define PLINK_TESTS_SOLVER_SOLVE_H

#include "base/rng.h"
#include "costmodels/ring.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { SOLVE_BRUTE_MAX = 8 };

/* How the cells of a test matrix are drawn. */
enum solve_kind {
	SOLVE_WHOLE,  /* 0..99, directed: many ties, zero cells */
	SOLVE_SYM,    /* symmetric fractions */
	SOLVE_DIRECT, /* directed fractions */
	SOLVE_HUGE,   /* directed, 1e150 to 1e156 */
	SOLVE_EQUAL,  /* all the same */
	SOLVE_KINDS,
	/* kinds for bounds only */
	SOLVE_TINY = SOLVE_KINDS, /* directed, 1e-300 to 1e-294, some cells zero */
	SOLVE_TIERS,              /* racks of 2, one direction more expensive; every third
				     row zero */
	SOLVE_ALL_KINDS
};

static double solve_cell(enum solve_kind kind, struct pl_rng *rng)
{
	switch (kind) {
	case SOLVE_WHOLE:
		return (double)pl_rng_below(rng, 100);
	case SOLVE_HUGE:
		return pow(10, 6 * pl_rng_double(rng) + 150);
	case SOLVE_EQUAL:
		return 0.1;
	case SOLVE_TINY:
		return pl_rng_below(rng, 4) ? pow(10, 6 * pl_rng_double(rng) - 300) : 0;
	case SOLVE_SYM:
	case SOLVE_TIERS:
	case SOLVE_DIRECT:
	case SOLVE_ALL_KINDS:
		break;
	}
	return pl_rng_double(rng);
}

__attribute__((unused)) static void solve_fill(double *c, size_t n, enum solve_kind kind,
					       struct pl_rng *rng)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			c[i * n + j] = i == j ? 0 : solve_cell(kind, rng);
			if (kind == SOLVE_SYM && j < i)
				c[i * n + j] = c[j * n + i];
			if (kind == SOLVE_TIERS && i != j)
				c[i * n + j] = i % 3 == 2       ? 0
					       : i / 2 == j / 2 ? 1.1
					       : i < j          ? 4.4
								: 5.3;
		}
}

/* Racks of @size hosts, shuffled: @near inside a rack, @far across. */
__attribute__((unused)) static void solve_racks(double *c, size_t n, size_t size, double near,
						double far, struct pl_rng *rng)
{
	size_t rack[4096];

	for (size_t i = 0; i < n; i++)
		rack[i] = i / size;
	pl_rng_shuffle(rng, rack, n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			c[i * n + j] = i == j ? 0 : rack[i] == rack[j] ? near : far;
}

/* Is v[n] a permutation of 0..n-1? */
__attribute__((unused)) static bool solve_is_order(const size_t *v, size_t n)
{
	bool seen[4096] = {false};

	for (size_t i = 0; i < n; i++) {
		if (v[i] >= n || seen[v[i]])
			return false;
		seen[v[i]] = true;
	}
	return true;
}

static double solve_brute_from(const double *c, size_t n, size_t *at, size_t k)
{
	double best = INFINITY;

	if (k == n)
		return pl_cost_ring(c, n, at, n);
	for (size_t i = k; i < n; i++) {
		const size_t t = at[k];

		at[k] = at[i];
		at[i] = t;
		best = fmin(best, solve_brute_from(c, n, at, k + 1));
		at[i] = at[k];
		at[k] = t;
	}
	return best;
}

/* The cost of the cheapest ring, by trying all; n <= SOLVE_BRUTE_MAX. */
__attribute__((unused)) static double solve_brute(const double *c, size_t n)
{
	size_t at[SOLVE_BRUTE_MAX];

	for (size_t i = 0; i < n; i++)
		at[i] = i;
	return solve_brute_from(c, n, at, 1);
}

#endif
