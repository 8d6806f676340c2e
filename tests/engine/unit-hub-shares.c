/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-hub-shares.c - how much of the buffer hubs and ranks add up */
#include "config.h"

#include "engine/hub-shares.h"

#include "base/rng.h"
#include "tests/tap.h"

#include <math.h>

#define RANKS_MAX 9
#define HUBS_MAX 12
#define ALL (RANKS_MAX + HUBS_MAX)

/* The time of the slowest card by these shares. */
static double slowest(size_t n, size_t k, const double *rate,
		      const double *share)
{
	double most = 0;

	for (size_t i = 0; i < n + k; i++)
		most = fmax(most, (i < n ? 1 + ((double)n - 2) * share[i]
					 : (double)n * share[i]) /
					  rate[i]);
	return most;
}

static void test_equal(void)
{
	double rate[ALL], share[ALL];
	bool good = true;

	for (size_t i = 0; i < ALL; i++)
		rate[i] = 1;
	for (size_t n = 2; n <= RANKS_MAX; n++)
		for (size_t k = 0; k <= HUBS_MAX; k++) {
			const double a = (double)n, b = fmin((double)k, a);
			const double want =
				2 * a * (a - 1) / (a * a + b * a - 2 * b);
			double sum = 0;

			good &= fabs(pl_hub_shares(n, k, rate, share) / want -
				     1) < 1e-9;
			for (size_t i = 0; i < n + k; i++)
				sum += share[i];
			good &= fabs(sum - 1) < 1e-9 &&
				slowest(n, k, rate, share) < want * (1 + 1e-9);
		}
	ok(good, "equal cards: 2 n (n - 1) / (n^2 + k n - 2 k)");
}

/* Moving a part of a share from one to another makes nothing faster. */
static void test_unequal(void)
{
	struct pl_rng rng;
	bool good = true;

	pl_rng_init(&rng, 1, 1);
	for (int turn = 0; good && turn < 200; turn++) {
		const size_t n = 2 + pl_rng_below(&rng, RANKS_MAX - 1);
		const size_t k = pl_rng_below(&rng, HUBS_MAX + 1);
		double rate[ALL], share[ALL], time;

		for (size_t i = 0; i < n + k; i++)
			rate[i] = 0.2 + pl_rng_double(&rng);
		time = pl_hub_shares(n, k, rate, share);
		good &= slowest(n, k, rate, share) < time * (1 + 1e-9);
		for (size_t i = 0; i < n + k; i++)
			for (size_t j = 0; j < n + k; j++) {
				const double part = fmin(share[i], 1e-3);

				share[i] -= part;
				share[j] += part;
				good &= slowest(n, k, rate, share) >
					time * (1 - 1e-9);
				share[i] += part;
				share[j] -= part;
			}
	}
	ok(good, "unequal cards, seed 1: nothing can be moved that helps");
}

static void test_slices(void)
{
	/* two fast hubs, of one and three parts: no rank adds up anything */
	const double rate[10] = {1, 1, 1, 1, 1, 1, 1, 1, 4, 12};
	struct pl_slices s = {0};
	double share[10];
	size_t n_second = 0;
	struct pl_err err;

	is_int((int64_t)pl_hub_shares(8, 2, rate, share), 1,
	       "fast hubs: the ranks' cards are the limit");
	ok(pl_hub_slices(&s, 8, 2, share, 3, &err) == 0 && s.n == 4 &&
		   s.slice[0].weight == s.slice[1].weight,
	   "slices of one size, by their rates");
	for (size_t i = 0; i < s.n; i++)
		n_second += s.slice[i].transfer[0].dst == 9;
	is_int((int64_t)n_second, 3, "three of them for the faster hub");
	for (size_t i = 0; i < s.n; i++)
		ok(pl_slice_check(&s.slice[i], 8, 2, PL_SLICE_ALL, &err) == 0,
		   "which adds up");
	pl_slices_fini(&s);
}

int main(void)
{
	test_equal();
	test_unequal();
	test_slices();
	return done_testing();
}
