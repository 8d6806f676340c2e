/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-meter.c - the rate of a flow: lumps, slow start, what has settled */
#include "config.h"

#include "base/rng.h"
#include "probes/bandwidth/meter.h"
#include "tests/tap.h"

#include <math.h>

#define MS INT64_C(1000000)
#define S (1000 * MS)

static bool near(double value, double wanted, double share)
{
	return fabs(value - wanted) <= share * wanted;
}

/* @lump bytes each @every_ns, from *now on for @span_ns. */
static void feed(struct pl_meter *m, int64_t *now, int64_t span_ns, int64_t every_ns, uint64_t lump)
{
	const int64_t end = *now + span_ns;

	for (; *now < end; *now += every_ns)
		pl_meter_add(m, *now, lump);
}

static void test_nothing(void)
{
	struct pl_meter m;

	pl_meter_init(&m, S, 0);
	ok(pl_meter_rate(&m, 0, 1) == 0 && pl_meter_settled_rate(&m) == 0 &&
		   !pl_meter_is_settled(&m, 1) && pl_meter_elapsed(&m) == 0,
	   "nothing has come: no rate, not settled");
	pl_meter_add(&m, 5 * S, 1000);
	ok(pl_meter_rate(&m, 0, 1) == 0 && pl_meter_elapsed(&m) == 0, "one lump has no rate");
	pl_meter_add(&m, 5 * S + MS, 1000);
	ok(near(pl_meter_rate(&m, 0.5, 1), 1e6, 1e-9),
	   "two within a window: what came between them");
}

/* A lump in 7 ms against windows of 10: marks are where lumps are. */
static void test_lumps(void)
{
	struct pl_meter m;
	int64_t now = 123 * S;

	pl_meter_init(&m, S, 0);
	feed(&m, &now, 400 * MS, 7 * MS, 70000);
	ok(pl_meter_is_settled(&m, 0.001), "equal lumps: settled");
	ok(near(pl_meter_settled_rate(&m), 1e7, 1e-9), "at just their rate");
	ok(near(pl_meter_rate(&m, 0.5, 1), 1e7, 1e-9), "by halves as well");
}

/* Twice as much in each window, then constant. */
static void test_slow_start(void)
{
	struct pl_meter m;
	int64_t now = 0;
	uint64_t lump = 1000;
	bool early = false;

	pl_meter_init(&m, S, 0);
	for (int k = 0; k < 13; k++, lump *= 2) {
		feed(&m, &now, 10 * MS, MS, lump);
		early = early || pl_meter_is_settled(&m, 0.05);
	}
	ok(!early, "while the rate doubles it is not settled");
	feed(&m, &now, 60 * MS, MS, 10000);
	ok(!pl_meter_is_settled(&m, 0.05), "nor just after");
	feed(&m, &now, 60 * MS, MS, 10000);
	ok(pl_meter_is_settled(&m, 0.05), "a dozen windows later it is");
	ok(near(pl_meter_settled_rate(&m), 1e7, 1e-9), "at the rate that it has come to");
	ok(pl_meter_rate(&m, 0, 1) > 2e7, "which that of all is far from");
}

static void test_windows(void)
{
	struct pl_meter m;
	int64_t now = 0;

	pl_meter_init(&m, S, 0);
	is_int(m.window_ns, PL_METER_WINDOW_NS, "10 ms at least");
	pl_meter_init(&m, 10 * S, 20 * MS);
	is_int(m.window_ns, 40 * MS, "two round trips");
	pl_meter_init(&m, S, S);
	is_int(m.window_ns, S / 16, "but there are 16 in a flow");
	pl_meter_init(&m, 3600 * S, MS);
	feed(&m, &now, 3600 * S, 100 * MS, 1000);
	ok(m.n > 900 && m.n < PL_METER_MARKS, "and a long one has room");
	feed(&m, &now, 3600 * S, 100 * MS, 1000);
	ok(m.n <= PL_METER_MARKS && m.bytes == 72000 * 1000,
	   "one that is longer than it may be does no harm");
}

/* The middle is what lies between, whatever comes before and after. */
static void test_middle(void)
{
	struct pl_meter m;
	int64_t now = 0;

	pl_meter_init(&m, S, 0);
	feed(&m, &now, 380 * MS, MS, 500);
	feed(&m, &now, 540 * MS, MS, 2000);
	feed(&m, &now, 80 * MS, MS, 90000);
	ok(near(pl_meter_rate(&m, 0.4, 0.9), 2e6, 1e-9), "neither the start nor the end is in it");
}

/* Lumps of any size at any time: never beyond the fastest and the slowest. */
static void test_bounds(void)
{
	struct pl_rng rng;
	bool within = true;

	pl_rng_init(&rng, 1, 0);
	for (int turn = 0; turn < 200; turn++) {
		struct pl_meter m;
		int64_t now = 0;

		pl_meter_init(&m, S, 0);
		while (now < S) {
			const uint64_t ns = 1000 + pl_rng_below(&rng, 3000000);

			now += (int64_t)ns;
			/* 1 to 2 bytes a ns */
			pl_meter_add(&m, now, ns + pl_rng_below(&rng, ns));
		}
		for (double from = 0; from < 1; from += 0.1) {
			const double r = pl_meter_rate(&m, from, 1);

			within = within && r >= 0.999e9 && r <= 2.001e9;
		}
	}
	ok(within, "a rate lies between the least and the greatest");
}

/* Of flows that come in turns what is between two moments adds up. */
static void test_between(void)
{
	struct pl_meter early, late;

	pl_meter_init(&early, S, 0);
	pl_meter_init(&late, S, 0);
	for (int64_t ms = 1; ms <= 1000; ms++)
		pl_meter_add(ms <= 600 ? &early : &late, ms * (S / 1000), 1000);
	is_int(llround(pl_meter_between(&early, S * 4 / 10, S * 9 / 10)), 400000, "200 of 500 ms");
	is_int(llround(pl_meter_between(&early, S * 4 / 10, S * 9 / 10) +
		       pl_meter_between(&late, S * 4 / 10, S * 9 / 10)) /
		       10000,
	       100, "both together");
	ok(pl_meter_between(&late, 0, S / 2) == 0, "before the first byte");
	ok(pl_meter_between(&early, S * 7 / 10, S) == 0, "after the last one");
}

int main(void)
{
	test_nothing();
	test_between();
	test_lumps();
	test_slow_start();
	test_windows();
	test_middle();
	test_bounds();
	return done_testing();
}
