/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-rng.c - PCG's own numbers, streams, bounds without bias, shuffles */
#include "config.h"

#include "base/rng.h"
#include "base/stats.h"
#include "tests/tap.h"

#include <math.h>

/* The first numbers that PCG's authors publish for pcg64 (42, 54). */
static void test_golden(void)
{
	static const uint64_t want[] = {0x86b1da1d72062b68, 0x1304aa46c9853d39, 0xa3670e9e0dd50358,
					0xf9090e529a7dae00, 0xc85b9fd837996f2c, 0x606121f8e3919196};
	struct pl_rng rng;
	int wrong = 0;

	pl_rng_init(&rng, 42, 54);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		wrong += pl_rng_u64(&rng) != want[i];
	is_int(wrong, 0, "pcg64's published numbers");
}

static void test_copy(void)
{
	struct pl_rng a, fork;

	pl_rng_init(&a, 7, 3);
	fork = a;
	ok(pl_rng_u64(&a) == pl_rng_u64(&fork), "a copy goes the same way");
}

/* The first two numbers of all (seed, stream) are different ones. */
static void test_streams(void)
{
	enum { SEEDS = 20, STREAMS = 100, N = SEEDS * STREAMS * 2 };
	static int64_t seen[N];
	struct pl_rng rng;
	size_t n = 0;
	int same = 0;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		for (uint64_t stream = 0; stream < STREAMS; stream++) {
			pl_rng_init(&rng, seed, stream);
			seen[n++] = (int64_t)pl_rng_u64(&rng);
			seen[n++] = (int64_t)pl_rng_u64(&rng);
		}
	}
	pl_sort_int64(seen, N);
	for (size_t i = 1; i < N; i++)
		same += seen[i] == seen[i - 1];
	is_int(same, 0, "streams and seeds are distinct");
}

static double chi_square(const int *count, size_t n, double expected)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (count[i] - expected) * (count[i] - expected) / expected;
	return sum;
}

/* Bounds on chi-square: exceeded once in 1000 seeds by a fair generator. */
static void test_below(void)
{
	const uint64_t bound = (uint64_t)3 << 62;
	int die[10] = {0}, third[3] = {0}, wrong = 0;
	struct pl_rng rng;

	pl_rng_init(&rng, 1, 0);
	for (int i = 0; i < 100000; i++) {
		const uint64_t x = pl_rng_below(&rng, 10);

		wrong += x >= 10;
		die[x % 10]++;
	}
	is_int(wrong, 0, "below its bound");
	ok(chi_square(die, 10, 10000) < 27.88, "each as often as the others");
	/* x mod bound would fall into the first third half of the time */
	for (int i = 0; i < 30000; i++)
		third[pl_rng_below(&rng, bound) >> 62]++;
	ok(chi_square(third, 3, 10000) < 13.82, "no bias for large bounds");
	for (int i = 0; i < 100; i++)
		wrong += pl_rng_below(&rng, 1) != 0;
	is_int(wrong, 0, "below 1 there is 0");
}

static void test_double(void)
{
	int tenth[10] = {0}, wrong = 0;
	struct pl_rng rng;

	pl_rng_init(&rng, 2, 0);
	for (int i = 0; i < 100000; i++) {
		const double x = pl_rng_double(&rng);

		if (!(x >= 0 && x < 1))
			wrong++;
		else
			tenth[(int)(x * 10)]++;
	}
	is_int(wrong, 0, "in [0, 1)");
	ok(chi_square(tenth, 10, 10000) < 27.88, "uniform");
}

static void test_shuffle(void)
{
	static const size_t key[3][3] = {{0, 0, 1}, {2, 0, 3}, {4, 5, 0}};
	size_t v[100];
	int seen[100] = {0}, perm[6] = {0}, wrong = 0;
	struct pl_rng rng;

	pl_rng_init(&rng, 3, 0);
	for (size_t i = 0; i < 100; i++)
		v[i] = i;
	pl_rng_shuffle(&rng, v, 100);
	for (size_t i = 0; i < 100; i++)
		if (v[i] < 100)
			seen[v[i]]++;
	for (size_t i = 0; i < 100; i++)
		wrong += seen[i] != 1;
	is_int(wrong, 0, "a shuffle is a permutation");
	for (int i = 0; i < 60000; i++) {
		size_t three[] = {0, 1, 2};

		pl_rng_shuffle(&rng, three, 3);
		perm[key[three[0]][three[1]]]++;
	}
	ok(chi_square(perm, 6, 10000) < 20.52, "all orders equally often");
	v[0] = 7;
	pl_rng_shuffle(&rng, v, 0);
	pl_rng_shuffle(&rng, v, 1);
	is_int((int64_t)v[0], 7, "nothing to shuffle");
}

int main(void)
{
	test_golden();
	test_copy();
	test_streams();
	test_below();
	test_double();
	test_shuffle();
	return done_testing();
}
