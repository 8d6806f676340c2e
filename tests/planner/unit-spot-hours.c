/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-spot-hours.c - hours of start: the log-rank test, and what it finds */
#include "config.h"

#include "base/rng.h"
#include "planner/transient/hours.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define SEED 30

/* Lives at a constant rate, which is @times as high for those started from 6 to 12; none is seen
 * longer than 24 h. */
static void make(struct pl_life_group *g, size_t n, double times, struct pl_rng *rng)
{
	g->n = g->n_lost = 0;
	for (size_t i = 0; i < n; i++) {
		const double hour = 24 * pl_rng_double(rng);
		const double rate = hour >= 6 && hour < 12 ? times : 1;
		const double s = -12 * 3600 / rate * log1p(-pl_rng_double(rng));

		pl_lifetimes_add(
			g,
			(struct pl_life){.s = fmin(s, 86400), .lost = s < 86400, .start_h = hour});
	}
}

/* In how many of @n sets of lives some hours are advised; in *as_planned, in how many of these they
 * are 6 to 12. */
static size_t advised(size_t n, double times, size_t *as_planned)
{
	struct pl_life_group g = {0};
	struct pl_hours h;
	struct pl_rng rng;
	size_t found = 0;

	*as_planned = 0;
	pl_rng_init(&rng, SEED, (uint64_t)(10 * times));
	for (size_t i = 0; i < n; i++) {
		make(&g, 200, times, &rng);
		if (pl_hours_make(&h, &g, 6, NULL))
			abort();
		found += h.best < h.n;
		*as_planned += h.best == 1;
	}
	free(g.life);
	return found;
}

/* Six lives in two halves of the day, by hand: of the first losses at 1 and 3, of the second at 2;
 * one kept at 2 and one at 4 each way. */
static void test_by_hand(void)
{
	const struct pl_life lives[] = {
		{.s = 1, .lost = true, .start_h = 0},     {.s = 2, .lost = false, .start_h = 11.9},
		{.s = 3, .lost = true, .start_h = 5},     {.s = 2, .lost = true, .start_h = 12},
		{.s = 4, .lost = false, .start_h = 23.9}, {.s = 4, .lost = false, .start_h = 13},
		{.s = 9, .lost = true, .start_h = NAN},
	};
	struct pl_life_group g = {0};
	struct pl_hours h;

	for (size_t i = 0; i < sizeof(lives) / sizeof(*lives); i++)
		pl_lifetimes_add(&g, lives[i]);
	ok(!pl_hours_make(&h, &g, 12, NULL) && h.n == 2 && h.n_lives == 6,
	   "lives without an hour do not count");
	ok(h.band[0].n == 3 && h.band[0].lost == 2 && h.band[1].lost == 1,
	   "machines and losses of each band");
	/* at 1 three of six are of the first, at 2 two of five, at 3 one of three */
	ok(fabs(h.band[0].expected - (3. / 6 + 2. / 5 + 1. / 3)) < 1e-12 &&
		   fabs(h.band[0].expected + h.band[1].expected - 3) < 1e-12,
	   "losses expected");
	ok(isnan(h.band[0].p) && h.best == h.n, "too few are not judged");
	free(g.life);
}

int main(void)
{
	size_t planned;

	test_by_hand();
	printf("# seed %d\n", SEED);
	ok(advised(1000, 1, &planned) <= 50,
	   "no difference: advice in 5 %% of sets of lives at most");
	ok(advised(100, 0.4, &planned) >= 90 && planned >= 90,
	   "0.4 times the losses: these hours are found");
	ok(advised(100, 3, &planned) == 0 || planned == 0,
	   "hours with more losses are never advised");
	return done_testing();
}
