/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-cost-ring.c - the ring's cost: direction, small rings, missing cells */
#include "config.h"

#include "base/rng.h"
#include "costmodels/ring.h"
#include "tests/tap.h"

#include <math.h>

static void test_small(void)
{
	const double c[] = {0, 2, 7, 3, 0, 11, 13, 17, 0};
	const size_t one[] = {1}, two[] = {0, 1}, up[] = {0, 1, 2};
	const size_t down[] = {2, 1, 0};

	ok(pl_cost_ring(c, 3, one, 0) == 0, "no host costs nothing");
	ok(pl_cost_ring(c, 3, one, 1) == 0, "one host costs nothing");
	ok(pl_cost_ring(c, 3, two, 2) == 2 + 3, "two hosts: both directions");
	ok(pl_cost_ring(c, 3, up, 3) == 2 + 11 + 13, "each sends to the next");
	ok(pl_cost_ring(c, 3, down, 3) == 17 + 3 + 7, "the other way round");
}

static void test_ranks(void)
{
	const double c[] = {0, 2, 7, 3, 0, 11, 13, 17, 0};
	const size_t blocks[] = {0, 0, 1, 1, 2, 2};
	const size_t mixed[] = {0, 1, 2, 0, 1, 2};

	ok(pl_cost_ring(c, 3, blocks, 6) == 26, "ranks of a host: free hops");
	ok(pl_cost_ring(c, 3, mixed, 6) == 52, "taken in turns: twice round");
}

static void test_missing(void)
{
	const double c[] = {0, 1, NAN, 1, 0, 1, 1, 1, 0};
	const size_t by[] = {0, 1, 2}, over[] = {0, 2, 1};

	ok(pl_cost_ring(c, 3, by, 3) == 3, "a missing cell elsewhere is no harm");
	ok(isnan(pl_cost_ring(c, 3, over, 3)), "over a missing cell: missing");
}

/* Any start gives the same ring; with whole numbers, the same bits. */
static void test_rotation(void)
{
	enum { N = 9 };
	double c[N * N];
	size_t at[N], turned[N];
	struct pl_rng rng;
	int wrong = 0;

	pl_rng_init(&rng, 3, 0);
	for (int i = 0; i < N * N; i++)
		c[i] = (double)pl_rng_below(&rng, 1000);
	for (size_t i = 0; i < N; i++)
		at[i] = i;
	for (size_t shift = 0; shift < N; shift++) {
		pl_rng_shuffle(&rng, at, N);
		for (size_t i = 0; i < N; i++)
			turned[i] = at[(i + shift) % N];
		wrong += pl_cost_ring(c, N, at, N) != pl_cost_ring(c, N, turned, N);
	}
	is_int(wrong, 0, "a ring may start anywhere");
}

int main(void)
{
	test_small();
	test_ranks();
	test_missing();
	test_rotation();
	return done_testing();
}
