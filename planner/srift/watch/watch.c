/* SPDX-License-Identifier: BSD-3-Clause */
/* watch.c - decides what to do about a job's machines: phases */
#include "config.h"

#include "planner/srift/watch/watch.h"

#include "base/mem.h"
#include "planner/srift/watch/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pl_watch_init(struct pl_srift_watch *w, const struct pl_watch_job *job, pl_watch_teller tell,
		   void *ctx)
{
	*w = (struct pl_srift_watch){
		.job = *job,
		.tell = tell,
		.ctx = ctx,
		.next_id = 1,
		.interrupted_s = NAN,
		.progress_s = -INFINITY,
	};
}

void pl_watch_fini(struct pl_srift_watch *w)
{
	pl_nodes_fini(&w->nodes);
	pl_srift_fleet_fini(&w->fleet);
	for (size_t i = 0; i < w->n_excluded; i++)
		free(w->excluded[i].type);
	free(w->excluded);
	free(w->act);
	*w = (struct pl_srift_watch){0};
}

double pl_watch_dollars(const struct pl_srift_watch *w, double now_s)
{
	return fmax(0, pl_nodes_dollars(&w->nodes, now_s) + w->bill);
}

uint64_t pl_watch_remaining(const struct pl_srift_watch *w)
{
	return w->iteration < w->job.iterations ? w->job.iterations - w->iteration : 0;
}

int pl_watch_add(struct pl_srift_watch *w, const struct pl_act *act)
{
	if (pl_array_grow((void **)&w->act, &w->acts_room, w->n_acts, sizeof(*w->act)))
		return -1;
	w->act[w->n_acts] = *act;
	w->act[w->n_acts++].id = w->next_id++;
	return 0;
}

static bool under_way(const struct pl_srift_watch *w, enum pl_act_kind kind)
{
	for (size_t i = 0; i < w->n_acts; i++)
		if (w->act[i].kind == kind)
			return true;
	return false;
}

bool pl_watch_excludes(const struct pl_srift_watch *w, const char *type, bool spot)
{
	for (size_t i = 0; i < w->n_excluded; i++)
		if (w->excluded[i].spot == spot && strcmp(w->excluded[i].type, type) == 0)
			return true;
	return false;
}

int pl_watch_exclude(struct pl_srift_watch *w, const struct pl_depleted *d)
{
	struct pl_depleted copy = *d;

	if (pl_watch_excludes(w, d->type, d->spot))
		return 0;
	if (pl_array_grow((void **)&w->excluded, &w->excluded_room, w->n_excluded,
			  sizeof(*w->excluded)))
		return -1;
	copy.type = pl_string_copy(d->type, strlen(d->type));
	if (!copy.type)
		return -1;
	w->excluded[w->n_excluded++] = copy;
	return 0;
}

/* Have the stops of lost machines, which release what these held, ended? If there is no hook for
 * stops, the time that they take must pass. */
static bool is_detached(const struct pl_srift_watch *w)
{
	for (size_t i = 0; i < w->n_acts; i++)
		if (w->act[i].kind == PL_ACT_STOP &&
		    w->nodes.node[w->act[i].node].state == PL_NODE_LOST)
			return false;
	return w->job.can_stop;
}

struct pl_replan_clock pl_watch_clock(const struct pl_srift_watch *w, double now_s)
{
	return (struct pl_replan_clock){
		.limit_s = w->job.time_limit_s,
		.now_s = now_s,
		.interrupted_s = w->interrupted_s,
		.detached = is_detached(w),
		.times = w->job.times,
	};
}

static double detached_s(const struct pl_srift_watch *w)
{
	if (isnan(w->interrupted_s) || w->job.can_stop)
		return -INFINITY;
	return w->interrupted_s + w->job.times.detach_s;
}

/* The time or the budget is spent, and the job is to end with it. */
static bool is_spent(const struct pl_srift_watch *w, double now_s)
{
	return w->job.stop_spent &&
	       (now_s >= w->job.time_limit_s || pl_watch_dollars(w, now_s) >= w->job.budget);
}

/* All acts have ended, and what lost machines held is available. */
static int settle(struct pl_srift_watch *w, double now_s)
{
	if (w->n_acts || now_s < detached_s(w))
		return 0;
	if (w->finished || pl_watch_remaining(w) == 0)
		return pl_watch_finish(w, now_s);
	w->unmet = is_spent(w, now_s);
	if (w->unmet)
		return pl_watch_finish(w, now_s);
	w->phase = PL_WATCH_SEARCH;
	w->replan = false;
	return pl_watch_add(w, &(struct pl_act){.kind = PL_ACT_SEARCH});
}

static int launched(struct pl_srift_watch *w)
{
	if (under_way(w, PL_ACT_LAUNCH))
		return 0;
	if (w->replan) {
		w->phase = PL_WATCH_SETTLE;
		return 0;
	}
	w->phase = PL_WATCH_START;
	return pl_watch_add(w, &(struct pl_act){.kind = PL_ACT_START});
}

static int running(struct pl_srift_watch *w, double now_s)
{
	if (w->finished || pl_watch_remaining(w) == 0)
		return pl_watch_finish(w, now_s);
	w->unmet = is_spent(w, now_s);
	return w->unmet ? pl_watch_finish(w, now_s) : 0;
}

static void stopped(struct pl_srift_watch *w, double now_s)
{
	struct pl_watch_event e = PL_EVENT("end", now_s);

	if (w->n_acts)
		return;
	w->phase = PL_WATCH_ENDED;
	e.count = pl_nodes_up(&w->nodes, NULL, false);
	w->tell(w->ctx, w, &e);
}

int pl_watch_step(struct pl_srift_watch *w, double now_s)
{
	enum pl_watch_phase before;
	int rc = 0;

	do {
		before = w->phase;
		switch (w->phase) {
		case PL_WATCH_SETTLE:
			rc = settle(w, now_s);
			break;
		case PL_WATCH_LAUNCH:
			rc = launched(w);
			break;
		case PL_WATCH_RUN:
			rc = running(w, now_s);
			break;
		case PL_WATCH_FINISH:
			stopped(w, now_s);
			break;
		case PL_WATCH_SEARCH:
		case PL_WATCH_START:
		case PL_WATCH_ENDED:
			break;
		}
	} while (rc == 0 && w->phase != before);
	return rc;
}

int pl_watch_finish(struct pl_srift_watch *w, double now_s)
{
	struct pl_watch_event e = PL_EVENT(w->unmet ? "stopping" : "done", now_s);
	int rc = 0;

	w->phase = PL_WATCH_FINISH;
	w->trained = false;
	for (size_t i = 0; i < w->nodes.n && w->job.can_stop && rc == 0; i++) {
		if (w->nodes.node[i].state != PL_NODE_UP)
			continue;
		w->nodes.node[i].state = PL_NODE_STOPPING;
		rc = pl_watch_add(w, &(struct pl_act){.kind = PL_ACT_STOP, .node = i});
	}
	/* after what is to be done, in case the journal ends before it */
	if (rc == 0)
		w->tell(w->ctx, w, &e);
	return rc;
}

int pl_watch_give_up(struct pl_srift_watch *w, double now_s, const char *event, const char *why)
{
	struct pl_watch_event e = PL_EVENT(event, now_s);

	w->unmet = true;
	w->phase = PL_WATCH_ENDED;
	e.why = why;
	e.count = pl_nodes_up(&w->nodes, NULL, false);
	if (w->job.stop_unmet && w->job.can_stop && e.count) {
		w->tell(w->ctx, w, &e);
		return pl_watch_finish(w, now_s);
	}
	w->tell(w->ctx, w, &e);
	return 0;
}

int pl_watch_begin(struct pl_srift_watch *w, double now_s, struct pl_err *err)
{
	struct pl_watch_event e = PL_EVENT(w->next_id > 1 ? "continue" : "begin", now_s);
	int rc;

	for (size_t i = 0; i < w->n_acts; i++)
		w->act[i].begun = false;
	for (size_t i = 0; i < w->nodes.n; i++)
		w->nodes.node[i].beat_s = now_s;
	w->tick_s = now_s;
	/* a job that ended for want of machines may go on: limits may have changed */
	if (w->phase == PL_WATCH_ENDED && w->unmet) {
		w->unmet = false;
		w->phase = PL_WATCH_SETTLE;
	}
	w->tell(w->ctx, w, &e);
	rc = pl_watch_step(w, now_s);
	return rc ? pl_err_nomem(err) : 0;
}
