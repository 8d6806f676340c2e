/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-spot-lives.c - files of lifetimes, and the curves they make */
#include "config.h"

#include "planner/transient/survival.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

#define HEADER "# plink-lifetimes 1\n"
#define HOUR 3600.

static int add(struct pl_lifetimes *l, const char *s, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	*err = (struct pl_err){0};
	if (pl_text_copy(&text, "lives", s, strlen(s), err))
		return -1;
	rc = pl_lifetimes_parse(l, &text, err);
	pl_text_fini(&text);
	return rc;
}

static const struct {
	const char *text;
	long line, col;
	const char *part;
} bad[] = {
	{"", 1, 1, "first line must be"},
	{"# plink-lifetimes 2\n", 1, 1, "first line must be"},
	{HEADER "live a b 1h lost\n", 2, 1, "is not limit, life, start"},
	{HEADER "life\n", 2, 5, "the type is missing"},
	{HEADER "life a\n", 2, 7, "the region (or -) is missing"},
	{HEADER "life a b\n", 2, 9, "the lifetime of the machine is missing"},
	{HEADER "life a b -1h lost\n", 2, 10, "\"-1h\" is not a time"},
	{HEADER "life a b nan lost\n", 2, 10, "is not a time"},
	{HEADER "life a b 1e300h lost\n", 2, 10, "time"},
	{HEADER "life a b 1h\n", 2, 12, "\"lost\" or \"kept\" is missing"},
	{HEADER "life a b 1h gone\n", 2, 13, "neither \"lost\" nor \"kept\""},
	{HEADER "life a b 1h lost x\n", 2, 18, "\"x\" is not an hour from 0:00 to 23:59"},
	{HEADER "life a b 1h lost 24:00\n", 2, 18, "is not an hour"},
	{HEADER "life a b 1h lost 9:5\n", 2, 18, "is not an hour"},
	{HEADER "life a b 1h lost 9:05 x\n", 2, 23, "the line must end before \"x\""},
	{HEADER "start a b 1 2\n", 2, 14, "time until it was up is missing"},
	{HEADER "cold a b\n", 2, 9, "the time until the machine took part is missing"},
	{HEADER "price a b\n", 2, 10, "the dollars an hour are missing"},
	{HEADER "price a b x 1h\n", 2, 11, "is not from 0 to"},
	{HEADER "price a b nan 1h\n", 2, 11, "is not from 0 to"},
	{HEADER "price a b 1\n", 2, 12, "how long the price held is missing"},
	{HEADER "price a b 1 0\n", 2, 11, "a price that held for 0 s"},
	{HEADER "limit 0\n", 2, 6, "the limit must be above 0"},
	{HEADER "limit 1h\nlimit 2h\n", 3, 6, "an earlier line has another limit"},
};

static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pl_lifetimes l = {0};
		struct pl_err err;
		const int rc = add(&l, bad[i].text, &err);

		if (!ok(rc == -1 && err.code == PL_EINPUT && err.line == bad[i].line &&
				err.col == bad[i].col && strstr(err.text, bad[i].part),
			"refused: %s", bad[i].part))
			printf("# rc %d, %ld:%ld: %s\n", rc, err.line, err.col, err.text);
		pl_lifetimes_fini(&l);
	}
}

static void test_file(void)
{
	struct pl_lifetimes l = {0};
	const struct pl_life_group *g;
	struct pl_err err;
	size_t n;

	is_int(add(&l,
		   HEADER "life K80 east 3h lost\nlife K80 east 2h kept\n\n"
			  "# in any order\nlife K80 east 1h lost\r\n"
			  "life K80 east 4h kept\nlife K80 west 90 lost\n"
			  "start K80 east 2s 40s 30s\n"
			  "start K80 east 4s 44s 40s\n"
			  "cold K80 east 75.6s\nwarm K80 east 14.8s\n",
		   &err),
	       0, "all kinds of lines");
	g = pl_lifetimes_find(&l, "K80", "east", &n);
	ok(g && g->n == 4 && g->n_lost == 2 && g->held_s == 10 * HOUR, "a group's lives");
	ok(pl_history_mean_s(&g->launch) == 80 &&
		   pl_history_mean_s(&g->stage[PL_START_STAGE]) == 42 &&
		   pl_history_mean_s(&g->cold) == 75.6 && pl_history_mean_s(&g->warm) == 14.8,
	   "launches, stages, replacements");
	ok(!pl_lifetimes_find(&l, "K80", NULL, &n) && n == 2, "two regions: which one?");
	ok(!pl_lifetimes_find(&l, "P100", NULL, &n) && n == 0, "no P100");
	pl_lifetimes_fini(&l);
	is_int(add(&l, HEADER "life a - 23h lost\nlife a - 24h lost\nlimit 24h", &err), 0,
	       "a limit");
	ok(l.group[0].n_lost == 1, "who reaches it is not lost");
	pl_lifetimes_fini(&l);
}

static bool is_near(double got, double want)
{
	const bool near = fabs(got - want) <= 1e-12 * fabs(want);

	if (!near)
		printf("# got %.15g, want %.15g\n", got, want);
	return near;
}

/* 1 h lost, 2 h kept, 3 h lost, 4 h kept, by hand. */
static void test_curve(void)
{
	struct pl_lifetimes l = {0};
	struct pl_survival c = {0};
	struct pl_err err;
	struct pl_rng rng;
	size_t n_below = 0, n_tail = 0;

	add(&l,
	    HEADER "life a - 3h lost\nlife a - 2h kept\n"
		   "life a - 1h lost\nlife a - 4h kept\n",
	    &err);
	is_int(pl_survival_make(&c, &l.group[0], 0, &err), 0, "a curve");
	ok(pl_survival_lost(&c, HOUR - 1) == 0 && is_near(pl_survival_lost(&c, HOUR), 0.25) &&
		   is_near(pl_survival_lost(&c, 4 * HOUR), 0.625),
	   "the lives that were cut short count while they last");
	ok(is_near(pl_survival_lost(&c, 5 * HOUR), 1 - 0.375 * exp(-0.2)),
	   "beyond, the rate of all lives");
	ok(is_near(pl_survival_spread(&c, 2 * HOUR), 0.75 * sqrt(1 / 12.)), "Greenwood's error");
	ok(is_near(pl_survival_mean_s(&c), 4.75 * HOUR), "the mean life");
	ok(pl_survival_age(&c, 0.3) == 3 * HOUR &&
		   is_near(pl_survival_lost(&c, pl_survival_age(&c, 0.9)), 0.9),
	   "an age by its share");
	pl_rng_init(&rng, 1, 0);
	for (int i = 0; i < 100000; i++) {
		const double s = pl_survival_draw(&c, &rng);

		n_below += s <= 3 * HOUR;
		n_tail += s > 5 * HOUR;
	}
	ok(fabs((double)n_below / 1e5 - 0.625) < 0.008 &&
		   fabs((double)n_tail / 1e5 - 0.375 * exp(-0.2)) < 0.008,
	   "lives drawn follow it");
	pl_survival_fini(&c);
	is_int(pl_survival_make(&c, &l.group[0], 4 * HOUR, &err), 0, "a limit");
	ok(is_near(pl_survival_mean_s(&c), 2.875 * HOUR) &&
		   is_near(pl_survival_lost(&c, 9 * HOUR), 0.625) &&
		   pl_survival_age(&c, 0.9) == 4 * HOUR,
	   "ends all lives, but is no loss before it");
	pl_survival_fini(&c);
	pl_lifetimes_fini(&l);
}

static void test_few(void)
{
	struct pl_lifetimes l = {0};
	struct pl_survival c = {0};
	struct pl_err err;

	add(&l, HEADER "life a - 9h kept\ncold b - 1s\nlife c - 0 lost\n", &err);
	is_int(pl_survival_make(&c, &l.group[0], 0, &err), 0, "none was lost");
	ok(pl_survival_lost(&c, 1e9) == 0 && isinf(pl_survival_mean_s(&c)) &&
		   isinf(pl_survival_age(&c, 0.5)),
	   "then none ever is");
	pl_survival_fini(&c);
	is_int(pl_survival_make(&c, &l.group[1], 0, &err), -1, "no life");
	has_str(err.text, "no lifetime of a machine b", "is told");
	is_int(pl_survival_make(&c, &l.group[2], 0, &err), 0, "lost at once");
	ok(pl_survival_lost(&c, 0) == 1 && pl_survival_mean_s(&c) == 0, "all are");
	pl_survival_fini(&c);
	pl_survival_constant(&c, 100);
	ok(is_near(pl_survival_lost(&c, 50), 1 - exp(-0.5)) && is_near(pl_survival_mean_s(&c), 100),
	   "a constant rate");
	pl_survival_fini(&c);
	pl_lifetimes_fini(&l);
}

/* Journals tell of spot machines; others are not taken away. */
static void test_history(void)
{
	struct pl_history_life life[] = {
		{.held_s = 60, .lost = true, .start_h = 9.5},
		{.held_s = 90, .lost = false, .start_h = 0},
	};
	struct pl_history_kind kind[] = {
		{.type = (char *)(uintptr_t) "p3",
		 .spot = true,
		 .launch = {.sum_s = 80, .n = 1},
		 .life = life,
		 .n_machines = 2},
		{.type = (char *)(uintptr_t) "g4", .life = life, .n_machines = 2},
	};
	const struct pl_history h = {.kind = kind, .n = 2};
	struct pl_lifetimes l = {0};

	is_int(pl_lifetimes_add_history(&l, &h), 0, "a history");
	ok(l.n == 1 && l.group[0].n == 2 && l.group[0].n_lost == 1 && l.group[0].held_s == 150 &&
		   l.group[0].life[0].start_h == 9.5 && pl_history_mean_s(&l.group[0].launch) == 80,
	   "has the lives of its spot machines");
	pl_lifetimes_fini(&l);
}

static void test_memory(void)
{
	bool failed = true, clean = true;
	size_t k;

	for (k = 0; failed; k++) {
		struct pl_lifetimes l = {0};
		struct pl_survival c = {0};
		struct pl_err err;
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = add(&l, HEADER "life a b 1h lost\nlife c d 1h kept\n", &err);
		if (rc == 0)
			rc = pl_survival_make(&c, &l.group[0], 0, &err);
		clean &= rc == 0 || err.code == PL_ESYSTEM;
		pl_survival_fini(&c);
		pl_lifetimes_fini(&l);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0) == !failed;
	}
	ok(clean && k > 5, "no memory: told, nothing left (%zu places)", k);
}

int main(void)
{
	test_nonsense();
	test_file();
	test_curve();
	test_few();
	test_history();
	test_memory();
	return done_testing();
}
