/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-rack-models.c - table 2.1 and inequality 2.3 of the thesis, helpers */
#include "config.h"

#include "planner/rack/levels.h"
#include "planner/rack/need.h"
#include "tests/tap.h"

#include <math.h>

/* Table 2.1, in Gbit/s, and size and time of table 6.1. */
static const struct {
	const char *name;
	double mib, ms, gbps[PL_RACK_SERVERS];
} printed[] = {
	{"ResNet 269", 390, 350, {122, 31, 140, 17}},
	{"Inception", 91, 225, {44, 11, 50, 6}},
	{"GoogleNet", 38, 100, {40, 10, 46, 6}},
	{"AlexNet", 194, 16, {1232, 308, 1408, 176}},
};
#define N_PRINTED (sizeof(printed) / sizeof(*printed))

static void test_table(void)
{
	for (size_t i = 0; i < N_PRINTED; i++) {
		const double rate = printed[i].mib * 8 / 1024 / printed[i].ms * 1e3;
		double worst = 0;

		/* numbers are rounded to whole ones */
		for (int k = 0; k < PL_RACK_SERVERS; k++)
			worst = fmax(worst, (fabs(pl_rack_need((enum pl_rack_server)k, 8, rate) -
						  printed[i].gbps[k]) -
					     0.5) / printed[i].gbps[k]);
		ok(worst < 0.08, "table 2.1, %s: within 8 %%", printed[i].name);
	}
	for (int k = 0; k < PL_RACK_SERVERS; k++)
		is_int((int64_t)pl_rack_need((enum pl_rack_server)k, 8, 88),
		       (int64_t)printed[3].gbps[k], pl_rack_server_name((enum pl_rack_server)k));
}

/* The time of the busiest card if each of @n workers has the shard @x of a
 * buffer, and each of @k helpers as much of the rest. */
static double busiest(double n, double k, double x)
{
	const double own = 1 - x + (n - 1) * x;

	return k > 0 ? fmax(own, n * (1 - n * x) / k) : own;
}

static void test_helpers(void)
{
	bool best = true;

	for (size_t n = 2; n <= 9; n++)
		for (size_t k = 0; k <= 12; k++) {
			double least = INFINITY;

			for (int i = 0; i <= 10000; i++)
				if (k > 0 || i == 10000)
					least = fmin(least, busiest((double)n, (double)k,
								    i / 1e4 / (double)n));
			best &= fabs(pl_rack_exchange_s(n, (double)k, 1, 1) / least - 1) < 1e-3;
		}
	ok(best, "helpers: no division of the buffer takes less");
}

static void test_levels(void)
{
	/* 4 racks of 8: 8 * 3 / (4 * 2) = 3 = 8 / hub + 3 / (4 * 2) */
	struct pl_rack_levels l = {.n_racks = 4,
				   .n_workers = 8,
				   .core = 2,
				   .hub = 8 / 2.625,
				   .worker = 1,
				   .between_s_per_byte = NAN};

	ok(!pl_rack_levels_judge(&l).pays, "levels: equal times do not pay");
	l.hub *= 1.001;
	ok(pl_rack_levels_judge(&l).pays, "a little faster pays");
	l.worker = 1 / 2.626;
	ok(!pl_rack_levels_judge(&l).pays, "unless workers are too slow");
	l.worker = 1;
	l.between_s_per_byte = 0.5;
	ok(!pl_rack_levels_judge(&l).pays, "or the hubs among themselves");
	l.n_racks = 1;
	l.between_s_per_byte = NAN;
	l.hub = 1e9;
	ok(!pl_rack_levels_judge(&l).pays, "a single rack never");
}

int main(void)
{
	test_table();
	test_helpers();
	test_levels();
	is_int((int64_t)pl_rack_room(90, 6, 8), 120, "room for 120 workers");
	ok(fabs(pl_rack_adding_bytes(470e9) / 5.64e12 - 1) < 1e-12, "470 Gadd/s: 5.64 TB/s");
	return done_testing();
}
