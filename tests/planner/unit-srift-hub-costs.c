/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-hub-costs.c - hubs: tables 2.1 and 6.3 and inequality 2.3 of the thesis, prices that
 * are nonsense with their place, lack of memory */
#include "config.h"

#include "planner/srift/comm/comm-hubs.h"
#include "planner/srift/comm/hub-costs.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

/* Table 2.1, in Gbit/s, and size and time of table 6.1. */
static const struct {
	const char *name;
	double mib, ms, gbps[PL_SERVERS];
} printed[] = {
	{"ResNet 269", 390, 350, {122, 31, 140, 17}},
	{"Inception", 91, 225, {44, 11, 50, 6}},
	{"GoogleNet", 38, 100, {40, 10, 46, 6}},
	{"AlexNet", 194, 16, {1232, 308, 1408, 176}},
};
#define N_PRINTED (sizeof(printed) / sizeof(*printed))

static void test_need(void)
{
	for (size_t i = 0; i < N_PRINTED; i++) {
		const double rate = printed[i].mib * 8 / 1024 / printed[i].ms * 1e3;
		double worst = 0;

		/* numbers are rounded to whole ones */
		for (int k = 0; k < PL_SERVERS; k++)
			worst = fmax(worst, (fabs(pl_server_need((enum pl_server)k, 8, rate) -
						  printed[i].gbps[k]) -
					     0.5) / printed[i].gbps[k]);
		ok(worst < 0.08, "table 2.1, %s: within 8 %%", printed[i].name);
	}
	for (int k = 0; k < PL_SERVERS; k++)
		is_int((int64_t)pl_server_need((enum pl_server)k, 8, 88),
		       (int64_t)printed[3].gbps[k], "AlexNet's row");
}

/* The time of the busiest card if each of @n workers has the shard @x of a buffer, and each of @k
 * hubs as much of the rest. */
static double busiest(double n, double k, double x)
{
	const double own = 1 - x + (n - 1) * x;

	return k > 0 ? fmax(own, n * (1 - n * x) / k) : own;
}

static void test_exchange(void)
{
	bool best = true;

	for (size_t n = 2; n <= 9; n++)
		for (size_t k = 0; k <= 12; k++) {
			double least = INFINITY;

			for (int i = 0; i <= 10000; i++)
				if (k > 0 || i == 10000)
					least = fmin(least, busiest((double)n, (double)k,
								    i / 1e4 / (double)n));
			best &= fabs(pl_comm_hubs_s(n, (double)k, 1, 1) / least - 1) < 1e-3;
		}
	ok(best, "hubs: no division of the buffer takes less");
}

static bool pays(struct pl_rack_hubs *r)
{
	pl_rack_hubs_judge(r);
	return r->pays;
}

static void test_levels(void)
{
	/* 4 racks of 8: 8 * 3 / (4 * 2) = 3 = 8 / hub + 3 / (4 * 2) */
	struct pl_rack_hubs r = {
		.n_racks = 4, .n_workers = 8, .core = 2, .hub = 8 / 2.625, .worker = 1, .bits = 2};

	ok(!pays(&r) && r.flat_s == 6 && r.local_s == 5.25 && r.between_s == 0.75,
	   "levels: equal times do not pay");
	r.hub *= 1.001;
	ok(pays(&r), "a little faster pays");
	r.worker = 1 / 2.626;
	ok(!pays(&r), "unless workers are too slow");
	r.worker = 1;
	r.n_racks = 1;
	r.hub = 1e9;
	ok(!pays(&r), "a single rack never");
}

static int parse(struct pl_deploys *d, const char *s, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*d = (struct pl_deploys){0};
	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "p", s, strlen(s), err))
		return -1;
	rc = pl_deploys_parse(d, &text, err);
	pl_text_fini(&text);
	return rc;
}

#define HEAD "{\"plink-rack\": 1, \"deployments\": ["
#define ONE(machine, ports, rest)                                                                  \
	HEAD "{\"name\": \"a\",\n\"machine\": " machine ",\n"                                      \
	     "\"accelerator\": 0, \"accelerators\": 0, \"card\": 1,\n"                             \
	     "\"cable\": 1, \"switch\": {\"price\": 1, \"ports\": " ports                          \
	     "},\n\"samples_per_s\": 1,\n" rest "}]}"
#define RATIO "\"oversubscription\": [1]"
#define HUB(ports)                                                                                 \
	", \"hub\": {\"machine\": 1, \"card\": 1, \"in_rack\": 2, "                                \
	"\"ports\": " ports "}"

static const struct {
	const char *text;
	long line;
	const char *part;
} bad[] = {
	{"", 1, "end of file"},
	{"[]", 1, "object"},
	{"{\"deployments\": []}", 1, "\"plink-rack\": it is missing"},
	{"{\"plink-rack\": 2}", 1, "2 is not"},
	{HEAD "]}", 1, "0 elements"},
	{ONE("-1", "2", RATIO), 2, "-1 is not"},
	{ONE("0", "2", RATIO), 1, "costs nothing"},
	{ONE("1", "1", RATIO), 4, "1 is not"},
	{ONE("1", "2.5", RATIO), 4, "not whole"},
	{ONE("1", "2", "\"oversubscription\": []"), 6, "0 elements"},
	{ONE("1", "2", "\"oversubscription\": [0.5]"), 6, "0.5 is not"},
	{ONE("1", "2", RATIO ", \"reported\": [1, 2]"), 6, "2 elements"},
	{ONE("1", "2", RATIO ", \"hub\": {}"), 6, "missing"},
	{ONE("1", "2", RATIO ", \"hubs\": 1"), 6, "hubs"},
	{ONE("1", "8", RATIO HUB("2")), 6, "no port"},
};
#define N_BAD (sizeof(bad) / sizeof(*bad))

static void test_nonsense(void)
{
	struct pl_deploys d;
	struct pl_err err;

	for (size_t i = 0; i < N_BAD; i++) {
		ok(parse(&d, bad[i].text, &err) && err.code == PL_EINPUT &&
			   err.line == bad[i].line && !d.v && !d.doc.root,
		   "nonsense %zu is refused, line %ld", i, err.line);
		has_str(err.text, bad[i].part, "with its reason");
	}
	ok(parse(&d, ONE("1", "10", RATIO HUB("2")), &err) == 0 && d.v[0].workers == 1 &&
		   isnan(d.v[0].reported),
	   "the last port is a worker's, and nothing was reported");
	pl_deploys_fini(&d);
}

static void test_memory(void)
{
	struct pl_deploys d;
	struct pl_err err;
	bool failed = true, good = true;

	for (size_t k = 0; failed; k++) {
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = parse(&d, ONE("1", "2", RATIO ", \"why\": \"x\""), &err);
		pl_deploys_fini(&d);
		failed = failalloc_end(&live);
		good &= live == 0 && (rc != 0) == failed;
	}
	ok(good, "no memory: an error, and nothing is left");
}

/* Rows of table 6.3, and by its formula with the prices that it prints. */
static void test_thesis(void)
{
	static const struct {
		double ratio, workers, per_1000, reported;
	} rows[] = {
		{1, 16, 46.11, 46.11},
		{1, 44, 61.4, 55.19},
		{2, 65, 66.5, 57.71},
		{3, 76, 68.1, 59.03},
	};
	char path[4096];
	struct pl_deploys d = {0};
	struct pl_err err = {0};

	snprintf(path, sizeof(path), "%s/planner/srift/comm/thesis-prices.json",
		 getenv("srcdir") ? getenv("srcdir") : ".");
	if (!ok(pl_deploys_read(&d, path, &err) == 0 && d.n == 4, "the thesis's prices"))
		return;
	for (size_t i = 0; i < 4; i++)
		ok(fabs(d.v[i].per_1000 - rows[i].per_1000) < 0.05 &&
			   d.v[i].ratio == rows[i].ratio && d.v[i].workers == rows[i].workers &&
			   d.v[i].hubs == (i > 0) && d.v[i].reported == rows[i].reported &&
			   !d.v[i].why == (i == 0),
		   "table 6.3 by its formula: %.2f", d.v[i].per_1000);
	pl_deploys_fini(&d);
}

int main(void)
{
	test_need();
	test_exchange();
	test_levels();
	test_nonsense();
	test_memory();
	test_thesis();
	return done_testing();
}
