/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-settle.c - intervals of percentiles: exact ranks, coverage, settling */
#include "config.h"

#include "base/rng.h"
#include "base/stats.h"
#include "probes/pair/settle.h"
#include "tests/tap.h"

#include <math.h>

struct interval {
	size_t n;
	double p;
	size_t low, high;
};

/* From sums of exact fractions. */
static const struct interval exact[] = {
	{36, 0.1, 0, 7}, {40, 0.1, 0, 8}, {100, 0.1, 4, 16}, {1000, 0.1, 81, 119}, {6, 0.5, 0, 5},
};

static void test_intervals(void)
{
	size_t low = 77, high = 77;

	ok(pl_settle_interval(0, 0.1, 0.95, &low, &high), "nothing: none");
	ok(pl_settle_interval(35, 0.1, 0.95, &low, &high), "p10 of 35: none");
	ok(pl_settle_interval(5, 0.5, 0.95, &low, &high), "p50 of 5: none");
	ok(low == 77 && high == 77, "outputs untouched then");
	for (size_t k = 0; k < sizeof(exact) / sizeof(exact[0]); k++) {
		const struct interval *e = &exact[k];
		const int status = pl_settle_interval(e->n, e->p, 0.95, &low, &high);

		ok(!status && low == e->low && high == e->high,
		   "p%.0f of %zu lies between ranks %zu and %zu", e->p * 100, e->n, e->low,
		   e->high);
	}
	ok(!pl_settle_interval(1000000, 0.1, 0.95, &low, &high) && low > 99000 && high < 101000,
	   "a million: (1 - p)^n below any double does no harm");
}

/* P(low < number below <= high) for binomial(n, p), summed directly. */
static double coverage(size_t n, double p, size_t low, size_t high)
{
	double sum = 0;

	for (size_t k = low + 1; k <= high; k++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
			   lgamma((double)(n - k) + 1) + (double)k * log(p) +
			   (double)(n - k) * log1p(-p));
	return sum;
}

static void test_coverage(void)
{
	size_t low, high;
	int less = 0;

	for (size_t n = 36; n < 2000; n++) {
		pl_settle_interval(n, 0.1, 0.95, &low, &high);
		less += coverage(n, 0.1, low, high) < 0.95;
	}
	is_int(less, 0, "at least 95 % for every n from 36 to 2000");
}

/* A long-tailed sample: the interval must hold the true p10 about 95 times of 100. */
static void test_sampled(void)
{
	struct pl_rng rng;
	double v[200];
	size_t low, high;
	int held = 0;

	pl_rng_init(&rng, 7, 0);
	pl_settle_interval(200, 0.1, 0.95, &low, &high);
	for (int run = 0; run < 2000; run++) {
		for (size_t i = 0; i < 200; i++)
			v[i] = 1 / (1 - pl_rng_double(&rng)); /* Pareto */
		pl_sort_doubles(v, 200);
		held += v[low] <= 1 / 0.9 && 1 / 0.9 <= v[high];
	}
	ok(held >= 1880, "held in %d of 2000 samples", held);
}

static void test_settled(void)
{
	const struct pl_tolerance exactly = {0, 0}, some = {0.02, 10};
	int64_t v[100];

	for (size_t i = 0; i < 100; i++)
		v[i] = 1000;
	ok(pl_settled(v, 100, 0.1, &exactly), "equal values are settled");
	ok(!pl_settled(v, 35, 0.1, &exactly), "too few never are");
	for (size_t i = 17; i < 100; i++)
		v[i] = 1000000;
	ok(pl_settled(v, 100, 0.1, &exactly), "whatever the tail");
	v[16] = 1031; /* the upper end of the interval */
	ok(!pl_settled(v, 100, 0.1, &some), "upper end too far");
	v[16] = 1030;
	ok(pl_settled(v, 100, 0.1, &some), "2 %% + 10 ns is near enough");
	for (size_t i = 0; i < 5; i++)
		v[i] = 969;
	ok(!pl_settled(v, 100, 0.1, &some), "lower end too far");
	for (size_t i = 0; i < 5; i++)
		v[i] = 970;
	ok(pl_settled(v, 100, 0.1, &some), "and near enough");
}

int main(void)
{
	test_intervals();
	test_coverage();
	test_sampled();
	test_settled();
	return done_testing();
}
