/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c - what happens to a job's machines: progress, silence, losses */
#include "config.h"

#include "planner/srift/watch/parts.h"

#include <math.h>
#include <stdio.h>

#define RATE_ITERATIONS 10 /* before the measured time is believed */

int pl_watch_interrupt(struct pl_srift_watch *w, double now_s)
{
	const size_t first = pl_nodes_first(&w->nodes);
	const bool save = w->trained && w->job.can_checkpoint;

	w->phase = PL_WATCH_SETTLE;
	w->interrupted_s = now_s;
	w->trained = false;
	if (save && first < w->nodes.n)
		return pl_watch_add(w, &(struct pl_act){.kind = PL_ACT_CHECKPOINT, .node = first});
	if (w->saved_known)
		w->iteration = w->saved;
	return 0;
}

/* Notes that a machine is lost. */
static int lose(struct pl_srift_watch *w, double now_s, size_t i, const char *why)
{
	struct pl_node *node = &w->nodes.node[i];
	struct pl_watch_event e = PL_EVENT("lost", now_s);
	struct pl_replan_clock clock;

	node->state = PL_NODE_LOST;
	node->ended_s = now_s;
	if ((node->spot && !w->job.spot_returns &&
	     pl_watch_exclude(w, &(struct pl_depleted){.type = node->type,
						       .spot = true,
						       .lost = true,
						       .at_s = now_s})) ||
	    (w->job.can_stop && pl_watch_add(w, &(struct pl_act){.kind = PL_ACT_STOP, .node = i})))
		return -1;
	w->interrupted_s = now_s;
	w->replan = true;
	clock = pl_watch_clock(w, now_s);
	e.host = node->name;
	e.type = node->type;
	e.why = why;
	if (isfinite(w->job.time_limit_s))
		e.left_s = pl_replan_left_s(&clock, true);
	if (w->phase == PL_WATCH_RUN && pl_watch_interrupt(w, now_s))
		return -1;
	w->tell(w->ctx, w, &e);
	return 0;
}

/* Seconds of an iteration: as measured, or else as predicted. */
static double iteration_s(const struct pl_srift_watch *w, double now_s)
{
	if (w->iteration < w->run_iteration + RATE_ITERATIONS || now_s <= w->run_s)
		return w->fleet.iteration_s;
	return (now_s - w->run_s) / (double)(w->iteration - w->run_iteration);
}

void pl_watch_judge(struct pl_srift_watch *w, double now_s)
{
	const double rest_s = (double)pl_watch_remaining(w) * iteration_s(w, now_s);
	const double dollars =
		pl_watch_dollars(w, now_s) + pl_nodes_per_hour(&w->nodes) * rest_s / 3600;
	struct pl_watch_event e = PL_EVENT("late", now_s);

	e.finish_s = now_s + rest_s;
	if (e.finish_s > w->job.time_limit_s && !w->late_told) {
		w->late_told = true;
		w->tell(w->ctx, w, &e);
	}
	e.name = "dear";
	if (dollars > w->job.budget && !w->dear_told) {
		w->dear_told = true;
		w->tell(w->ctx, w, &e);
	}
}

/*
 * In another order an iteration would take so much less time. A restart costs what the present
 * training took until its first iteration (or a launch, as long as that is not known), and the
 * iterations that are not saved.
 */
static void take_gain(struct pl_srift_watch *w, double now_s, double percent)
{
	const double iteration = iteration_s(w, now_s);
	const double restart = w->restart_s > 0 ? w->restart_s : w->job.times.launch_s;
	const double unsaved = w->saved_known && w->saved < w->iteration
				       ? (double)(w->iteration - w->saved) * iteration
				       : 0;
	struct pl_watch_event e = PL_EVENT("reorder", now_s);
	bool pays;

	e.saves_s = (double)pl_watch_remaining(w) * iteration * percent / 100 - restart - unsaved;
	pays = w->phase == PL_WATCH_RUN && e.saves_s > 0;
	if (pays && !w->reorder_told)
		w->tell(w->ctx, w, &e);
	w->reorder_told = pays;
}

static void take_iteration(struct pl_srift_watch *w, double now_s, uint64_t n)
{
	struct pl_watch_event e = PL_EVENT("progress", now_s);

	if (n < w->iteration) {
		e.name = "back";
		w->run_s = now_s;
		w->run_iteration = n;
		w->window_s = 0;
	}
	if (w->phase == PL_WATCH_RUN && n > w->run_iteration && w->iteration == w->run_iteration)
		w->restart_s = now_s - w->run_s;
	w->iteration = n;
	if (w->phase == PL_WATCH_RUN) {
		pl_watch_judge(w, now_s);
		pl_watch_judge_speed(w, now_s);
		e.finish_s = now_s + (double)pl_watch_remaining(w) * iteration_s(w, now_s);
	}
	if (n != w->run_iteration && n < w->job.iterations &&
	    now_s < w->progress_s + w->job.progress_s)
		return;
	w->progress_s = now_s;
	w->tell(w->ctx, w, &e);
}

static int take_host(struct pl_srift_watch *w, double now_s, const struct pl_said *p)
{
	struct pl_node *node = pl_nodes_find(&w->nodes, p->host);
	struct pl_watch_event e = PL_EVENT("unknown", now_s);

	if (node && p->kind == PL_PROGRESS_HEARTBEAT) {
		node->beat_s = now_s;
		return 0;
	}
	if (p->kind == PL_PROGRESS_PACE) {
		if (node)
			node->pace_s = p->seconds;
		return 0;
	}
	if (node && node->state == PL_NODE_UP)
		return lose(w, now_s, (size_t)(node - w->nodes.node), "the job says so");
	if (node || p->kind == PL_PROGRESS_HEARTBEAT)
		return 0;
	e.host = p->host;
	e.why = "it is none of the job's machines";
	w->tell(w->ctx, w, &e);
	return 0;
}

/* The stages of a launch are for those who read the journal. */
static void take_stage(struct pl_srift_watch *w, double now_s, const struct pl_said *p)
{
	struct pl_watch_event e = PL_EVENT("provisioned", now_s);

	if (p->kind == PL_PROGRESS_STAGE)
		e.name = "staged";
	e.host = p->host;
	if (!pl_nodes_find(&w->nodes, p->host)) /* else it is up */
		w->tell(w->ctx, w, &e);
}

static int take(struct pl_srift_watch *w, double now_s, const struct pl_said *p)
{
	switch (p->kind) {
	case PL_PROGRESS_NOTHING:
		return 0;
	case PL_PROGRESS_ITERATION:
		take_iteration(w, now_s, p->iterations);
		return 0;
	case PL_PROGRESS_CHECKPOINT:
		w->saved = p->iterations;
		w->saved_known = true;
		w->window_s = 0; /* the iterations may have waited for it */
		return 0;
	case PL_PROGRESS_DOLLARS:
		w->bill = p->dollars - pl_nodes_dollars(&w->nodes, now_s);
		return 0;
	case PL_PROGRESS_GAIN:
		take_gain(w, now_s, p->percent);
		return 0;
	case PL_PROGRESS_HEARTBEAT:
	case PL_PROGRESS_LOST:
	case PL_PROGRESS_PACE:
		return take_host(w, now_s, p);
	case PL_PROGRESS_PROVISION:
	case PL_PROGRESS_STAGE:
		take_stage(w, now_s, p);
		return 0;
	case PL_PROGRESS_DONE:
		w->finished = true;
		return 0;
	}
	return 0;
}

int pl_watch_progress(struct pl_srift_watch *w, double now_s, const struct pl_said *p,
		      struct pl_err *err)
{
	if (w->phase >= PL_WATCH_FINISH)
		return 0;
	if (take(w, now_s, p) || pl_watch_step(w, now_s))
		return pl_err_nomem(err);
	return 0;
}

/* If nothing was read for long, this process was asleep, and no machine was silent. */
static bool has_slept(const struct pl_srift_watch *w, double now_s)
{
	return now_s - w->tick_s > w->job.silence_s / 2;
}

static int look_for_silence(struct pl_srift_watch *w, double now_s)
{
	char why[64];

	for (size_t i = 0; i < w->nodes.n; i++) {
		struct pl_node *node = &w->nodes.node[i];
		const double silent_s = now_s - node->beat_s;

		if (node->state != PL_NODE_UP)
			continue;
		if (has_slept(w, now_s))
			node->beat_s = now_s;
		else if (silent_s >= w->job.silence_s) {
			snprintf(why, sizeof(why), "silent for %.3g s", silent_s);
			if (lose(w, now_s, i, why))
				return -1;
		}
	}
	return 0;
}

int pl_watch_tick(struct pl_srift_watch *w, double now_s, struct pl_err *err)
{
	int rc = 0;

	if (w->phase == PL_WATCH_RUN && w->job.silence_s > 0)
		rc = look_for_silence(w, now_s);
	w->tick_s = now_s;
	if (rc == 0)
		rc = pl_watch_step(w, now_s);
	return rc ? pl_err_nomem(err) : 0;
}
