/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-shares.c - shares of masters: what the slowest uplink takes, against
 * many drawn ones */
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
			most = fmax(most,
				    (1 + share[g] * (double)(n - 2)) / rate[g]);
	return most;
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
	pl_master_shares(n, rate, share);
	for (size_t g = 0; g < n; g++) {
		if (!(share[g] >= 0))
			return false;
		sum += share[g];
	}
	if (fabs(sum - 1) > 1e-6)
		return false;
	for (int i = 0; i < 300; i++) {
		draw(rng, n, other);
		if (slowest(n, rate, other) <
		    slowest(n, rate, share) * (1 - 1e-6))
			return false;
	}
	return true;
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
	pl_master_shares(4, uplinks, share);
	ok(share[3] == 0 && fabs(share[0] - 1.0 / 3) < 1e-6 &&
		   fabs(share[1] - share[2]) < 1e-6,
	   "a slow uplink has no masters, the others equally many");
	return done_testing();
}
