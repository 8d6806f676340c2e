/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-order-cube.c - the lower bound where rounds make a hypercube: never too high */
#include "config.h"

#include "costmodels/objective.h"
#include "solver/bound/cube-bound.h"
#include "solver/bound/order-bound.h"
#include "solver/order/order-search.h"
#include "tests/failalloc.h"
#include "tests/solver/shapes.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <math.h>

/* The least cost of all orders: the search tries all that few. */
static double optimum(const struct pl_shape *shape, const struct pl_costs *costs)
{
	const struct pl_order_search_options o = {.seed = 1, .threads = 1};
	struct pl_order_search_result r;
	size_t at[PL_ORDER_EXACT_MAX];

	for (size_t i = 0; i < costs->n; i++)
		at[i] = i;
	return pl_order_search(shape, costs, &o, at, &r, NULL) ? -1 : r.cost;
}

/* All sets of up to 16 vertices of cubes: none has fewer neighbours. */
static void test_cubes(size_t n, size_t dim)
{
	size_t least[17], fewest[17];
	int wrong = 0;

	for (size_t a = 0; a <= n; a++)
		fewest[a] = n;
	for (size_t set = 0; set < (size_t)1 << n; set++) {
		size_t near = set, n_set = 0, n_near = 0;

		for (size_t p = 0; p < n; p++)
			for (size_t k = 0; set >> p & 1 && k < dim; k++)
				near |= (size_t)1 << (p ^ (size_t)1 << k);
		for (size_t p = 0; p < n; p++) {
			n_set += set >> p & 1;
			n_near += near >> p & 1;
		}
		if (n_near < fewest[n_set])
			fewest[n_set] = n_near;
	}
	wrong += pl_cube_neighbours(n, dim, least, NULL);
	for (size_t a = 0; a <= n; a++)
		wrong += least[a] != fewest[a];
	ok(!wrong, "%zu vertices, cubes of %zu dimensions: as brute force", n, dim);
}

/* Racks of two and four with noise, where sets of rounds count most. */
static void test_noisy_cube(void)
{
	int above = 0, exact = 0;

	for (uint64_t k = 0; k < 40; k++) {
		struct pl_shape shape = shapes_make(SHAPES_HALVING, 8);
		double c[64], bound = INFINITY, best;
		const struct pl_costs costs = {.n = 8, .c = c};
		struct pl_rng rng;

		pl_rng_init(&rng, 55, k);
		solve_racks(c, 8, k % 2 ? 2 : 4, 10, 40, &rng);
		for (size_t i = 0; i < 8; i++)
			for (size_t j = 0; j < i; j++)
				c[i * 8 + j] = c[j * 8 + i] += (double)pl_rng_below(&rng, 20);
		best = optimum(&shape, &costs);
		pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, NULL);
		above += bound > best;
		exact += bound == best;
		pl_shape_fini(&shape);
	}
	ok(!above && exact > 4, "noisy racks, halving: never above the optimum, %d of 40 exact",
	   exact);
}

/* Rounds taken more or less often, on all kinds of costs: eight hosts are one cube, which is tried
 * in full; cubes of four, side by side, are not. */
static void test_weighted_cube(bool side_by_side)
{
	int above = 0, exact = 0;

	for (uint64_t k = 0; k < 60; k++) {
		struct pl_shape shape = shapes_make(SHAPES_HALVING, 8);
		double c[64], times[3], bound = INFINITY, best;
		const struct pl_costs costs = {.n = 8, .c = c};
		struct pl_rng rng;
		size_t n = 0;

		pl_rng_init(&rng, 58 + side_by_side, k);
		solve_fill(c, 8, (enum solve_kind)(k % SOLVE_ALL_KINDS), &rng);
		if (k % 3 == 0)
			solve_racks(c, 8, k % 2 ? 2 : 4, 10, 40, &rng);
		for (size_t i = 0; i < 8; i++)
			for (size_t j = 0; j < i; j++)
				c[i * 8 + j] = c[j * 8 + i] += 4 * pl_rng_double(&rng);
		for (size_t g = 0; g < 3; g++)
			times[g] = 0.1 + pl_rng_double(&rng);
		for (size_t h = 0; h < shape.n_hops; h++) {
			struct pl_hop hop = shape.hop[h];

			hop.times = times[hop.group];
			if (!side_by_side || hop.group != 1)
				shape.hop[n++] = hop;
		}
		shape.n_hops = n;
		best = optimum(&shape, &costs);
		pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, NULL);
		above += bound > best;
		exact += bound > best * (1 - 1e-12);
		pl_shape_fini(&shape);
	}
	ok(!above, "weighted rounds of a cube: never above the optimum");
	if (side_by_side)
		ok(exact > 8, "cubes side by side: %d of 60 exact", exact);
	else
		is_int(exact, 60, "one cube of eight hosts: always exact");
}

/* What the dearest of so many cheapest cells of a host is at least. */
static double degree_floor(const double *c, size_t n, size_t degree)
{
	double floor = 0;

	for (size_t h = 0; h < n; h++) {
		double last = 0, next = 0;

		for (size_t k = 0; k < degree; k++) {
			next = INFINITY;
			for (size_t j = 0; j < n; j++)
				if (j != h && c[h * n + j] > last)
					next = fmin(next, c[h * n + j]);
			last = next;
		}
		floor = fmax(floor, next);
	}
	return floor;
}

/* 16 racks of 8 with noise, more hosts than are looked at around one: not above what the racks one
 * by one cost, and better than round by round, where three are as dear as neighbours ask for, and
 * four as hops across. */
static void test_many_hosts(void)
{
	enum { N = 128 };
	static double c[N * N];
	static size_t at[N];
	const struct pl_costs costs = {.n = N, .c = c};
	struct pl_shape shape = shapes_make(SHAPES_HALVING, N);
	double together = INFINITY, across = INFINITY, each = 0;
	struct pl_objective *o;
	struct pl_rng rng;

	pl_rng_init(&rng, 61, 0);
	for (size_t i = 0; i < N; i++) {
		at[i] = i;
		for (size_t j = 0; j < i; j++) {
			const double usual = i / 8 == j / 8 ? 1000 : 4000;
			const double x = usual * (1 + pl_rng_double(&rng));

			c[i * N + j] = c[j * N + i] = x;
			across = usual > 1000 ? fmin(across, x) : across;
		}
	}
	for (size_t k = 1; k <= 7; k++)
		each += k < 4 ? degree_floor(c, N, k) : across;
	pl_order_lower_bound(&shape, &costs, NULL, NULL, &together, NULL);
	o = pl_objective_create(&shape, &costs, NULL);
	ok(together > 1.1 * each && together <= pl_objective_full(o, at),
	   "%d hosts: %.0f, and %.0f round by round", N, together, each);
	pl_objective_destroy(o);
	pl_shape_fini(&shape);
}

/* On racks of two, where all that can be looked at is. */
static void test_no_memory(void)
{
	double c[64], bound;
	const struct pl_costs costs = {.n = 8, .c = c, .per_byte = c};
	struct pl_shape shape = shapes_make(SHAPES_HALVING, 8);
	struct pl_rng rng;
	size_t live, k = 0;
	bool refused;
	int wrong = 0;

	pl_rng_init(&rng, 60, 0);
	solve_racks(c, 8, 2, 10, 40, &rng);
	do {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = pl_order_lower_bound(&shape, &costs, NULL, NULL, &bound, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 50 && !wrong, "%zu allocations, each refused once", k - 1);
	pl_shape_fini(&shape);
}

int main(void)
{
	test_cubes(16, 4);
	test_cubes(16, 3);
	test_cubes(12, 2);
	test_noisy_cube();
	test_weighted_cube(false);
	test_weighted_cube(true);
	test_many_hosts();
	test_no_memory();
	return done_testing();
}
