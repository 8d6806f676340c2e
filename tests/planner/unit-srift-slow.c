/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-slow.c - a watched job that is slower than predicted, or that has spent its time or
 * budget */
#include "config.h"

#include "planner/srift/watch/parts.h"
#include "planner/srift/watch/watch.h"
#include "tests/tap.h"

#include <math.h>

static struct pl_err err;

struct told {
	int n; /* events "slow" */
	char host[32], why[256], last[32];
};

static void tell(void *ctx, const struct pl_srift_watch *w, const struct pl_watch_event *e)
{
	struct told *t = ctx;

	(void)w;
	snprintf(t->last, sizeof(t->last), "%s", e->name);
	if (strcmp(e->name, "slow"))
		return;
	t->n++;
	snprintf(t->host, sizeof(t->host), "%s", e->host ? e->host : "");
	snprintf(t->why, sizeof(t->why), "%s", e->why);
}

static const struct pl_watch_job job = {
	.iterations = 1000000,
	.time_limit_s = INFINITY,
	.budget = INFINITY,
	.progress_s = 10,
	.slow = 0.067,
};

static void end(struct pl_srift_watch *w, double at_s, const struct pl_act_result *r)
{
	w->act[0].begun = true;
	w->act[0].begun_s = at_s;
	pl_watch_act_ended(w, at_s, w->act[0].id, r, &err);
}

/* Three machines, of which an iteration is predicted to take 0.1 s, train from 0 s on. */
static void launch(struct pl_srift_watch *w, struct told *t, const struct pl_watch_job *o)
{
	static char *name[] = {"a", "b", "c"};
	const struct pl_fleet_part part = {
		.type = "k80", .spot = true, .count = 3, .price_per_hour = 12};
	struct pl_srift_fleet fleet = {.iteration_s = 0.1};

	*t = (struct told){0};
	pl_watch_init(w, o, tell, t);
	pl_watch_begin(w, 0, &err);
	pl_fleet_add(&fleet, &part);
	end(w, 0, &(struct pl_act_result){.fleet = &fleet});
	end(w, 0, &(struct pl_act_result){.name = name, .n_names = 3});
	end(w, 0, &(struct pl_act_result){0});
	is_int(w->phase, PL_WATCH_RUN, "the job trains");
}

static void say(struct pl_srift_watch *w, double at_s, struct pl_said p)
{
	pl_watch_progress(w, at_s, &p, &err);
}

/* From @from_s on a line every 5 s for 65 s, an iteration takes @seconds. */
static void train(struct pl_srift_watch *w, double from_s, double seconds)
{
	const uint64_t first = w->iteration;

	for (double s = 0; s <= 65; s += 5)
		say(w, from_s + s,
		    (struct pl_said){.kind = PL_PROGRESS_ITERATION,
				     .iterations = first + (uint64_t)(s / seconds)});
}

static void test_rule(void)
{
	struct pl_watch_job o = job;
	struct pl_srift_watch w;
	struct told t;

	launch(&w, &t, &o);
	train(&w, 0, 0.1 / 0.94);
	is_int(t.n, 0, "94 % of the predicted speed are enough");
	train(&w, 70, 0.1 / 0.92);
	is_int(t.n, 1, "92 % are not");
	has_str(t.why, "more than predicted: the machines have not told", "it says so");
	train(&w, 140, 0.1 / 0.92);
	is_int(t.n, 1, "that is told once");
	train(&w, 210, 0.1);
	train(&w, 280, 0.1 / 0.92);
	is_int(t.n, 2, "and again after a time of full speed");
	pl_watch_fini(&w);

	o.slow = 0;
	launch(&w, &t, &o);
	train(&w, 40, 10);
	is_int(t.n, 0, "or never");
	pl_watch_fini(&w);
}

static void test_exempt(void)
{
	struct pl_srift_watch w;
	struct told t;

	launch(&w, &t, &job);
	for (double s = 0; s <= 29; s++)
		say(&w, s,
		    (struct pl_said){.kind = PL_PROGRESS_ITERATION, .iterations = (uint64_t)s});
	train(&w, 30, 0.1);
	is_int(t.n, 0, "the first 30 s do not count");
	for (double s = 100; s < 200; s += 5) {
		say(&w, s,
		    (struct pl_said){.kind = PL_PROGRESS_ITERATION,
				     .iterations = w.iteration + 10});
		say(&w, s,
		    (struct pl_said){.kind = PL_PROGRESS_CHECKPOINT, .iterations = w.iteration});
	}
	is_int(t.n, 0, "nor does time with checkpoints");
	pl_watch_fini(&w);
}

static void tell_pace(struct pl_srift_watch *w, const char *host, double s)
{
	struct pl_said p = {.kind = PL_PROGRESS_PACE, .seconds = s};

	snprintf(p.host, sizeof(p.host), "%s", host);
	say(w, 1, p);
}

static void test_pace(void)
{
	struct pl_srift_watch w;
	struct told t;

	launch(&w, &t, &job);
	train(&w, 10, 0.12);
	is_str(t.host, "", "nothing is known of machines");
	tell_pace(&w, "a", 0.05);
	tell_pace(&w, "b", 0.12);
	tell_pace(&w, "c", 0.05);
	tell_pace(&w, "d", 9);
	train(&w, 80, 0.12);
	is_str(t.host, "b", "the machine that computes longer is named");
	train(&w, 150, 0.12);
	is_int(t.n, 2, "and not again");
	has_str(t.why, "2.4 times as long", "and how much longer");
	tell_pace(&w, "b", 0.052);
	w.slow_told = false;
	train(&w, 220, 0.12);
	is_str(t.host, "", "machines that are alike are not");
	has_str(t.why, "the server of parameters or the network", "then the limit is elsewhere");
	pl_watch_fini(&w);
}

static void test_spent(void)
{
	struct pl_watch_job o = job;
	struct pl_srift_watch w;
	struct told t;

	o.can_stop = o.stop_spent = o.spot_returns = true;
	o.budget = 1;
	launch(&w, &t, &o);
	pl_watch_tick(&w, 99, &err);
	is_int(w.phase, PL_WATCH_RUN, "3 machines for 99 s cost less than $1");
	pl_watch_tick(&w, 100, &err);
	is_str(t.last, "stopping", "for 100 s they do not");
	is_int((int64_t)w.n_acts, 3, "all are stopped");
	ok(w.unmet, "the job is not done");
	pl_watch_fini(&w);

	o.budget = INFINITY;
	o.time_limit_s = 50;
	launch(&w, &t, &o);
	say(&w, 20, (struct pl_said){.kind = PL_PROGRESS_LOST, .host = "a"});
	is_int((int64_t)w.n_excluded, 0, "a lost machine can be had again");
	is_int(w.act[0].kind, PL_ACT_STOP, "what it held is released");
	end(&w, 51, &(struct pl_act_result){0});
	is_int(w.phase, PL_WATCH_FINISH, "late: no others are looked for");
	pl_watch_fini(&w);
}

int main(void)
{
	test_rule();
	test_exempt();
	test_pace();
	test_spent();
	return done_testing();
}
