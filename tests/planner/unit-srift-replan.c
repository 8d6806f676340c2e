/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-replan.c - a watched job by a clock of our own: figure 8, and faults */
/*
 * Numbers are of section 5.4 of Srift's paper. Its projected finish of 479 s is 3 s more than its
 * own parts (222 + 4 + 150 + 100): not tested.
 */
#include "config.h"

#include "planner/srift/watch/parts.h"
#include "planner/srift/watch/watch.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>

static struct pl_err err;

/* What was told: the events' names, and the last event. */
struct told {
	char names[4096];
	struct pl_watch_event last;
	char why[256];
};

static void tell(void *ctx, const struct pl_srift_watch *w, const struct pl_watch_event *e)
{
	struct told *t = ctx;
	const size_t len = strlen(t->names);

	(void)w;
	snprintf(t->names + len, sizeof(t->names) - len, "%s%s", len ? " " : "", e->name);
	t->last = *e;
	snprintf(t->why, sizeof(t->why), "%s", e->why ? e->why : "");
}

static const struct pl_watch_job job = {
	.iterations = 400,
	.time_limit_s = 500,
	.budget = INFINITY,
	.times = {.launch_s = 150, .detach_s = 5, .solve_s = 1},
	.silence_s = 30,
	.can_checkpoint = true,
	.can_stop = true,
};

static void near(double got, double want, const char *what)
{
	if (!ok(fabs(got - want) < 1e-9, "%s", what))
		printf("# got %.9g, want %.9g\n", got, want);
}

/* "dollars 500-222-4-150": the arithmetic of the paper alone */
static void test_budget(void)
{
	struct pl_replan_clock c = {
		.limit_s = 500,
		.now_s = 0,
		.interrupted_s = NAN,
		.times = job.times,
	};

	near(pl_replan_left_s(&c, true), 350, "at first: 500 - 150 s");
	c.limit_s = 302;
	near(pl_replan_left_s(&c, true), 152, "5.4: 302 - 150 = 152 s");
	c.limit_s = 500;
	c.now_s = 226;
	c.interrupted_s = 222;
	c.detached = true;
	near(pl_replan_left_s(&c, true), 124, "5.4: 500 - 222 - 4 - 150 = 124 s");
	near(pl_replan_left_s(&c, false), 274, "nothing to launch: 274 s");
	c.now_s = 222;
	c.detached = false;
	near(pl_replan_left_s(&c, true), 123, "as expected at once: 500 - 222 - 5 - 150 s");
	c.detached = true;
	near(pl_replan_left_s(&c, true), 127, "the search takes its second");
	c.limit_s = INFINITY;
	ok(isinf(pl_replan_left_s(&c, true)), "no limit: none");
	c.limit_s = 100;
	ok(pl_replan_left_s(&c, false) < 0, "past the limit: less than 0");
}

/* The act of that kind that is to be begun, or NULL. */
static struct pl_act *next(struct pl_srift_watch *w, enum pl_act_kind kind)
{
	for (size_t i = 0; i < w->n_acts; i++)
		if (!w->act[i].begun && w->act[i].kind == kind)
			return &w->act[i];
	return NULL;
}

/* Begins it; its number, or 0 where there is none. */
static uint64_t begin(struct pl_srift_watch *w, enum pl_act_kind kind, double at_s)
{
	struct pl_act *act = next(w, kind);

	if (!act)
		return 0;
	act->begun = true;
	act->begun_s = at_s;
	return act->id;
}

static void end(struct pl_srift_watch *w, double at_s, uint64_t id, const struct pl_act_result *r)
{
	ok(id && !pl_watch_act_ended(w, at_s, id, r, &err), "act %d at %g s", (int)id, at_s);
}

static void end_well(struct pl_srift_watch *w, double at_s, uint64_t id)
{
	end(w, at_s, id, &(struct pl_act_result){0});
}

static void say(struct pl_srift_watch *w, double at_s, enum pl_progress_kind kind, const char *host,
		uint64_t n)
{
	struct pl_said p = {.kind = kind, .iterations = n};

	snprintf(p.host, sizeof(p.host), "%s", host ? host : "");
	pl_watch_progress(w, at_s, &p, &err);
}

static void add(struct pl_srift_fleet *fleet, size_t count, const char *type, uint64_t batch,
		double price)
{
	const struct pl_fleet_part part = {(char *)(uintptr_t)type, true, count, batch, price};

	pl_fleet_add(fleet, &part);
}

static char *p3[] = {"p3-1", "p3-2"};
static char *g3[] = {"g3-1", "g3-2", "g3-3", "g3-4", "g3-5", "g3-6", "g3-7", "g3-8"};

/* Up to the training: two p3.8xlarge, there at 138 s. */
static void launch_two(struct pl_srift_watch *w, struct told *t, const struct pl_watch_job *o)
{
	struct pl_srift_fleet fleet = {.iteration_s = 0.38};
	struct pl_srift_fleet up = {0};
	struct pl_replan q;
	uint64_t id;

	*t = (struct told){0};
	pl_watch_init(w, o, tell, t);
	pl_watch_begin(w, 0, &err);
	id = begin(w, PL_ACT_SEARCH, 0);
	pl_watch_question(w, 0, &q, &up);
	is_int((int64_t)q.iterations, 400, "asked: of 400 iterations");
	near(q.left_s, 350, "in 350 s");
	pl_srift_fleet_fini(&up);
	add(&fleet, 2, "p3.8xlarge", 512, 3.68);
	end(w, 0, id, &(struct pl_act_result){.fleet = &fleet});
	near(t->last.finish_s, 302, "projected to finish at 302 s");
	id = begin(w, PL_ACT_LAUNCH, 0);
	end(w, 138, id, &(struct pl_act_result){.name = p3, .n_names = 2});
	end_well(w, 138, begin(w, PL_ACT_START, 138));
}

/* The survivor saves its model, and the lost machine's disk can be had after 4 s. */
static void lose_one(struct pl_srift_watch *w, struct told *t)
{
	say(w, 222, PL_PROGRESS_ITERATION, NULL, 200);
	say(w, 222, PL_PROGRESS_LOST, "p3-1", 0);
	is_str(t->last.name, "lost", "a machine is lost at 222 s");
	near(t->last.left_s, 123, "123 s are expected to be left");
	is_int(w->phase, PL_WATCH_SETTLE, "others are not looked for yet");
	end(w, 224, begin(w, PL_ACT_CHECKPOINT, 222),
	    &(struct pl_act_result){.saved_told = true, .saved = 200});
	is_int(w->phase, PL_WATCH_SETTLE, "the disk is not there yet");
	end_well(w, 226, begin(w, PL_ACT_STOP, 222));
}

static void replace(struct pl_srift_watch *w, struct told *t)
{
	struct pl_srift_fleet up = {0}, fleet = {.iteration_s = 0.5};
	struct pl_replan q;
	const uint64_t id = begin(w, PL_ACT_SEARCH, 226);

	pl_watch_question(w, 226, &q, &up);
	near(q.left_s, 124, "5.4: 124 s for what is to be found");
	is_int((int64_t)q.iterations, 200, "N -= n: 200 iterations");
	is_int((int64_t)q.n_excluded, 1, "one type ran out");
	ok(q.excluded[0].spot && !strcmp(q.excluded[0].type, "p3.8xlarge"),
	   "that of the lost machine");
	ok(up.n == 1 && up.part[0].count == 1, "a machine is there");
	pl_srift_fleet_fini(&up);
	add(&fleet, 1, "p3.8xlarge", 512, 3.68);
	add(&fleet, 8, "g3.8xlarge", 64, 0.69);
	end(w, 226, id, &(struct pl_act_result){.fleet = &fleet});
	near(t->last.finish_s, 476, "222 + 4 + 150 + 100 s");
	ok(!next(w, PL_ACT_STOP), "the survivor is kept");
	is_int((int64_t)next(w, PL_ACT_LAUNCH)->count, 8, "8 are added");
	end(w, 226 + 95, begin(w, PL_ACT_LAUNCH, 226),
	    &(struct pl_act_result){.name = g3, .n_names = 8});
	end_well(w, 321, begin(w, PL_ACT_START, 321));
	is_int((int64_t)pl_nodes_up(&w->nodes, NULL, false), 9, "9 train");
	is_str(w->nodes.node[pl_nodes_first(&w->nodes)].name, "p3-2",
	       "the survivor has the least rank");
}

static void test_figure8(void)
{
	struct pl_srift_watch w;
	struct told t;
	double dollars;

	printf("# figure 8\n");
	launch_two(&w, &t, &job);
	lose_one(&w, &t);
	replace(&w, &t);
	say(&w, 419, PL_PROGRESS_ITERATION, NULL, 400);
	is_int(w.phase, PL_WATCH_FINISH, "finished at 419 s");
	near((419 - 321) / 200., 0.49, "0.49 s an iteration");
	for (uint64_t id; (id = begin(&w, PL_ACT_STOP, 419));)
		end_well(&w, 419, id);
	is_int(w.phase, PL_WATCH_ENDED, "all is stopped");
	ok(!w.unmet && !w.n_unstopped, "and all is well");
	dollars = (222 * 3.68 + 419 * 3.68 + 8 * (419 - 226) * 0.69) / 3600;
	near(pl_watch_dollars(&w, 500), dollars,
	     "each machine is paid for from its launch to its end");
	is_str(t.names,
	       "begin plan up up running progress lost saved stopped plan up up up up up up up up "
	       "running progress done stopped stopped stopped stopped stopped stopped stopped "
	       "stopped stopped end",
	       "the events");
	pl_watch_fini(&w);
}

/* Nobody stops lost machines: 5 s are waited. */
static void test_no_stop_hook(void)
{
	struct pl_watch_job o = job;
	struct pl_srift_watch w;
	struct told t;

	o.can_stop = o.can_checkpoint = false;
	launch_two(&w, &t, &o);
	say(&w, 222, PL_PROGRESS_ITERATION, NULL, 200);
	say(&w, 222, PL_PROGRESS_LOST, "p3-2", 0);
	pl_watch_tick(&w, 226.9, &err);
	ok(!next(&w, PL_ACT_SEARCH), "not before");
	pl_watch_tick(&w, 227, &err);
	ok(next(&w, PL_ACT_SEARCH), "but then others are looked for");
	is_int((int64_t)w.iteration, 200, "what was told counts as saved");
	pl_watch_fini(&w);
}

static void test_silence(void)
{
	struct pl_srift_watch w;
	struct told t;

	launch_two(&w, &t, &job);
	for (double at = 140; at <= 165; at += 5) {
		say(&w, at, PL_PROGRESS_HEARTBEAT, "p3-2", 0);
		pl_watch_tick(&w, at, &err);
	}
	pl_watch_tick(&w, 167.9, &err);
	is_int(w.phase, PL_WATCH_RUN, "29.9 s are not too long");
	pl_watch_tick(&w, 168, &err);
	is_str(t.last.name, "lost", "30 s are");
	is_str(t.why, "silent for 30 s", "it says why");
	is_str(t.last.host, "p3-1", "it is the silent one");
	is_int(w.phase, PL_WATCH_SETTLE, "others are to be found");
	pl_watch_fini(&w);

	launch_two(&w, &t, &job);
	pl_watch_tick(&w, 1000, &err);
	is_int(w.phase, PL_WATCH_RUN, "who slept himself does not judge");
	pl_watch_fini(&w);
}

/* No answer: who runs on is left, and a restart with other limits asks
 * again. */
static void test_none(void)
{
	struct pl_watch_job o = job;
	struct pl_srift_watch w;
	struct told t;

	launch_two(&w, &t, &job);
	lose_one(&w, &t);
	end(&w, 227, begin(&w, PL_ACT_SEARCH, 226),
	    &(struct pl_act_result){.failed = "too slow by 20 s"});
	ok(w.phase == PL_WATCH_ENDED && w.unmet, "no machines: it ends");
	is_str(t.why, "too slow by 20 s", "says why");
	is_int((int64_t)t.last.count, 1, "and what is left running");
	w.job.time_limit_s = 700;
	pl_watch_begin(&w, 300, &err);
	ok(next(&w, PL_ACT_SEARCH), "another limit: it asks again");
	pl_watch_fini(&w);

	o.stop_unmet = true;
	launch_two(&w, &t, &o);
	lose_one(&w, &t);
	end(&w, 227, begin(&w, PL_ACT_SEARCH, 226), &(struct pl_act_result){.failed = "no"});
	end_well(&w, 228, begin(&w, PL_ACT_STOP, 227));
	ok(w.phase == PL_WATCH_ENDED && w.unmet, "or stops all and ends");
	near(pl_nodes_per_hour(&w.nodes), 0, "nothing costs any more");
	pl_watch_fini(&w);
}

/* An answer that wants more of what ran out is none. */
static void test_excluded(void)
{
	struct pl_srift_fleet fleet = {.iteration_s = 0.3};
	struct pl_srift_watch w;
	struct told t;

	launch_two(&w, &t, &job);
	lose_one(&w, &t);
	add(&fleet, 2, "p3.8xlarge", 512, 3.68);
	end(&w, 226, begin(&w, PL_ACT_SEARCH, 226), &(struct pl_act_result){.fleet = &fleet});
	ok(w.unmet, "two p3.8xlarge cannot be had");
	has_str(t.why, "no more are available", "says why");
	ok(!fleet.part, "the answer is released");
	pl_watch_fini(&w);

	launch_two(&w, &t, &job);
	lose_one(&w, &t);
	fleet.iteration_s = 0.3;
	add(&fleet, 2, "p3.8xlarge", 512, 12.24);
	fleet.part[0].spot = false;
	end(&w, 226, begin(&w, PL_ACT_SEARCH, 226), &(struct pl_act_result){.fleet = &fleet});
	is_str(t.last.name, "plan", "but two on demand can");
	pl_watch_fini(&w);
}

/* Fewer come than were asked for: the type has run out, others are found. */
static void test_short(void)
{
	struct pl_srift_fleet fleet = {.iteration_s = 0.5}, up = {0};
	struct pl_replan q;
	struct pl_srift_watch w;
	struct told t = {0};

	pl_watch_init(&w, &job, tell, &t);
	pl_watch_begin(&w, 0, &err);
	add(&fleet, 8, "g3.8xlarge", 128, 0.69);
	end(&w, 0, begin(&w, PL_ACT_SEARCH, 0), &(struct pl_act_result){.fleet = &fleet});
	end(&w, 100, begin(&w, PL_ACT_LAUNCH, 0),
	    &(struct pl_act_result){.name = g3, .n_names = 3, .failed = "exit status 1"});
	has_str(t.names, "up up up short", "3 of 8 have come");
	is_str(t.why, "3 of 8 machines have come: exit status 1", "said so");
	ok(begin(&w, PL_ACT_SEARCH, 100), "others are looked for");
	pl_watch_question(&w, 100, &q, &up);
	ok(up.n == 1 && up.part[0].count == 3, "beside the three");
	near(q.left_s, 250, "in what is left: 500 - 100 - 150 s");
	is_str(q.excluded[0].type, "g3.8xlarge", "and no more of those");
	pl_srift_fleet_fini(&up);
	pl_watch_fini(&w);
}

/* A machine is lost while others are launched: found anew, once these are there. */
static void test_lost_in_launch(void)
{
	struct pl_srift_fleet fleet = {.iteration_s = 0.5};
	struct pl_srift_watch w;
	struct told t;
	uint64_t id;

	launch_two(&w, &t, &job);
	lose_one(&w, &t);
	add(&fleet, 1, "p3.8xlarge", 512, 3.68);
	add(&fleet, 8, "g3.8xlarge", 64, 0.69);
	end(&w, 226, begin(&w, PL_ACT_SEARCH, 226), &(struct pl_act_result){.fleet = &fleet});
	id = begin(&w, PL_ACT_LAUNCH, 226);
	say(&w, 250, PL_PROGRESS_LOST, "p3-2", 0);
	is_int(w.phase, PL_WATCH_LAUNCH, "the launch goes on");
	end(&w, 300, id, &(struct pl_act_result){.name = g3, .n_names = 8});
	ok(!next(&w, PL_ACT_START) && !next(&w, PL_ACT_CHECKPOINT),
	   "there is no training to start or save");
	end_well(&w, 300, begin(&w, PL_ACT_STOP, 300));
	ok(next(&w, PL_ACT_SEARCH), "others are looked for");
	is_int((int64_t)w.n_excluded, 1, "p3.8xlarge is out only once");
	pl_watch_fini(&w);
}

/* One is lost while the training starts: it is saved and ended first. */
static void test_lost_in_start(void)
{
	struct pl_srift_fleet fleet = {.iteration_s = 0.38};
	struct pl_srift_watch w;
	struct told t = {0};
	uint64_t id;

	pl_watch_init(&w, &job, tell, &t);
	pl_watch_begin(&w, 0, &err);
	add(&fleet, 2, "p3.8xlarge", 512, 3.68);
	end(&w, 0, begin(&w, PL_ACT_SEARCH, 0), &(struct pl_act_result){.fleet = &fleet});
	end(&w, 100, begin(&w, PL_ACT_LAUNCH, 0),
	    &(struct pl_act_result){.name = p3, .n_names = 2});
	id = begin(&w, PL_ACT_START, 100);
	say(&w, 101, PL_PROGRESS_LOST, "p3-1", 0);
	end(&w, 103, id, &(struct pl_act_result){.failed = "exit status 1"});
	ok(!w.unmet, "that it failed is no wonder");
	ok(next(&w, PL_ACT_CHECKPOINT), "what may run is saved and ended");
	is_str(w.nodes.node[next(&w, PL_ACT_CHECKPOINT)->node].name, "p3-2", "by the survivor");
	pl_watch_fini(&w);
}

/* The one who was to save is lost, too: the last checkpoint counts. */
static void test_unsaved(void)
{
	struct pl_srift_watch w;
	struct told t;
	uint64_t id, stop;

	launch_two(&w, &t, &job);
	say(&w, 200, PL_PROGRESS_CHECKPOINT, NULL, 150);
	say(&w, 222, PL_PROGRESS_ITERATION, NULL, 200);
	say(&w, 222, PL_PROGRESS_LOST, "p3-1", 0);
	id = begin(&w, PL_ACT_CHECKPOINT, 222);
	stop = begin(&w, PL_ACT_STOP, 222);
	say(&w, 223, PL_PROGRESS_LOST, "p3-2", 0);
	end(&w, 224, id, &(struct pl_act_result){.failed = "exit status 255"});
	is_int((int64_t)w.iteration, 150, "150 iterations were saved");
	end_well(&w, 225, stop);
	end_well(&w, 226, begin(&w, PL_ACT_STOP, 223));
	ok(next(&w, PL_ACT_SEARCH), "others are looked for");
	say(&w, 400, PL_PROGRESS_ITERATION, NULL, 140);
	is_int((int64_t)w.iteration, 140, "the job knows better");
	is_str(t.last.name, "back", "and that is told");
	pl_watch_fini(&w);
}

static void test_stop_fails(void)
{
	struct pl_srift_watch w;
	struct told t;
	uint64_t id, first;

	launch_two(&w, &t, &job);
	say(&w, 300, PL_PROGRESS_DONE, NULL, 0);
	is_str(t.last.name, "done", "done, whatever was counted");
	first = begin(&w, PL_ACT_STOP, 300);
	end(&w, 301, first, &(struct pl_act_result){.failed = "no"});
	end_well(&w, 302, begin(&w, PL_ACT_STOP, 301));
	for (int i = 0; i < 2; i++) {
		id = begin(&w, PL_ACT_STOP, 303);
		is_int((int64_t)id, (int64_t)first, "tried again, as the same");
		end(&w, 304, id, &(struct pl_act_result){.failed = "no"});
	}
	is_int(w.phase, PL_WATCH_ENDED, "three times");
	is_int((int64_t)w.n_unstopped, 1, "and it is known");
	ok(pl_nodes_per_hour(&w.nodes) > 3, "that it still costs");
	pl_watch_fini(&w);
}

/* Late and dear are told once each. */
static void test_limits(void)
{
	struct pl_watch_job o = job;
	struct pl_srift_watch w;
	struct told t;

	o.budget = 0.5;
	launch_two(&w, &t, &o);
	say(&w, 160, PL_PROGRESS_ITERATION, NULL, 50);
	ok(!strstr(t.names, "late"), ".44 s an iteration is soon enough");
	say(&w, 260, PL_PROGRESS_ITERATION, NULL, 100);
	ok(strstr(t.names, "late"), "1.22 s an iteration: too late, and told");
	*t.names = '\0';
	say(&w, 270, PL_PROGRESS_ITERATION, NULL, 102);
	ok(!strstr(t.names, "late") && !strstr(t.names, "dear"), "once");
	pl_watch_fini(&w);
}

static void say_gain(struct pl_srift_watch *w, double at_s, double percent)
{
	const struct pl_said p = {.kind = PL_PROGRESS_GAIN, .percent = percent};

	pl_watch_progress(w, at_s, &p, &err);
}

/* A restart in another order must save more than it costs. */
static void test_reorder(void)
{
	struct pl_srift_watch w;
	struct told t;

	launch_two(&w, &t, &job);
	*t.names = '\0';
	say_gain(&w, w.run_s + 1, 30);
	ok(!strstr(t.names, "reorder"), "30 %% of what is left are less than a launch takes");
	say(&w, w.run_s + 20, PL_PROGRESS_ITERATION, NULL, 10);
	say_gain(&w, w.run_s + 20, 30);
	ok(strstr(t.names, "reorder"), "30 %% are more");
	pl_watch_fini(&w);
}

/* The bill is believed more than what was reckoned. */
static void test_bill(void)
{
	struct pl_said p = {.kind = PL_PROGRESS_DOLLARS, .dollars = 2};
	struct pl_srift_watch w;
	struct told t;

	launch_two(&w, &t, &job);
	pl_watch_progress(&w, 200, &p, &err);
	near(pl_watch_dollars(&w, 200), 2, "so much is spent at 200 s");
	near(pl_watch_dollars(&w, 3800), 2 + 7.36, "an hour later");
	pl_watch_fini(&w);
}

/* Saved and restored at every step, figure 8 ends as it does. */
static void reload(struct pl_srift_watch *w, struct told *t, double at_s)
{
	json_t *state = pl_watch_save(w);
	char *s = json_dumps(state, JSON_REAL_PRECISION(17)), *again;
	struct pl_srift_watch got;
	struct pl_text text;
	struct pl_json doc;
	struct pl_json_at root;

	json_decref(state);
	pl_text_copy(&text, "state", s, strlen(s), &err);
	pl_json_parse(&doc, &text, &err);
	root = pl_json_root(&doc);
	pl_watch_init(&got, &w->job, tell, t);
	if (!ok(!pl_watch_restore(&got, &root, &err), "restored"))
		printf("# %s\n", err.text);
	pl_json_fini(&doc);
	pl_text_fini(&text);
	state = pl_watch_save(&got);
	again = json_dumps(state, JSON_REAL_PRECISION(17));
	is_str(again, s, "and nothing is lost");
	free(again);
	free(s);
	json_decref(state);
	pl_watch_fini(w);
	*w = got;
	pl_watch_begin(w, at_s, &err);
}

static void test_restart(void)
{
	struct pl_srift_watch w;
	struct told t;
	uint64_t id;

	launch_two(&w, &t, &job);
	reload(&w, &t, 150);
	is_int(w.phase, PL_WATCH_RUN, "it goes on running");
	say(&w, 222, PL_PROGRESS_ITERATION, NULL, 200);
	say(&w, 222, PL_PROGRESS_LOST, "p3-1", 0);
	id = begin(&w, PL_ACT_STOP, 222);
	reload(&w, &t, 223);
	ok(next(&w, PL_ACT_STOP) && next(&w, PL_ACT_STOP)->id == id,
	   "a stop under way is done again, as the same");
	end(&w, 224, begin(&w, PL_ACT_CHECKPOINT, 223),
	    &(struct pl_act_result){.saved_told = true, .saved = 200});
	end_well(&w, 226, begin(&w, PL_ACT_STOP, 223));
	reload(&w, &t, 226);
	replace(&w, &t);
	near(pl_watch_dollars(&w, 321), (222 * 3.68 + 321 * 3.68 + 8 * 95 * 0.69) / 3600,
	     "and has lost no cent");
	pl_watch_fini(&w);
}

int main(void)
{
	test_budget();
	test_figure8();
	test_no_stop_hook();
	test_silence();
	test_none();
	test_excluded();
	test_short();
	test_lost_in_launch();
	test_lost_in_start();
	test_unsaved();
	test_stop_fails();
	test_limits();
	test_reorder();
	test_bill();
	test_restart();
	return done_testing();
}
