/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-spot-risk.c - choices of spot machines where the answer is known, and records of prices */
#include "config.h"

#include "planner/transient/risk.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>

#define HOUR 3600.

static struct pl_err err;

static bool is_within(double got, double want, double share)
{
	const bool near = fabs(got - want) <= share * fabs(want);

	if (!near)
		printf("# got %.9g, want %.9g\n", got, want);
	return near;
}

/* 1 $ an hour for an hour, then 3 $ for an hour. */
static void fill(struct pl_prices *p)
{
	*p = (struct pl_prices){0};
	pl_prices_add(p, 1, HOUR);
	pl_prices_add(p, 3, HOUR);
}

static void test_prices(void)
{
	struct pl_prices p;

	fill(&p);
	ok(is_within(pl_prices_mean(&p), 2, 1e-12) && pl_prices_length_s(&p) == 2 * HOUR,
	   "the mean of a record");
	ok(is_within(pl_prices_dollars(&p, 0, 2 * HOUR), 4, 1e-12) &&
		   is_within(pl_prices_dollars(&p, HOUR / 2, 1.5 * HOUR), 2, 1e-12),
	   "what a machine costs");
	ok(is_within(pl_prices_dollars(&p, 1.5 * HOUR, 6.5 * HOUR), 10, 1e-12),
	   "the record begins anew");
	pl_prices_fini(&p);
}

/* A market of one type, of which there are two spot machines at 1 $ and others at 5 $. */
static const struct pl_profile_instance instance = {.name = "a"};
static const struct pl_market market = {
	.type = {{.instance = &instance,
		  .stock = {{PL_SPOT, 1, 2}, {PL_ON_DEMAND, 5, 10}},
		  .n_stocks = 2}},
	.n_types = 1,
};
static const struct pl_risk_rules rules = {.save_s = 5, .p = 0.95, .n_replays = 10000, .seed = 1};

static struct pl_risks risks_of(double mean_life_s)
{
	struct pl_risks r = {.market = &market, .rules = &rules};

	pl_survival_constant(&r.curve[0], mean_life_s);
	r.part[0] = (struct pl_spot_part){.price_per_hour = 1, .launch_s = 20};
	return r;
}

static int find(struct pl_risk *risk, struct pl_risks *r, uint64_t iterations, uint32_t count,
		bool on_demand)
{
	const struct pl_srift_goal goal = {.iterations = iterations};
	const struct pl_quote q = {
		.choice = {.count = {count}},
		.seconds = 1,
		.per_hour = on_demand ? 5 * count : pl_market_price(&market.type[0], count),
	};

	r->part[0].curve = &r->curve[0];
	return pl_risk_find(risk, r, &goal, &q, on_demand, &err);
}

/* Lost every 300 s at a constant rate, a save of 5 s: Young's interval is 55 iterations. A stretch
 * of s seconds is through after (e^(s/m) - 1) (m + r) in the mean, with r for a launch. */
static void test_constant_rate(void)
{
	struct pl_risks r = risks_of(300);
	struct pl_risk risk;

	is_int(find(&risk, &r, 20 * 55, 1, false), 0, "a spot machine");
	ok(risk.interval == 55 && risk.n_spot == 1, "Young's interval");
	ok(is_within(risk.mean_s, 20 * expm1(60 / 300.) * 320, 0.01),
	   "the mean is that of the closed form");
	ok(is_within(risk.losses, 20 * expm1(60 / 300.), 0.01), "so are the losses");
	ok(is_within(risk.mean_dollars, (risk.mean_s - 20 * risk.losses) / HOUR, 1e-9),
	   "a launch costs nothing");
	ok(risk.p_s > risk.mean_s && risk.p_dollars > risk.mean_dollars, "the quantiles are above");
}

static void test_no_losses(void)
{
	struct pl_risks r = risks_of(INFINITY);
	struct pl_prices even = {0}, uneven;
	struct pl_risk risk;

	find(&risk, &r, 3600, 6, false);
	ok(is_within(risk.mean_s, HOUR, 1e-12) && risk.p_s == HOUR && risk.interval == 0 &&
		   risk.losses == 0 && risk.n_spot == 2,
	   "none is lost: the time without losses, no checkpoint");
	ok(is_within(risk.mean_dollars, 2 * 1 + 4 * 5, 1e-12), "two of six are spot machines");
	find(&risk, &r, 3600, 6, true);
	ok(risk.n_spot == 0 && is_within(risk.p_dollars, 30, 1e-12), "all on demand");
	pl_prices_add(&even, 1, HOUR / 7);
	r.part[0].prices = &even;
	find(&risk, &r, 3600, 2, false);
	ok(is_within(risk.mean_dollars, 2, 1e-9) && is_within(risk.p_dollars, 2, 1e-9),
	   "a price that does not change");
	fill(&uneven);
	r.part[0].prices = &uneven;
	find(&risk, &r, 3600, 1, false);
	ok(is_within(risk.mean_dollars, 2, 0.01) && is_within(risk.p_dollars, 2.9, 0.01),
	   "an hour from any time on: 1 to 3 $, each as likely");
	ok(risk.p_s == HOUR, "prices change no time");
	pl_prices_fini(&even);
	pl_prices_fini(&uneven);
}

/* Reads lives and makes the risks of the market. */
static int init(const char *lives, struct pl_risks *r, struct pl_lifetimes *l)
{
	struct pl_text text;
	int rc;

	err = (struct pl_err){0};
	if (pl_text_copy(&text, "lives", lives, strlen(lives), &err))
		return -1;
	rc = pl_lifetimes_parse(l, &text, &err);
	pl_text_fini(&text);
	return rc ? rc : pl_risks_init(r, &market, l, NULL, &rules, &err);
}

#define LIVES "# plink-lifetimes 1\nlife a - 1h lost\nprice a - 2.5 3h\n"

static void test_init(void)
{
	struct pl_lifetimes l = {0};
	struct pl_risks r = {0};
	bool failed = true, clean = true;
	size_t k;

	is_int(init(LIVES, &r, &l), -1, "no cold start");
	has_str(err.text, "no cold start of a is recorded", "is told");
	pl_lifetimes_fini(&l);
	is_int(init("# plink-lifetimes 1\nlife b - 1h lost\n", &r, &l), -1, "lives of others");
	has_str(err.text, "no lifetime of a is known; known are b -", "are no help");
	pl_lifetimes_fini(&l);
	for (k = 0; failed; k++) {
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = init(LIVES "cold a - 40s\n", &r, &l);
		clean &= rc == 0 || err.code == PL_ESYSTEM;
		if (rc == 0)
			clean &= r.part[0].join_s == 40 && pl_prices_mean(r.part[0].prices) == 2.5;
		pl_risks_fini(&r);
		pl_lifetimes_fini(&l);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0 || failed);
	}
	ok(clean && k > 5, "no memory: told, nothing left (%zu places)", k);
}

int main(void)
{
	test_prices();
	test_constant_rate();
	test_no_losses();
	test_init();
	return done_testing();
}
