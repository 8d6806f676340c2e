/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-order-descent.c - levels of blocks, smooth costs, descents through
 * both */
#include "config.h"

#include "solver/order/levels.h"
#include "solver/order/order-descent.h"
#include "solver/order/smooth.h"
#include "tests/solver/shapes.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <stdlib.h>

enum { N_MAX = 64 };

static bool never(const void *arg)
{
	(void)arg;
	return false;
}

static bool at_once(const void *arg)
{
	(void)arg;
	return true;
}

/* The mean cost between the hosts of two blocks. */
static double mean(const double *c, size_t n, const size_t *host_at, size_t size, size_t a,
		   size_t b)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = a * size; a != b && i < n && i < (a + 1) * size; i++)
		for (size_t j = b * size; j < n && j < (b + 1) * size; j++) {
			sum += c[host_at[i] * n + host_at[j]];
			count++;
		}
	return count ? sum / (double)count : 0;
}

static bool has_hop(const struct pl_shape *shape, size_t src, size_t dst, size_t group)
{
	size_t n = 0;

	for (size_t h = 0; h < shape->n_hops; h++)
		n += shape->hop[h].src == src && shape->hop[h].dst == dst &&
		     shape->hop[h].group == group;
	return n == 1;
}

/* Hops of a shape that a level lacks or has twice. */
static size_t hops_missed(const struct pl_level *level, const struct pl_shape *shape, size_t size)
{
	size_t n = 0;

	for (size_t h = 0; h < shape->n_hops; h++) {
		const struct pl_hop *hop = &shape->hop[h];
		const size_t a = hop->src / size, b = hop->dst / size;

		n += a != b && !has_hop(&level->shape, a, b, hop->group);
	}
	for (size_t h = 0; h < level->shape.n_hops; h++)
		n += level->shape.hop[h].src == level->shape.hop[h].dst;
	return n;
}

/* All full blocks: means are exact; a last one that is not full is weighed otherwise. */
static void test_levels(size_t n, size_t alike, size_t n_levels)
{
	struct pl_shape shape = shapes_make(SHAPES_HALVING, n * alike);
	static double c[N_MAX * N_MAX];
	const struct pl_costs costs = {.n = n, .c = c, .per_byte = c};
	size_t at[N_MAX], wrong = 0, size = 1;
	struct pl_levels l;
	struct pl_rng rng;

	pl_rng_init(&rng, 61, n);
	solve_fill(c, n, SOLVE_DIRECT, &rng);
	for (size_t i = 0; i < n; i++)
		at[i] = i;
	pl_rng_shuffle(&rng, at, n);
	wrong += pl_levels_init(&l, &shape, &costs, alike, at, NULL) != 0;
	ok(l.n == n_levels, "%zu hosts: %zu levels", n, l.n);
	for (size_t k = 0; k < l.n; k++, size *= 2) {
		const struct pl_level *level = &l.level[k];
		const size_t m = level->n;

		wrong += m != (n + size - 1) / size || level->n_full != n / size ||
			 level->costs.n != m;
		wrong += hops_missed(level, &shape, alike * size);
		for (size_t i = 0; i < m * level->n_full; i++) {
			const double x = mean(c, n, at, size, i / m, i % m);

			if (i % m >= level->n_full)
				continue;
			wrong += fabs(level->costs.c[i] - x) > 1e-12;
			wrong += level->costs.per_byte[i] != level->costs.c[i];
		}
	}
	is_int((int)wrong, 0, "means of blocks, and hops between them once");
	pl_levels_fini(&l);
	pl_shape_fini(&shape);
}

static double full(const struct pl_shape *shape, const struct pl_costs *costs, const size_t *at)
{
	struct pl_objective *o = pl_objective_create(shape, costs, NULL);
	const double cost = pl_objective_full(o, at);

	pl_objective_destroy(o);
	return cost;
}

/* Any costs, any seats: the result is an order, is told truly, is no dearer, and the other seats
 * keep their hosts. */
static void test_smooth(void)
{
	int broken = 0, worse = 0, moved = 0, better = 0, uncounted = 0;

	for (uint64_t k = 0; k < 60; k++) {
		const size_t n = 2 + k % 17;
		struct pl_shape shape = shapes_make(SHAPES_HALVING, n);
		double c[18 * 18];
		struct pl_costs costs = {.n = n, .c = c};
		size_t at[18], first, end;
		struct pl_smooth s;
		struct pl_rng rng;

		pl_rng_init(&rng, 62, k);
		solve_fill(c, n, (enum solve_kind)(k % SOLVE_ALL_KINDS), &rng);
		costs.per_byte = k % 3 ? c : NULL;
		shape.hop[0].times = k % 5 ? 1 : 3;
		for (size_t i = 0; i < n; i++)
			at[i] = i;
		pl_rng_shuffle(&rng, at, n);
		first = pl_rng_below(&rng, 2);
		end = n - pl_rng_below(&rng, 2);
		broken += pl_smooth_init(&s, &shape, &costs, NULL) != 0;
		const struct pl_smooth_job job = {
			.start = at,
			.first = first,
			.end = end < first ? first : end,
			.moves = 500,
			.heat = 1,
			.level = k % 2,
			.fine = k % 4 > 1,
			.stop = never,
		};
		uncounted += pl_smooth_run(&s, &job, &rng) != (job.end - first < 2 ? 0 : 500);
		broken += !solve_is_order(s.best, n) || s.best_cost != full(&shape, &costs, s.best);
		worse += s.best_cost > full(&shape, &costs, at);
		better += s.best_cost < full(&shape, &costs, at);
		moved += (first && s.best[0] != at[0]) || (end < n && s.best[n - 1] != at[n - 1]);
		pl_smooth_fini(&s);
		pl_shape_fini(&shape);
	}
	ok(!broken && !worse && !uncounted, "never worse, and told truly");
	is_int(moved, 0, "only the seats asked for change their hosts");
	ok(better > 30, "mostly better (%d of 60)", better);
}

/* Racks that are blocks, in an order that pairs the wrong racks: the
 * blocks alone can mend it. Costs across: two neighbours in a cube are near. */
static void fill_cube(double *c, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const size_t x = i / size ^ j / size;

			c[i * n + j] = i == j ? 0 : x == 0 ? 1000 : (x & (x - 1)) ? 9000 : 4000;
		}
}

static void test_descent(bool keep_first)
{
	enum { N = 64 };
	struct pl_shape shape = shapes_make(SHAPES_HALVING, N);
	static double c[N * N];
	const struct pl_costs costs = {.n = N, .c = c};
	const struct pl_order_descent_job job = {
		.moves = 20000,
		.heat = 1,
		.keep_first = keep_first,
		.stop = never,
	};
	size_t rack[N / 8], base[N], at[N];
	struct pl_order_descent d;
	struct pl_levels l;
	struct pl_rng rng;
	uint64_t moves;

	fill_cube(c, N, 8);
	pl_rng_init(&rng, 63, 0);
	for (size_t i = 0; i < N / 8; i++)
		rack[i] = i;
	pl_rng_shuffle(&rng, rack, N / 8);
	for (size_t i = 0; i < N; i++)
		base[i] = 8 * rack[i / 8] + i % 8;
	ok(full(&shape, &costs, base) > 3 * 1000 + 3 * 4000, "a bad start");
	ok(!pl_levels_init(&l, &shape, &costs, 1, base, NULL) &&
		   !pl_order_descent_init(&d, &l, NULL),
	   "room for a descent");
	moves = pl_order_descent_run(&d, &job, &rng);
	for (size_t i = 0; i < N; i++)
		at[i] = base[d.order[i]];
	ok(solve_is_order(at, N) && full(&shape, &costs, at) == 3 * 1000 + 3 * 4000,
	   "racks that fit exchange with each other (%g)", full(&shape, &costs, at));
	ok(moves <= job.moves && moves > job.moves * 9 / 10,
	   "about as many moves as asked for (%d)", (int)moves);
	ok(!keep_first || d.order[0] == 0, "the first stays");
	pl_order_descent_fini(&d);
	pl_levels_fini(&l);
	pl_shape_fini(&shape);
}

/* Racks of 16 that are blocks already, in an order that pairs the wrong ones: a fine descent mends
 * it; and by exchanges of blocks alone, from hosts on. */
static void test_fine(void)
{
	enum { N = 128, SIZE = 16 };
	struct pl_shape shape = shapes_make(SHAPES_HALVING, N);
	static double c[N * N];
	const struct pl_costs costs = {.n = N, .c = c};
	const struct pl_order_descent_job job = {
		.moves = 300000,
		.heat = 1,
		.fine = true,
		.keep_first = true,
		.stop = never,
	};
	static size_t base[N], at[N];
	size_t rack[N / SIZE];
	struct pl_order_descent d;
	struct pl_levels l;
	struct pl_rng rng;
	uint64_t moves;

	fill_cube(c, N, SIZE);
	pl_rng_init(&rng, 65, 0);
	for (size_t i = 0; i < N / SIZE; i++)
		rack[i] = i;
	pl_rng_shuffle(&rng, rack, N / SIZE);
	for (size_t i = 0; i < N; i++)
		base[i] = SIZE * rack[i / SIZE] + i % SIZE;
	ok(!pl_levels_init(&l, &shape, &costs, 1, base, NULL) &&
		   !pl_order_descent_init(&d, &l, NULL),
	   "room for a fine descent");
	moves = pl_order_descent_run(&d, &job, &rng);
	for (size_t i = 0; i < N; i++)
		at[i] = base[d.order[i]];
	ok(solve_is_order(at, N) && d.order[0] == 0 &&
		   full(&shape, &costs, at) == 4 * 1000 + 3 * 4000,
	   "racks exchange with each other (%g, from %g)", full(&shape, &costs, at),
	   full(&shape, &costs, base));
	ok(moves <= job.moves && moves > job.moves * 9 / 10,
	   "about as many moves as asked for (%d)", (int)moves);
	pl_order_descent_fini(&d);
	pl_levels_fini(&l);
	pl_shape_fini(&shape);
}

static void test_stop(void)
{
	enum { N = 21 };
	struct pl_shape shape = shapes_make(SHAPES_HALVING, N);
	double c[N * N];
	const struct pl_costs costs = {.n = N, .c = c};
	const struct pl_order_descent_job job = {.moves = UINT64_MAX, .heat = 1, .stop = at_once};
	size_t at[N];
	struct pl_order_descent d;
	struct pl_levels l;
	struct pl_rng rng;

	pl_rng_init(&rng, 64, 0);
	solve_fill(c, N, SOLVE_SYM, &rng);
	for (size_t i = 0; i < N; i++)
		at[i] = i;
	ok(!pl_levels_init(&l, &shape, &costs, 1, at, NULL) && !pl_order_descent_init(&d, &l, NULL),
	   "21 hosts");
	ok(pl_order_descent_run(&d, &job, &rng) == 0 && solve_is_order(d.order, N) &&
		   d.order[N - 1] == N - 1,
	   "told to stop: an order nevertheless");
	pl_order_descent_fini(&d);
	pl_levels_fini(&l);
	pl_shape_fini(&shape);
}

int main(void)
{
	test_levels(64, 1, 5);
	test_levels(13, 2, 3);
	test_levels(3, 1, 1);
	test_smooth();
	test_descent(false);
	test_descent(true);
	test_fine();
	test_stop();
	return done_testing();
}
