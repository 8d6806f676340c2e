/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-hub-shares.c - how much of the buffer hubs and ranks add up */
#include "config.h"

#include "engine/hub-shares.h"

#include "base/rng.h"
#include "engine/hub-racks.h"
#include "tests/tap.h"

#include <math.h>

#define RANKS_MAX 9
#define HUBS_MAX 12
#define ALL (RANKS_MAX + HUBS_MAX)

/* The time of the slowest card by these shares. */
static double slowest(size_t n, size_t k, const double *rate, const double *share)
{
	double most = 0;

	for (size_t i = 0; i < n + k; i++)
		most = fmax(most, (i < n ? 1 + ((double)n - 2) * share[i] : (double)n * share[i]) /
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
			const double want = 2 * a * (a - 1) / (a * a + b * a - 2 * b);
			double sum = 0;

			good &= fabs(pl_hub_shares(n, k, rate, share) / want - 1) < 1e-9;
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
				good &= slowest(n, k, rate, share) > time * (1 - 1e-9);
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
		ok(pl_slice_check(&s.slice[i], 8, 2, PL_SLICE_ALL, &err) == 0, "which adds up");
	pl_slices_fini(&s);
}

/* Racks of 3 ranks and a hub, of 2 and two, and of 1 and one; the uplink of the last is half as
 * fast again. */
#define N_RACKED 10
static const uint32_t rack[N_RACKED] = {0, 1, 0, 2, 1, 0, 1, 0, 2, 1};
static const double uplink[3] = {2, 2, 3};

static void test_racks(void)
{
	const struct pl_hub_racks t = {
		.n_ranks = 6, .n_hubs = 4, .n_racks = 3, .rack = rack, .rate = uplink};
	/* of the buffer: into hubs from their ranks, out of racks */
	double into[N_RACKED] = {0}, out[3] = {0}, all = 0;
	struct pl_slices s = {0};
	struct pl_err err;
	bool good = true;

	is_int(pl_hub_rack_slices(&s, &t, 100, &err), 0, "hubs in three racks");
	for (size_t i = 0; i < s.n; i++)
		all += (double)s.slice[i].weight;
	for (size_t i = 0; i < s.n; i++) {
		const double part = (double)s.slice[i].weight / all;

		good &= pl_slice_check(&s.slice[i], 6, 4, PL_SLICE_ALL, &err) == 0;
		for (size_t k = 0; k < s.slice[i].n_transfers; k++) {
			const struct pl_slice_transfer *x = &s.slice[i].transfer[k];

			good &= x->src >= 6 || rack[x->src] == rack[x->dst];
			into[x->dst] += x->src < 6 ? part : 0;
			out[rack[x->src]] += rack[x->src] != rack[x->dst] ? part : 0;
		}
	}
	ok(good, "each slice adds up, and ranks send to hubs of their rack");
	ok(fabs(into[6] - 1) < 1e-5 && fabs(into[9] - 1) < 1e-5,
	   "two hubs of a rack have equal parts of its ranks");
	/* 1 + (3 - 2) x, for the shares x = 1/7, 1/7 and 5/7 */
	ok(fabs(7 * out[0] - 8) < 1e-4 && fabs(7 * out[1] - 8) < 1e-4 &&
		   fabs(7 * out[2] - 12) < 1e-4,
	   "uplinks carry what they can in the same time");
	pl_slices_fini(&s);
	is_int(pl_hub_rack_slices(&s, &t, 3, &err) ? 0 : (int64_t)s.n, 3,
	       "no more slices than allowed");
	pl_slices_fini(&s);
}

static void test_no_racks(void)
{
	const uint32_t one[4] = {0}, without[4] = {0, 1, 0, 0};
	struct pl_hub_racks t = {
		.n_ranks = 2, .n_hubs = 2, .n_racks = 1, .rack = one, .rate = uplink};
	struct pl_slices s = {0};
	struct pl_err err;

	ok(pl_hub_rack_slices(&s, &t, 9, &err) && err.code == PL_EUSAGE,
	   "a single rack is refused");
	t.n_racks = 2;
	t.rack = without;
	ok(pl_hub_rack_slices(&s, &t, 9, &err) && err.code == PL_EUSAGE,
	   "so is a rack without a hub");
}

int main(void)
{
	test_equal();
	test_unequal();
	test_slices();
	test_racks();
	test_no_racks();
	return done_testing();
}
