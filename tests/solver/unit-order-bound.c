/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-order-bound.c - lower bounds for any shape: valid always, tight on
 * racks */
#include "config.h"

#include "solver/bound/order-bound.h"
#include "solver/order/order-search.h"
#include "tests/failalloc.h"
#include "tests/solver/shapes.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <stdlib.h>

enum { HOSTS_MAX = 8, SLOTS_MAX = 3 };

/* Hops lost, taken several times, with bytes; rounds mixed up. */
static void disturb(struct pl_shape *shape, struct pl_rng *rng)
{
	size_t n = 0;

	for (size_t h = 0; h < shape->n_hops; h++) {
		struct pl_hop hop = shape->hop[h];

		if (pl_rng_below(rng, 6) == 0)
			continue;
		hop.times = (double)(1 + pl_rng_below(rng, 3));
		hop.bytes = (double)pl_rng_below(rng, 4);
		if (shape->kind == PL_SUM_OF_MAXIMA && pl_rng_below(rng, 4) == 0)
			hop.group = (uint32_t)pl_rng_below(rng, shape->n_groups);
		shape->hop[n++] = hop;
	}
	shape->n_hops = n;
}

/* The least cost of all orders: the search tries all that few. */
static double optimum(const struct pl_shape *shape, const struct pl_costs *costs,
		      const size_t *slots)
{
	const struct pl_order_search_options o = {.seed = 1, .threads = 1, .slots = slots};
	struct pl_order_search_result r;
	size_t at[HOSTS_MAX];

	for (size_t i = 0; i < costs->n; i++)
		at[i] = i;
	return pl_order_search(shape, costs, &o, at, &r, NULL) ? -1 : r.cost;
}

static void test_valid(enum shapes_kind kind)
{
	int above = 0, broken = 0, useful = 0, n_tried = 0;

	for (uint64_t k = 0; k < 160; k++) {
		const size_t n = 1 + k % HOSTS_MAX;
		double c[HOSTS_MAX * HOSTS_MAX], per_byte[HOSTS_MAX * HOSTS_MAX];
		struct pl_costs costs = {.n = n, .c = c};
		size_t slots[HOSTS_MAX], n_pos = 0;
		double bound = -1, best;
		struct pl_shape shape;
		struct pl_rng rng;
		bool one_each;

		pl_rng_init(&rng, 51 + kind, k);
		one_each = pl_rng_below(&rng, 2);
		for (size_t h = 0; h < n; h++) {
			slots[h] = one_each ? 1
				   : k % 2  ? SLOTS_MAX
					    : 1 + pl_rng_below(&rng, SLOTS_MAX);
			n_pos += slots[h];
		}
		solve_fill(c, n, (enum solve_kind)(k % SOLVE_ALL_KINDS), &rng);
		solve_fill(per_byte, n, (enum solve_kind)(k % SOLVE_ALL_KINDS), &rng);
		if (pl_rng_below(&rng, 2))
			costs.per_byte = per_byte;
		shape = shapes_make(kind, n_pos);
		if (pl_rng_below(&rng, 2))
			disturb(&shape, &rng);
		best = optimum(&shape, &costs, slots);
		broken += pl_order_lower_bound(&shape, &costs, slots, NULL, &bound, NULL) ||
			  !(bound >= 0) || best < 0;
		above += bound > best;
		useful += best > 0 && bound > best / 3;
		n_tried += best > 0;
		pl_shape_fini(&shape);
	}
	ok(!broken && !above, "shape %d: never above the optimum, n <= %d", (int)kind, HOSTS_MAX);
	ok(4 * useful > n_tried, "and not worthless (%d of %d within a third)", useful, n_tried);
}

static double bound_of(enum shapes_kind kind, const double *c, size_t n)
{
	const struct pl_costs costs = {.n = n, .c = c};
	struct pl_shape shape = shapes_make(kind, n);
	double bound = -1;

	if (pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, NULL))
		bound = -1;
	pl_shape_fini(&shape);
	return bound;
}

/* 8 racks of 8 where the optimum is known, or a bound by hand. */
static void test_racks(void)
{
	static double c[64 * 64];
	struct pl_rng rng;

	pl_rng_init(&rng, 52, 0);
	solve_racks(c, 64, 8, 1000, 4000, &rng);
	is_int((int64_t)bound_of(SHAPES_HALVING, c, 64), 3 * 1000 + 3 * 4000,
	       "halving: three rounds fit in a rack, three do not: exact");
	is_int((int64_t)bound_of(SHAPES_SLOWEST, c, 64), 4000, "the slowest hop of a ring: exact");
	is_int((int64_t)bound_of(SHAPES_RING, c, 64), 64 * 1000, "a sum: each host's cheapest");
	is_int((int64_t)bound_of(SHAPES_TREE, c, 64), 4000 + 5 * 1000,
	       "a tree of depth 5 and, once, 6: one hop out of the rack");
	is_int((int64_t)bound_of(SHAPES_STAR, c, 64), 4000, "a star: somebody is in another rack");
}

/* A chain as tree: a rack is left 7 times. */
static void test_chain(void)
{
	static double c[64 * 64];
	const struct pl_costs costs = {.n = 64, .c = c};
	struct pl_shape shape = {.kind = PL_LONGEST_PATH, .n_pos = 64};
	double bound = 0;
	struct pl_rng rng;

	pl_rng_init(&rng, 53, 0);
	solve_racks(c, 64, 8, 1000, 4000, &rng);
	for (size_t i = 0; i + 1 < 64; i++)
		shapes_add(&shape, i, i + 1, 0);
	pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, NULL);
	is_int((int64_t)bound, 7 * 4000 + 56 * 1000, "a chain: the least spanning tree: exact");
	pl_shape_fini(&shape);
}

/* One tree, on racks of two and four: the best cut is what brute force
 * finds. */
static void test_cuts(void)
{
	int off = 0;

	for (uint64_t k = 0; k < 48; k++) {
		struct pl_shape shape = shapes_make(SHAPES_TREE, 8 - k % 3);
		double c[64], bound = INFINITY, best;
		const struct pl_costs costs = {.n = 8 - k % 3, .c = c};
		struct pl_rng rng;
		size_t n = 0;

		pl_rng_init(&rng, 57, k);
		solve_racks(c, costs.n, 2 + k % 4, 10, 40 - (double)k / 2, &rng);
		for (size_t h = 0; h < shape.n_hops; h++)
			if (shape.hop[h].group == 0)
				shape.hop[n++] = shape.hop[h];
		shape.n_hops = n;
		best = optimum(&shape, &costs, NULL);
		pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, NULL);
		off += fabs(bound - best) > 1e-9;
		pl_shape_fini(&shape);
	}
	is_int(off, 0, "one tree on racks: as brute force");
}

/* Seven hosts at each of five places in a line: from the middle one, to the ends it is twice as far
 * as to the next place. And random hosts on a line. */
static void test_reach(void)
{
	static double c[35 * 35];
	int above = 0, n_far = 0;

	for (size_t i = 0; i < 35; i++)
		for (size_t j = 0; j < 35; j++)
			c[i * 35 + j] =
				i == j ? 0 : 1 + 10 * fabs((double)(i / 7) - (double)(j / 7));
	is_int((int64_t)bound_of(SHAPES_TREE, c, 35), 21 + 3,
	       "a tree of depth 4 and more: to the farthest place, and three");
	for (uint64_t k = 0; k < 60; k++) {
		const size_t n = 4 + k % 5;
		struct pl_shape shape = shapes_make(SHAPES_TREE, n);
		double d[64], x[8], bound = INFINITY, best;
		const struct pl_costs costs = {.n = n, .c = d};
		struct pl_rng rng;

		pl_rng_init(&rng, 56, k);
		for (size_t i = 0; i < n; i++)
			x[i] = pow(10, 3 * pl_rng_double(&rng));
		for (size_t i = 0; i < n * n; i++)
			d[i] = fabs(x[i / n] - x[i % n]);
		best = optimum(&shape, &costs, NULL);
		pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, NULL);
		above += bound > best;
		n_far += bound > best / 1.5;
		pl_shape_fini(&shape);
	}
	ok(!above && n_far > 30, "on a line, never above brute force; %d of 60 within half of it",
	   n_far);
}

/* One host is far from all: its rounds are dear, however it sits. */
static void test_far_host(void)
{
	double c[8 * 8];

	for (size_t i = 0; i < 8; i++)
		for (size_t j = 0; j < 8; j++)
			c[i * 8 + j] = i == j ? 0 : i == 3 || j == 3 ? 50 : 1;
	is_int((int64_t)bound_of(SHAPES_HALVING, c, 8), 150,
	       "a host far from all is met in every round: exact");
	is_int((int64_t)bound_of(SHAPES_SLOWEST, c, 8), 50, "and in a ring");
}

static void test_refused(void)
{
	const double c[4] = {0, 1, 1, 0};
	const struct pl_costs costs = {.n = 2, .c = c};
	struct pl_shape shape = shapes_make(SHAPES_RING, 3);
	struct pl_err err = {0};
	double bound;

	ok(pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, &err) == -1 &&
		   err.code == PL_EUSAGE,
	   "two hosts on three positions are refused");
	shape.kind = PL_LONGEST_PATH;
	shape.n_pos = 2;
	shape.n_hops = 2;
	shape.hop[1].dst = 0;
	ok(pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, &err) == -1 &&
		   strstr(err.text, "ring"),
	   "a ring for a tree as well");
	pl_shape_fini(&shape);
}

static void test_no_memory(enum shapes_kind kind)
{
	enum { N = 9 };
	double c[N * N], bound;
	const struct pl_costs costs = {.n = N, .c = c, .per_byte = c};
	struct pl_shape shape = shapes_make(kind, N);
	struct pl_rng rng;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	pl_rng_init(&rng, 54, 0);
	solve_fill(c, N, SOLVE_DIRECT, &rng);
	do {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 12 && !wrong, "shape %d: %zu allocations, each refused once", (int)kind, k - 1);
	pl_shape_fini(&shape);
}

/* Told to stop, it proves little, but nothing wrong. */
static void test_stop(enum shapes_kind kind)
{
	static const sig_atomic_t now = 1;
	const struct pl_stop stop = {.flag = &now}, passed = {.deadline_ns = 1};
	const double c[4] = {0, 5, 5, 0};
	const struct pl_costs costs = {.n = 2, .c = c};
	struct pl_shape shape = shapes_make(kind, 2);
	double whole = -1, bound = -1, late = -1;

	pl_order_lower_bound(&shape, &costs, NULL, NULL, &whole, NULL);
	ok(pl_order_lower_bound(&shape, &costs, NULL, &stop, &bound, NULL) == 0 &&
		   pl_order_lower_bound(&shape, &costs, NULL, &passed, &late, NULL) == 0 &&
		   whole > 0 && bound == 0 && late == 0,
	   "shape %d: %g, stopped at once %g, too late %g", (int)kind, whole, bound, late);
	pl_shape_fini(&shape);
}

int main(void)
{
	for (int kind = 0; kind < SHAPES_KINDS; kind++) {
		test_valid((enum shapes_kind)kind);
		test_no_memory((enum shapes_kind)kind);
		test_stop((enum shapes_kind)kind);
	}
	test_racks();
	test_chain();
	test_cuts();
	test_reach();
	test_far_host();
	test_refused();
	return done_testing();
}
