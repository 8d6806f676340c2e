/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-ring-cuts.c - branch and cut: agrees with all other ways, proves no
 * more */
#include "config.h"

#include "solver/ring/ring-cuts.h"
#include "solver/ring/ring-exact.h"
#include "solver/ring/ring-separate.h"
#include "tests/failalloc.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <stdlib.h>

enum { N_MAX = 24 };

static const uint64_t PLENTY = 1000000;

static void start(size_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		at[i] = i;
}

/* Is the result the least cost @best, and its proof no more than that? */
static bool right(const struct pl_ring_cuts_result *r, const double *c, const size_t *at, size_t n,
		  double best)
{
	const double part = best * PL_RING_CUTS_PART * 2;

	return r->proved && !r->stopped && solve_is_order(at, n) && at[0] == 0 &&
	       r->cost == pl_cost_ring(c, n, at, n) && fabs(r->cost - best) <= part &&
	       r->bound >= best - part && r->bound <= best * (1 + 4e-16);
}

static void test_brute(void)
{
	int wrong = 0, inexact = 0;

	for (int k = 0; k < 40 * SOLVE_ALL_KINDS; k++) {
		const enum solve_kind kind = (enum solve_kind)(k % SOLVE_ALL_KINDS);
		const size_t n = 4 + (size_t)(k / SOLVE_ALL_KINDS) % 5;
		double c[SOLVE_BRUTE_MAX * SOLVE_BRUTE_MAX], best;
		struct pl_ring_cuts_result r;
		size_t at[SOLVE_BRUTE_MAX];
		struct pl_rng rng;

		pl_rng_init(&rng, 31, (uint64_t)k);
		solve_fill(c, n, kind, &rng);
		start(at, n);
		best = solve_brute(c, n);
		wrong += pl_ring_cuts(c, n, PLENTY, NULL, at, &r, NULL) ||
			 !right(&r, c, at, n, best);
		inexact += kind == SOLVE_WHOLE && r.bound != r.cost;
	}
	is_int(wrong, 0, "as brute force, n <= 8: cost, bound, proof");
	is_int(inexact, 0, "whole costs: the bound is the cost");
}

static void test_exact(void)
{
	int wrong = 0;

	for (int k = 0; k < 4 * SOLVE_ALL_KINDS; k++) {
		const enum solve_kind kind = (enum solve_kind)(k % SOLVE_ALL_KINDS);
		const size_t n = 9 + (size_t)k % 6;
		double c[N_MAX * N_MAX];
		struct pl_ring_cuts_result r;
		size_t at[N_MAX], exact[N_MAX];
		struct pl_rng rng;
		bool done;

		pl_rng_init(&rng, 32, (uint64_t)k);
		solve_fill(c, n, kind, &rng);
		start(at, n);
		wrong += pl_ring_exact(c, n, NULL, exact, &done, NULL) ||
			 pl_ring_cuts(c, n, PLENTY, NULL, at, &r, NULL) ||
			 !right(&r, c, at, n, pl_cost_ring(c, n, exact, n));
	}
	is_int(wrong, 0, "9 to 14 hosts: as dynamic programming");
}

/* Points: a ring of 20 from any start, the same every time. */
static void fill_points(double *c, size_t n, uint64_t stream)
{
	double x[128], y[128];
	struct pl_rng rng;

	pl_rng_init(&rng, 33, stream);
	for (size_t i = 0; i < n; i++) {
		x[i] = pl_rng_double(&rng);
		y[i] = pl_rng_double(&rng);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			c[i * n + j] = hypot(x[i] - x[j], y[i] - y[j]);
}

static void test_points(void)
{
	enum { N = 20 };
	double c[N * N];
	struct pl_ring_cuts_result r, again;
	size_t at[N], at_again[N], exact[N];
	struct pl_rng rng;
	bool done;

	fill_points(c, N, 0);
	ok(!pl_ring_exact(c, N, NULL, exact, &done, NULL) && done,
	   "20 points, by dynamic programming");
	start(at, N);
	start(at_again, N);
	ok(!pl_ring_cuts(c, N, PLENTY, NULL, at, &r, NULL), "cut");
	ok(right(&r, c, at, N, pl_cost_ring(c, N, exact, N)),
	   "and by branch and cut: %.17g, not below %.17g", r.cost, r.bound);
	ok(!pl_ring_cuts(c, N, PLENTY, NULL, at_again, &again, NULL) && again.cost == r.cost &&
		   again.bound == r.bound && again.iterations == r.iterations &&
		   again.branches == r.branches,
	   "again: the same, down to the iterations");
	pl_rng_init(&rng, 34, 0);
	pl_rng_shuffle(&rng, at, N);
	ok(!pl_ring_cuts(c, N, PLENTY, NULL, at, &again, NULL) &&
		   fabs(again.cost - r.cost) <= 1e-12,
	   "from another ring: the same cost");
}

/* Costs whose ties leave a great many cheapest rings, up to the most hosts. */
static void test_racks(size_t n, bool directed)
{
	static double c[PL_CUT_HOSTS_MAX * PL_CUT_HOSTS_MAX];
	const double best = (double)(n / 8) * 4.4 + (double)(n - n / 8) * 1.1;
	struct pl_ring_cuts_result r;
	size_t at[PL_CUT_HOSTS_MAX];
	struct pl_rng rng;

	pl_rng_init(&rng, 35, n);
	solve_racks(c, n, 8, 1.1, 4.4, &rng);
	for (size_t i = 0; directed && i < n * n; i++)
		c[i] += c[i] == 4.4 && i / n < i % n;
	start(at, n);
	ok(!pl_ring_cuts(c, n, PLENTY, NULL, at, &r, NULL), "racks");
	ok(r.proved && (directed || fabs(r.cost - best) < 1e-6),
	   "%zu hosts in racks%s: proved (%.12g)", n, directed ? ", directed" : "", r.cost);
}

static void test_ends(void)
{
	enum { N = 24 };
	static const volatile sig_atomic_t flag = 1;
	const struct pl_stop stop = {.flag = &flag};
	double c[N * N], last = 0;
	struct pl_ring_cuts_result r, all;
	struct pl_rng rng;
	size_t at[N];
	int wrong = 0, moved = 0;

	pl_rng_init(&rng, 36, 0);
	solve_fill(c, N, SOLVE_DIRECT, &rng);
	start(at, N);
	ok(!pl_ring_cuts(c, N, PLENTY, &stop, at, &r, NULL) && r.stopped && !r.proved &&
		   r.bound >= 0 && r.bound <= r.cost,
	   "stopped at once: no proof");
	for (size_t i = 0; i < N; i++)
		moved += at[i] != i;
	is_int(moved, 0, "the ring is as it was");
	pl_ring_cuts(c, N, PLENTY, NULL, at, &all, NULL);
	for (uint64_t limit = 1; limit < 200000; limit *= 7) {
		start(at, N);
		wrong += pl_ring_cuts(c, N, limit, NULL, at, &r, NULL) || r.bound > all.cost ||
			 r.cost < all.bound || (limit == 1 && r.proved);
		last = r.bound;
	}
	ok(!wrong && last > 0.9 * all.cost,
	   "few iterations: bounds that hold, and better ones with more");
}

/* Links of hosts: three triangles of halves joined by three whole paths. No group is left by less
 * than 2, but the teeth tell that it is no ring. */
static void test_teeth(void)
{
	enum { N = 6 };
	struct pl_ring_separation s;
	double link[N * N] = {0};
	bool teeth = false;

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			if (i != j && i / 3 == j / 3)
				link[i * N + j] = 0.5;
			else if (i % 3 == j % 3 && i != j)
				link[i * N + j] = 1;
	ok(pl_ring_separation_init(&s, N, false), "links by halves");
	pl_ring_separate(&s, link);
	is_int((int64_t)s.n_cuts, 0, "all groups are left");
	pl_ring_separation_fini(&s);
	ok(pl_ring_separation_init(&s, N, true), "with teeth");
	pl_ring_separate(&s, link);
	for (size_t k = 0; k < s.n_cuts; k++)
		teeth = teeth || s.cut[k].n_teeth == 3;
	ok(teeth, "three teeth are one too many");
	pl_ring_separation_fini(&s);
}

static void test_groups(void)
{
	enum { N = 6 };
	struct pl_ring_separation s;
	double link[N * N] = {0};

	for (size_t i = 0; i < N * N; i++)
		link[i] = i / N != i % N && i / N / 3 == i % N / 3;
	ok(pl_ring_separation_init(&s, N, true), "two rings of three");
	pl_ring_separate(&s, link);
	ok(s.n_cuts == 1 && pl_ring_cut_has(&s.cut[0], 0) == pl_ring_cut_has(&s.cut[0], 2) &&
		   pl_ring_cut_has(&s.cut[0], 0) != pl_ring_cut_has(&s.cut[0], 3),
	   "the cut between them");
	pl_ring_separation_fini(&s);
}

static void test_no_memory(void)
{
	enum { N = 9 };
	double c[N * N];
	struct pl_rng rng;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	pl_rng_init(&rng, 37, 0);
	solve_fill(c, N, SOLVE_DIRECT, &rng);
	do {
		struct pl_ring_cuts_result r;
		struct pl_err err = {0};
		size_t at[N];
		int rc;

		start(at, N);
		failalloc_begin(k++);
		rc = pl_ring_cuts(c, N, PLENTY, NULL, at, &r, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 10, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: PL_ESYSTEM, and nothing leaks");
}

static void test_not_built(void)
{
	const double c[16] = {1, 1, 1, 1, 1};
	struct pl_ring_cuts_result r;
	struct pl_err err = {0};
	size_t at[4] = {0, 1, 2, 3};

	ok(pl_ring_cuts(c, 4, 1, NULL, at, &r, &err) == -1 && err.code == PL_EUSAGE,
	   "without GLPK: refused");
}

int main(void)
{
	test_teeth();
	test_groups();
	if (!pl_ring_cuts_built()) {
		test_not_built();
		return done_testing();
	}
	test_brute();
	test_exact();
	test_points();
	test_racks(24, false);
	test_racks(24, true);
	test_racks(PL_CUT_HOSTS_MAX, false);
	test_racks(PL_CUT_HOSTS_MAX, true);
	test_ends();
	test_no_memory();
	return done_testing();
}
