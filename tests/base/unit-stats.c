/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-stats.c - percentiles by nearest rank, Spearman's correlation */
#include "config.h"

#include "base/rng.h"
#include "base/stats.h"
#include "bench/spearman.h"
#include "tests/tap.h"

#include <math.h>

static void test_percentiles(void)
{
	int wrong = 0;

	is_int((int64_t)pl_percentile_index(1, 0.1), 0, "one value is p10");
	is_int((int64_t)pl_percentile_index(10, 0.1), 0, "p10 of 10");
	is_int((int64_t)pl_percentile_index(11, 0.1), 1, "p10 of 11");
	is_int((int64_t)pl_percentile_index(100, 0.99), 98, "p99 of 100");
	is_int((int64_t)pl_percentile_index(101, 0.99), 99, "p99 of 101");
	is_int((int64_t)pl_percentile_index(7, 1.0), 6, "p100 is the last");
	for (size_t n = 1; n < 2000; n++)
		for (size_t p = 1; p <= 100; p++)
			wrong += pl_percentile_index(n, (double)p / 100) != (p * n + 99) / 100 - 1;
	is_int(wrong, 0, "agrees with integer arithmetic everywhere");
}

static void test_median(void)
{
	double even[] = {4, 1, 3, 2};
	double odd[] = {9, -1, 5};

	ok(isnan(pl_median(NULL, 0)), "median of nothing is missing");
	ok(pl_median(even, 4) == 2, "even: the lower middle, a measured value");
	ok(pl_median(odd, 3) == 5, "odd: the middle");
}

static void test_spearman(void)
{
	const double x[] = {1, 2, 3, 4, 5};
	const double up[] = {1, 10, 11, 500, 501};
	const double down[] = {5, 4, 3, 2, 1};
	const double tied[] = {1, 2, 2, 3, 4};
	const double flat[] = {7, 7, 7, 7, 7};
	double rho = 0;

	ok(!spearman(x, up, 5, &rho) && rho == 1, "monotone up: 1");
	ok(!spearman(x, down, 5, &rho) && rho == -1, "monotone down: -1");
	/* ranks 1 2.5 2.5 4 5: covariance 9.5, variances 10 and 9.5 */
	ok(!spearman(x, tied, 5, &rho) && fabs(rho - 9.5 / sqrt(95)) < 1e-12,
	   "ties take their mean rank");
	ok(!spearman(x, flat, 5, &rho) && isnan(rho), "constant: undefined");
	ok(!spearman(x, up, 1, &rho) && isnan(rho), "one pair: undefined");
}

static void test_sort(void)
{
	struct pl_rng rng;
	int64_t v[1000];
	int wrong = 0;

	pl_rng_init(&rng, 1, 0);
	for (size_t i = 0; i < 1000; i++)
		v[i] = (int64_t)pl_rng_u64(&rng);
	pl_sort_int64(v, 1000);
	for (size_t i = 1; i < 1000; i++)
		wrong += v[i - 1] > v[i];
	is_int(wrong, 0, "sorted, extremes included");
}

int main(void)
{
	test_percentiles();
	test_median();
	test_spearman();
	test_sort();
	return done_testing();
}
