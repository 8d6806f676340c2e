/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-spot-replay.c - when jobs on transient machines end: equations, replays, intervals, where
 * the answer is known */
#include "config.h"

#include "planner/transient/interval.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <math.h>

static struct pl_err err;

static bool is_within(double got, double want, double share)
{
	const bool near = fabs(got - want) <= share * fabs(want);

	if (!near)
		printf("# got %.9g, want %.9g\n", got, want);
	return near;
}

/* Machines that are lost at an age with a probability of n_lost in n, and else stay for long. */
static void curve_at(struct pl_survival *c, double age_s, size_t n_lost, size_t n)
{
	struct pl_life life[16];
	struct pl_life_group g = {.life = life, .n = n, .n_lost = n_lost};

	for (size_t i = 0; i < n; i++) {
		life[i] = (struct pl_life){
			.s = i < n_lost ? age_s : 1e9, .lost = i < n_lost, .start_h = NAN};
		g.held_s += life[i].s;
	}
	pl_survival_make(c, &g, 0, &err);
}

/* ResNet-32, 64000 steps, a checkpoint of 3.84 s each 4000: speeds of Table I of the paper. */
static void test_published(void)
{
	struct pl_spot_part part[3] = {
		{.count = 1, .steps_per_s = 4.56},
		{.count = 1, .steps_per_s = 12.19},
		{.count = 1, .steps_per_s = 15.61},
	};
	struct pl_spot_job job = {
		.part = part,
		.n_parts = 1,
		.steps = 64000,
		.interval = 4000,
		.save_s = 3.84,
		.most_steps_per_s = INFINITY,
	};

	ok(fabs(pl_spot_expect(&job).seconds - 14096.5) < 0.05, "a K80");
	part[0].count = 4;
	ok(fabs(pl_spot_expect(&job).seconds - 3570.2) < 0.05, "four");
	part[0].count = 2;
	job.n_parts = 3;
	ok(fabs(pl_spot_expect(&job).seconds - 1794.9) < 0.05, "two, a P100 and a V100");
	job.steps = 4001;
	ok(pl_spot_checkpoints(&job) == 2, "a last checkpoint");
	ok(pl_spot_is_bound(43.15, 8 * 11.36) && !pl_spot_is_bound(36.02, 8 * 4.51),
	   "eight P100 are bound by their server, eight K80 are not");
}

/* 100 steps at 1 a second; F(50 s) = 0.4, F(110 s) = 0.5. */
static void test_fixed_point(void)
{
	double age[] = {50, 110}, left[] = {0.6, 0.5}, spread[2] = {0};
	const struct pl_survival c = {.s = age,
				      .left = left,
				      .spread = spread,
				      .n = 2,
				      .seen_s = 1e9,
				      .limit_s = INFINITY};
	struct pl_spot_part part = {
		.count = 1, .steps_per_s = 1, .curve = &c, .launch_s = 20, .join_s = 10};
	const struct pl_spot_job job = {
		.part = &part, .n_parts = 1, .steps = 100, .most_steps_per_s = INFINITY};

	ok(is_within(pl_spot_expect(&job).seconds, 112, 1e-12),
	   "as printed: losses of the time without losses");
	ok(is_within(pl_spot_expect_fixed(&job).seconds, 115, 1e-12) &&
		   is_within(pl_spot_expect_fixed(&job).revocations, 0.5, 1e-12),
	   "as a fixed point: losses of the time with them");
}

static void play(struct pl_replays *r, const struct pl_spot_job *job, size_t n, const char *what)
{
	is_int(pl_replay(r, job, n, 1, &err), 0, what);
}

/* A machine that is always lost at 45 s, checkpoints of 2 s each 20 steps: two of them, and a step
 * that is lost. Its replacement does the rest. */
static void test_lost_work(void)
{
	struct pl_survival c = {0};
	struct pl_spot_part part = {.count = 1,
				    .steps_per_s = 1,
				    .price_per_hour = 3600,
				    .curve = &c,
				    .launch_s = 6,
				    .join_s = 4};
	struct pl_spot_job job = {.part = &part,
				  .n_parts = 1,
				  .steps = 60,
				  .interval = 20,
				  .save_s = 2,
				  .most_steps_per_s = INFINITY,
				  .replacements = SIZE_MAX};
	struct pl_replays r = {0};

	curve_at(&c, 45, 1, 1);
	play(&r, &job, 3, "one machine");
	ok(is_within(r.mean_s, 45 + 10 + 22, 1e-12) && r.seconds[0] == r.seconds[2] &&
		   is_within(r.redone, 1, 1e-9) && r.losses == 1,
	   "lost work is done again");
	ok(is_within(r.mean_dollars, 45 + 26, 1e-12), "a launch costs nothing");
	pl_replays_fini(&r);
	job.keeps = true;
	play(&r, &job, 3, "work that survives");
	ok(is_within(r.mean_s, 45 + 10 + 21, 1e-12) && r.redone == 0, "is not done again");
	pl_replays_fini(&r);
	job.keeps = false;
	job.replacements = 0;
	play(&r, &job, 3, "no replacement");
	ok(r.n_ended == 0 && isnan(r.mean_s) && isinf(r.seconds[0]) &&
		   pl_replays_within(&r, 1e300) == 0,
	   "then the job does not end");
	pl_replays_fini(&r);
	job.replacements = SIZE_MAX;
	job.interval = 50;
	play(&r, &job, 100, "a checkpoint that is never reached");
	ok(r.n_ended == 0, "nor does it then");
	pl_replays_fini(&r);
	pl_survival_fini(&c);
}

/* One that stays beside one that is lost at 30 s; each a step a second, 100 steps. */
static void test_go_on(void)
{
	struct pl_survival c = {0};
	struct pl_spot_part part[2] = {
		{.count = 1, .steps_per_s = 1},
		{.count = 1, .steps_per_s = 1, .curve = &c, .launch_s = 10, .join_s = 5}};
	struct pl_spot_job job = {.part = part,
				  .n_parts = 2,
				  .steps = 100,
				  .most_steps_per_s = INFINITY,
				  .goes_on = true,
				  .keeps = true};
	struct pl_replays r = {0};

	curve_at(&c, 30, 1, 1);
	play(&r, &job, 1, "the other goes on alone");
	ok(is_within(r.mean_s, 30 + 40, 1e-12), "at its own speed");
	pl_replays_fini(&r);
	job.replacements = 1;
	play(&r, &job, 1, "until a replacement comes");
	ok(is_within(r.mean_s, 30 + 15 + 12.5, 1e-12), "after 15 s");
	pl_replays_fini(&r);
	job.goes_on = false;
	play(&r, &job, 1, "or waits for it");
	ok(is_within(r.mean_s, 30 + 15 + 20, 1e-12), "and does nothing");
	pl_replays_fini(&r);
	job.goes_on = true;
	job.most_steps_per_s = 1;
	play(&r, &job, 1, "a server that takes one step a second");
	ok(is_within(r.mean_s, 100, 1e-12), "bounds them");
	pl_replays_fini(&r);
	job.most_steps_per_s = INFINITY;
	job.keeps = false;
	job.restart_s = 7;
	job.replacements = 0;
	play(&r, &job, 1, "work is lost");
	ok(is_within(r.mean_s, 30 + 7 + 100, 1e-12) && is_within(r.redone, 60, 1e-12),
	   "and the other starts again");
	pl_replays_fini(&r);
	pl_survival_fini(&c);
}

/* Equation 4 holds where a machine is lost once at most, and keeps work. */
static void test_equation(void)
{
	struct pl_survival c = {0};
	struct pl_spot_part part = {
		.count = 1, .steps_per_s = 1, .curve = &c, .launch_s = 20, .join_s = 10};
	const struct pl_spot_job job = {.part = &part,
					.n_parts = 1,
					.steps = 100,
					.most_steps_per_s = INFINITY,
					.replacements = SIZE_MAX,
					.keeps = true};
	struct pl_replays r = {0};

	curve_at(&c, 80, 4, 10);
	play(&r, &job, 10000, "lost with probability 0.4");
	ok(is_within(r.mean_s, pl_spot_expect(&job).seconds, 0.01),
	   "the mean is that of equation 4");
	ok(is_within(pl_replays_within(&r, 129), 0.6, 0.05) && pl_replays_within(&r, 131) == 1,
	   "the chance of a deadline");
	pl_replays_fini(&r);
	pl_survival_fini(&c);
}

/* Losses every m seconds at a constant rate: a stretch of s seconds is through after (e^(s/m) - 1)
 * (m + r), if nothing is lost in the r seconds of a restart. */
static double through_s(double s, double m, double r)
{
	return expm1(s / m) * (m + r);
}

static void test_constant_rate(void)
{
	struct pl_survival c = {0};
	struct pl_spot_part part = {.count = 1, .steps_per_s = 1, .curve = &c, .launch_s = 20};
	struct pl_spot_job job = {.part = &part,
				  .n_parts = 1,
				  .steps = 2000,
				  .interval = 100,
				  .save_s = 5,
				  .most_steps_per_s = INFINITY,
				  .replacements = SIZE_MAX};
	struct pl_intervals found;
	struct pl_replays r = {0}, again = {0};
	double best = INFINITY;

	pl_survival_constant(&c, 300);
	play(&r, &job, 10000, "a machine lost at a constant rate");
	ok(is_within(r.mean_s, 20 * through_s(105, 300, 20), 0.01),
	   "the mean is that of the closed form");
	play(&again, &job, 10000, "again");
	ok(memcmp(r.seconds, again.seconds, r.n * sizeof(double)) == 0,
	   "the same seed, the same replays");
	pl_replays_fini(&again);
	pl_replays_fini(&r);
	part = (struct pl_spot_part){.count = 16, .steps_per_s = 1 / 16., .curve = &c};
	pl_survival_constant(&c, 16 * 300);
	play(&r, &job, 10000, "sixteen of them, replaced at once");
	ok(is_within(r.mean_s, 20 * through_s(105, 300, 0), 0.01),
	   "are as one that is lost as often");
	pl_replays_fini(&r);

	for (double n = 1; n <= 500; n++)
		best = fmin(best, 2000 / n * through_s(n + 5, 300, 0));
	is_int(pl_interval_search(&found, &job, 2000, 1, &err), 0, "the best interval");
	ok(is_within(found.between_s, 300, 1e-12) && found.young.steps == round(sqrt(3000)) &&
		   found.best.mean_s <= found.young.mean_s &&
		   found.best.mean_s <= found.daly.mean_s,
	   "is no worse than Young's and Daly's");
	ok(is_within(found.best.mean_s, best, 0.01) &&
		   is_within(2000 / found.best.steps * through_s(found.best.steps + 5, 300, 0),
			     best, 0.01),
	   "and is that of the closed form");
	ok(is_within(pl_interval_daly_s(5, 300),
		     sqrt(3000) * (1 + sqrt(5 / 600.) / 3 + 5 / 600. / 9) - 5, 1e-12) &&
		   pl_interval_daly_s(700, 300) == 300,
	   "Daly's formula");
	part.curve = NULL;
	is_int(pl_interval_search(&found, &job, 10, 1, &err), 0, "no loss");
	ok(found.best.steps == 2000, "a checkpoint at the end");
	pl_survival_fini(&c);
}

static void test_memory(void)
{
	struct pl_spot_part part = {.count = 1, .steps_per_s = 1};
	const struct pl_spot_job job = {
		.part = &part, .n_parts = 1, .steps = 1, .most_steps_per_s = INFINITY};
	bool failed = true, clean = true;
	size_t k;

	for (k = 0; failed; k++) {
		struct pl_replays r = {0};
		size_t live;
		int rc;

		failalloc_begin(k);
		rc = pl_replay(&r, &job, 2, 1, &err);
		pl_replays_fini(&r);
		failed = failalloc_end(&live);
		clean &= live == 0 && (rc == 0) == !failed;
	}
	ok(clean && k > 2, "no memory: told, nothing left (%zu places)", k);
}

int main(void)
{
	test_published();
	test_fixed_point();
	test_lost_work();
	test_go_on();
	test_equation();
	test_constant_rate();
	test_memory();
	return done_testing();
}
