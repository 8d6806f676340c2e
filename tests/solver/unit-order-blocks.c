/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-order-blocks.c - blocks seated by themselves: no worse, and the best of one */
#include "config.h"

#include "solver/order/order-blocks.h"
#include "solver/order/order-search.h"
#include "tests/failalloc.h"
#include "tests/solver/shapes.h"
#include "tests/solver/solve.h"
#include "tests/tap.h"

#include <string.h>

enum { N_MAX = 80 };

/* The dearest hop of each group inside of blocks, summed. */
static double inner_cost(const struct pl_shape *shape, const struct pl_costs *costs, size_t alike,
			 const size_t *at)
{
	double dearest[16] = {0}, sum = 0;

	for (size_t h = 0; h < shape->n_hops; h++) {
		const struct pl_hop *hop = &shape->hop[h];
		const size_t src = hop->src / alike, dst = hop->dst / alike;
		const size_t cell = at[src] * costs->n + at[dst];
		double x = costs->c[cell];

		if (src / PL_ORDER_BLOCK != dst / PL_ORDER_BLOCK || src == dst)
			continue;
		if (costs->per_byte)
			x += hop->bytes * costs->per_byte[cell];
		dearest[hop->group] = fmax(dearest[hop->group], hop->times * x);
	}
	for (size_t g = 0; g < shape->n_groups; g++)
		sum += dearest[g];
	return sum;
}

/* Hosts that changed their block, or were the first of one. */
static int strays(const size_t *before, const size_t *after, size_t n)
{
	int strays = 0;

	for (size_t p = 0; p < n; p++) {
		const size_t first = p - p % PL_ORDER_BLOCK;
		bool found = false;

		for (size_t q = first; q < n && q < first + PL_ORDER_BLOCK; q++)
			found = found || after[q] == before[p];
		strays += !found || (p == first && after[p] != before[p]);
	}
	return strays;
}

/* Any number of hosts, any costs, hops taken more or less often. */
static void test_any(void)
{
	int broken = 0, worse = 0, better = 0;

	for (uint64_t k = 0; k < 30; k++) {
		const size_t n = 1 + (7 * k) % N_MAX, alike = 1 + k % 2;
		struct pl_shape shape = shapes_make(SHAPES_HALVING, n * alike);
		static double c[N_MAX * N_MAX];
		struct pl_costs costs = {.n = n, .c = c};
		size_t at[N_MAX], start[N_MAX];
		struct pl_stop never = {0};
		double before, after;
		struct pl_rng rng;

		pl_rng_init(&rng, 71, k);
		solve_fill(c, n, (enum solve_kind)(k % SOLVE_ALL_KINDS), &rng);
		costs.per_byte = k % 3 ? NULL : c;
		for (size_t h = 0; h < shape.n_hops; h++)
			shape.hop[h].times = (double)(1 + shape.hop[h].group);
		for (size_t i = 0; i < n; i++)
			at[i] = i;
		pl_rng_shuffle(&rng, at, n);
		memcpy(start, at, sizeof(at));
		before = inner_cost(&shape, &costs, alike, at);
		broken += pl_order_blocks(&shape, &costs, alike, PL_ORDER_BLOCKS_WORK, &never, at,
					  NULL) != 0;
		after = inner_cost(&shape, &costs, alike, at);
		broken += !solve_is_order(at, n) || strays(start, at, n);
		worse += n <= PL_ORDER_BLOCK && after > before;
		better += after < before;
		pl_shape_fini(&shape);
	}
	is_int(broken, 0, "an order of the same blocks, their first hosts first");
	ok(!worse && better > 15, "one block: never dearer; %d of 30 cheaper", better);
}

/* Eight hosts are a block: of a hypercube, the best order there is. */
static void test_exact(void)
{
	int off = 0;

	for (uint64_t k = 0; k < 15; k++) {
		const struct pl_order_search_options o = {.seed = 1, .threads = 1};
		struct pl_shape shape = shapes_make(SHAPES_HALVING, 8);
		size_t at[8] = {0, 1, 2, 3, 4, 5, 6, 7}, best[8];
		const struct pl_stop never = {0};
		double c[64];
		const struct pl_costs costs = {.n = 8, .c = c};
		struct pl_order_search_result r;
		struct pl_rng rng;

		pl_rng_init(&rng, 72, k);
		solve_fill(c, 8, k % 2 ? SOLVE_SYM : SOLVE_WHOLE, &rng);
		memcpy(best, at, sizeof(at));
		pl_order_search(&shape, &costs, &o, best, &r, NULL);
		pl_order_blocks(&shape, &costs, 1, PL_ORDER_BLOCKS_WORK, &never, at, NULL);
		off += fabs(inner_cost(&shape, &costs, 1, at) - r.cost) > 1e-9;
		pl_shape_fini(&shape);
	}
	is_int(off, 0, "eight hosts: as brute force");
}

/* Two planted cubes of 16, of which one is dearer: both are found, or one as good. */
static void test_two_blocks(void)
{
	enum { N = 32 };
	struct pl_shape shape = shapes_make(SHAPES_HALVING, N);
	static double c[N * N];
	const struct pl_costs costs = {.n = N, .c = c};
	const struct pl_stop never = {0};
	size_t at[N];
	struct pl_rng rng;

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			const size_t x = i ^ j;

			c[i * N + j] = x & (x - 1) ? 100 : i < 16 ? 10 : 20;
		}
	pl_rng_init(&rng, 73, 0);
	for (size_t i = 0; i < N; i++)
		at[i] = i;
	pl_rng_shuffle(&rng, at, N / 2);
	pl_rng_shuffle(&rng, at + N / 2, N / 2);
	ok(inner_cost(&shape, &costs, 1, at) == 400, "a bad start");
	pl_order_blocks(&shape, &costs, 1, PL_ORDER_BLOCKS_WORK, &never, at, NULL);
	ok(inner_cost(&shape, &costs, 1, at) == 80, "the planted cubes: %g",
	   inner_cost(&shape, &costs, 1, at));
	pl_shape_fini(&shape);
}

static void test_no_memory(void)
{
	struct pl_shape shape = shapes_make(SHAPES_HALVING, 8);
	const double c[64] = {0};
	const struct pl_costs costs = {.n = 8, .c = c};
	const struct pl_stop never = {0};
	size_t at[8] = {7, 6, 5, 4, 3, 2, 1, 0}, live, k = 0;
	bool refused;
	int wrong = 0;

	do {
		struct pl_err err = {0};
		int rc;

		failalloc_begin(k++);
		rc = pl_order_blocks(&shape, &costs, 1, PL_ORDER_BLOCKS_WORK, &never, at, &err);
		refused = failalloc_end(&live);
		wrong += (rc == -1) != refused || live > 0 || at[0] != 7 ||
			 (refused && err.code != PL_ESYSTEM);
	} while (refused);
	ok(k > 3 && !wrong, "%zu allocations, each refused once", k - 1);
	pl_shape_fini(&shape);
}

int main(void)
{
	test_any();
	test_exact();
	test_two_blocks();
	test_no_memory();
	return done_testing();
}
