/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-shares.c - shares of masters: what the slowest uplink takes, against many drawn ones */
#include "config.h"

#include "base/rng.h"
#include "engine/shares.h"
#include "tests/tap.h"

#include <math.h>

#define N_MAX 7

/* Seconds of the slowest uplink. */
static double slowest(size_t n, const double *rate, const double *share)
{
	double most = 0;

	for (size_t g = 0; g < n; g++)
		if (rate[g] > 0)
			most = fmax(most, (1 + share[g] * (double)(n - 2)) / rate[g]);
	return most;
}

/* Of groups that only have uplinks. */
static void find_shares(size_t n, const double *rate, double *share)
{
	struct pl_group_rates group[N_MAX];

	for (size_t g = 0; g < n; g++)
		group[g] = (struct pl_group_rates){.uplink = rate[g]};
	pl_master_shares(n, group, share);
}

/* A group whose cards have little to spare has few masters of all. */
static void check_cards(void)
{
	static const double slow[] = {2, 2}, fast[] = {9, 9};
	static const struct pl_group_rates group[] = {{9, slow, 2}, {9, fast, 2}, {9, fast, 2}};
	double share[3];

	pl_master_shares(3, group, share);
	/* 2 + 1 buffers by cards of 2 + 2 in 0.75 s, and none of other groups
	 */
	ok(share[0] < 1e-6 && fabs(share[1] - 0.5) < 1e-6, "slow cards: %.3f, %.3f, %.3f", share[0],
	   share[1], share[2]);
}

static void draw(struct pl_rng *rng, size_t n, double *share)
{
	double sum = 0;

	for (size_t g = 0; g < n; g++)
		sum += share[g] = pow(pl_rng_double(rng), 4);
	for (size_t g = 0; g < n; g++)
		share[g] /= sum;
}

/* Shares of n groups with drawn rates: valid, and none of 300 others is
 * better. */
static bool are_best(struct pl_rng *rng, size_t n)
{
	double rate[N_MAX], share[N_MAX], other[N_MAX], sum = 0;

	for (size_t g = 0; g < n; g++)
		rate[g] = pl_rng_below(rng, 5) ? 1 + 9 * pl_rng_double(rng) : 0;
	find_shares(n, rate, share);
	for (size_t g = 0; g < n; g++) {
		if (!(share[g] >= 0))
			return false;
		sum += share[g];
	}
	if (fabs(sum - 1) > 1e-6)
		return false;
	for (int i = 0; i < 300; i++) {
		draw(rng, n, other);
		if (slowest(n, rate, other) < slowest(n, rate, share) * (1 - 1e-6))
			return false;
	}
	return true;
}

/* Racks of 2 and 1 hosts: Quicktune's shares are sums of the rates of pairs. */
static void check_bandwidth(void)
{
	static const uint32_t parent[] = {3, 3, 4, 5, 5, 0};
	static const double rate[9] = {9, 9, 1, 9, 9, 2, 3, 4, 9};
	const struct pl_rank_tree t = {.n_ranks = 3, .n_nodes = 6, .parent = parent};
	double share[6];

	pl_bandwidth_shares(&t, rate, share);
	ok(share[3] == 1 + 2 && share[4] == 3 + 4 && share[0] == 9 + 1 && share[1] == 9 + 2 &&
		   share[2] == 3 + 4,
	   "shares by bandwidth");
}

/* Of each group's children by themselves. */
static void check_tree(void)
{
	static const uint32_t parent[] = {6, 6, 6, 7, 7, 7, 8, 8, 0};
	static const double rate[9] = {200, 200, 50, 1, 1, 1, 1, 1, 0};
	const struct pl_rank_tree t = {.n_ranks = 6, .n_nodes = 9, .parent = parent};
	double share[9], alone[3];

	find_shares(3, rate, alone);
	ok(pl_uplink_shares(&t, rate, share) == 0 && memcmp(alone, share, sizeof(alone)) == 0 &&
		   fabs(share[3] - 1.0 / 3) < 1e-6 && fabs(share[6] - 0.5) < 1e-6,
	   "shares by uplinks in a tree");
}

int main(void)
{
	static const double uplinks[] = {200, 200, 200, 50};
	double share[4];
	struct pl_rng rng;
	bool good = true;

	pl_rng_init(&rng, 20260102, 1);
	for (size_t i = 0; good && i < 500; i++)
		good = are_best(&rng, 1 + i % N_MAX);
	ok(good, "shares are valid, and no drawn ones are better");
	find_shares(4, uplinks, share);
	ok(share[3] == 0 && fabs(share[0] - 1.0 / 3) < 1e-6 && fabs(share[1] - share[2]) < 1e-6,
	   "a slow uplink has no masters, the others equally many");
	check_cards();
	check_bandwidth();
	check_tree();
	return done_testing();
}
