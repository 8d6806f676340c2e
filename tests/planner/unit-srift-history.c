/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-history.c - what journals tell of launches, losses and saves */
#include "config.h"

#include "planner/srift/watch/history.h"
#include "planner/srift/watch/journal.h"
#include "planner/srift/watch/watch.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static struct pl_err err;
static char path[] = "/tmp/unit-srift-history-XXXXXX";

static const struct pl_watch_job job = {
	.iterations = 1000,
	.time_limit_s = INFINITY,
	.budget = INFINITY,
	.times = PL_REPLAN_TIMES,
	.can_checkpoint = true,
	.can_stop = true,
};

static void tell(void *journal, const struct pl_srift_watch *w, const struct pl_watch_event *e)
{
	const struct pl_journal_end end = {.began_s = 1e9, .time_scale = 1};

	if (pl_journal_write(journal, w, e, &end, &err))
		abort();
}

static void end_act(struct pl_srift_watch *w, double at_s, enum pl_act_kind kind,
		    const struct pl_act_result *r)
{
	size_t i = 0;

	while (i < w->n_acts && w->act[i].kind != kind)
		i++;
	ok(i < w->n_acts && !pl_watch_act_ended(w, at_s, w->act[i].id, r, &err),
	   "act %d ended at %g s", (int)kind, at_s);
}

static void find(struct pl_srift_watch *w, double at_s, size_t n_spot, size_t n_on_demand)
{
	struct pl_srift_fleet fleet = {.iteration_s = 1};
	struct pl_fleet_part part = {(char *)(uintptr_t) "p3", true, n_spot, 64, 1};

	pl_fleet_add(&fleet, &part);
	part.spot = false;
	part.count = n_on_demand;
	if (n_on_demand)
		pl_fleet_add(&fleet, &part);
	end_act(w, at_s, PL_ACT_SEARCH, &(struct pl_act_result){.fleet = &fleet});
}

static void reach(struct pl_srift_watch *w, double at_s, enum pl_progress_kind stage,
		  const char *host)
{
	struct pl_said said = {.kind = stage};

	snprintf(said.host, sizeof(said.host), "%s", host);
	pl_watch_progress(w, at_s, &said, &err);
}

/* Two machines, there after 90 s. One is lost at 400 s; another replaces it, which comes 60 s after
 * its launch at 410 s. */
static void watch_job(struct pl_journal *j)
{
	static char *two[] = {"a", "b"}, *one[] = {"c"};
	const struct pl_act_result done = {0};
	struct pl_said lost = {.kind = PL_PROGRESS_LOST, .host = "a"};
	struct pl_srift_watch w;

	pl_watch_init(&w, &job, tell, j);
	pl_watch_begin(&w, 0, &err);
	find(&w, 10, 2, 0);
	reach(&w, 11, PL_PROGRESS_PROVISION, "a");
	reach(&w, 12, PL_PROGRESS_PROVISION, "b");
	reach(&w, 20, PL_PROGRESS_PROVISION, "a");
	reach(&w, 30, PL_PROGRESS_PROVISION, "c");
	reach(&w, 41, PL_PROGRESS_STAGE, "a");
	end_act(&w, 100, PL_ACT_LAUNCH, &(struct pl_act_result){.name = two, .n_names = 2});
	end_act(&w, 100, PL_ACT_START, &done);
	pl_watch_progress(&w, 400, &lost, &err);
	end_act(&w, 407, PL_ACT_CHECKPOINT, &done);
	end_act(&w, 408, PL_ACT_STOP, &done);
	find(&w, 410, 1, 1);
	reach(&w, 420, PL_PROGRESS_PROVISION, "c");
	reach(&w, 440, PL_PROGRESS_STAGE, "c");
	end_act(&w, 470, PL_ACT_LAUNCH, &(struct pl_act_result){.name = one, .n_names = 1});
	reach(&w, 471, PL_PROGRESS_STAGE, "c");
	end_act(&w, 510, PL_ACT_START, &done);
	pl_watch_fini(&w);
}

static void test_one(const struct pl_history *h)
{
	const struct pl_history_kind *spot = &h->kind[0], *other = &h->kind[1];

	ok(h->launch.n == 2 && pl_history_mean_s(&h->launch) == 75,
	   "launches of 90 and 60 s, however many machines: 75 s");
	ok(h->save.n == 1 && pl_history_mean_s(&h->save) == 7, "saved 7 s after the loss");
	ok(h->n == 2 && spot->spot && !other->spot && !strcmp(spot->type, "p3"),
	   "spot and on demand apart");
	ok(pl_history_mean_s(&spot->launch) == 90 && pl_history_mean_s(&other->launch) == 60,
	   "so are their launches");
	ok(spot->n_machines == 2 && spot->n_lost == 1 && other->n_lost == 0,
	   "one of two spot machines was lost");
	ok(spot->held_s == 390 + 500 && other->held_s == 100,
	   "after 890 s of both; 100 s on demand");
	ok(spot->life[0].lost && spot->life[0].held_s == 390 && !spot->life[1].lost, "each life");
	/* 10 s after 01:46:40 */
	ok(fabs(spot->life[0].start_h - 6410 / 3600.) < 1e-6, "and the hour of its start, UTC");
}

static bool has_stages(const struct pl_history_kind *kind, double provisioned_s, double staged_s,
		       double up_s)
{
	const double s[PL_START_STAGES] = {provisioned_s, staged_s, up_s};

	for (int i = 0; i < PL_START_STAGES; i++)
		if (kind->stage[i].n != 1 || kind->stage[i].sum_s != s[i])
			return false;
	return true;
}

static void test_stages(const struct pl_history *h)
{
	ok(has_stages(&h->kind[0], 1, 30, 59),
	   "stages: what was told first, of the machine that told both");
	ok(has_stages(&h->kind[1], 10, 20, 30), "what was told before a launch is not of it");
}

static void test_times(const struct pl_history *h)
{
	const struct pl_history none = {0};
	struct pl_replan_times times = PL_REPLAN_TIMES;

	ok(isnan(pl_history_mean_s(&none.launch)), "nothing seen: no mean");
	pl_history_take_times(&none, &times);
	ok(times.launch_s == PL_REPLAN_LAUNCH_S && times.n_launches == 0 &&
		   times.launch_from == PL_TIME_ASSUMED,
	   "and the default, which is assumed");
	pl_history_take_times(h, &times);
	ok(times.launch_s == 75 && times.n_launches == 2 && times.launch_from == PL_TIME_MEASURED,
	   "else what was measured");
}

/* @more is written at its end. */
static int read_with(struct pl_history *h, const char *more)
{
	FILE *f = fopen(path, "a");

	fputs(more, f);
	fclose(f);
	return pl_history_read(h, path, &err);
}

int main(void)
{
	struct pl_journal j = {.fd = -1};
	struct pl_history h = {0};

	close(mkstemp(path));
	ok(!read_with(&h, "") && h.n == 0, "an empty journal tells nothing");
	ok(!pl_journal_open(&j, path, &err), "a journal");
	watch_job(&j);
	pl_journal_close(&j);
	ok(!read_with(&h, ""), "is read");
	test_one(&h);
	test_stages(&h);
	test_times(&h);
	ok(!read_with(&h, "{\"eve") && h.launch.n == 4 && h.kind[0].n_lost == 2 && h.save.n == 2,
	   "another adds to it; a line that is cut off does not count");
	ok(read_with(&h, "\n") && err.code == PL_EINPUT && err.line > 1,
	   "a line that is none is refused");
	pl_history_fini(&h);
	unlink(path);
	return done_testing();
}
