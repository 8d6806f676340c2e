/* SPDX-License-Identifier: BSD-3-Clause */
/* acts.c - the results of searches, launches, starts, checkpoints and stops */
#include "config.h"

#include "base/mem.h"
#include "planner/srift/watch/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STOP_TRIES 3

/* The part of @fleet that the machine belongs to; NULL: none. */
static struct pl_fleet_part *part_of(struct pl_srift_fleet *fleet, const struct pl_node *node)
{
	for (size_t i = 0; i < fleet->n; i++)
		if (fleet->part[i].spot == node->spot &&
		    strcmp(fleet->part[i].type, node->type) == 0)
			return &fleet->part[i];
	return NULL;
}

int pl_watch_question(const struct pl_srift_watch *w, double now_s, struct pl_replan *q,
		      struct pl_srift_fleet *up)
{
	const struct pl_replan_clock clock = pl_watch_clock(w, now_s);

	for (size_t i = 0; i < w->nodes.n; i++) {
		const struct pl_node *node = &w->nodes.node[i];
		struct pl_fleet_part *part = part_of(up, node);
		const struct pl_fleet_part one = {
			.type = node->type,
			.spot = node->spot,
			.count = 1,
			.batch = node->batch,
			.price_per_hour = node->price_per_hour,
		};

		if (node->state != PL_NODE_UP)
			continue;
		if (part)
			part->count++;
		else if (pl_fleet_add(up, &one))
			return -1;
	}
	*q = (struct pl_replan){
		.iterations = pl_watch_remaining(w),
		.left_s = pl_replan_left_s(&clock, true),
		.left_as_is_s = pl_replan_left_s(&clock, false),
		.launch_s = w->job.times.launch_s,
		.dollars = w->job.budget - pl_watch_dollars(w, now_s),
		.solve_s = w->job.times.solve_s,
		.up = up,
		.excluded = w->excluded,
		.n_excluded = w->n_excluded,
	};
	return 0;
}

/* Does it ask for machines of a type and kind that ran out? */
static bool asks_too_much(const struct pl_srift_watch *w, const struct pl_srift_fleet *fleet,
			  char why[128])
{
	for (size_t i = 0; i < fleet->n; i++) {
		const struct pl_fleet_part *part = &fleet->part[i];

		if (pl_watch_excludes(w, part->type, part->spot) &&
		    part->count > pl_nodes_up(&w->nodes, part->type, part->spot)) {
			snprintf(why, 128,
				 "the search asks for %zu of %.40s %s, but no more are available",
				 part->count, part->type, part->spot ? "spot" : "on demand");
			return true;
		}
	}
	return false;
}

static int keep_or_stop(struct pl_srift_watch *w, struct pl_fleet_part *part, size_t *kept,
			size_t i)
{
	struct pl_node *node = &w->nodes.node[i];

	if (part && *kept < part->count) {
		node->batch = part->batch;
		++*kept;
		return 0;
	}
	if (!w->job.can_stop)
		return 0;
	node->state = PL_NODE_STOPPING;
	return pl_watch_add(w, &(struct pl_act){.kind = PL_ACT_STOP, .node = i});
}

static int launch_part(struct pl_srift_watch *w, double now_s, size_t p, size_t missing)
{
	return pl_watch_add(
		w, &(struct pl_act){
			   .kind = PL_ACT_LAUNCH, .begun_s = now_s, .part = p, .count = missing});
}

static void tell_plan(struct pl_srift_watch *w, double now_s, bool launching)
{
	const struct pl_replan_clock clock = pl_watch_clock(w, now_s);
	struct pl_watch_event e = PL_EVENT("plan", now_s);

	if (isfinite(w->job.time_limit_s))
		e.left_s = pl_replan_left_s(&clock, launching);
	e.finish_s = pl_replan_ready_s(&clock) + (launching ? w->job.times.launch_s : 0) +
		     (double)pl_watch_remaining(w) * w->fleet.iteration_s;
	if (w->fleet.mean_s > 0) {
		const double rest_s = (double)pl_watch_remaining(w) * w->fleet.iteration_s;

		e.mean_s = e.finish_s - rest_s + w->fleet.mean_s;
		e.likely_s = e.finish_s - rest_s + w->fleet.likely_s;
	}
	e.count = pl_fleet_machines(&w->fleet);
	w->tell(w->ctx, w, &e);
}

/* Adopts a fleet: keeps, stops and launches machines. */
static int adopt(struct pl_srift_watch *w, double now_s, struct pl_srift_fleet *fleet)
{
	size_t *kept = pl_array_create(fleet->n + 1, sizeof(*kept));
	bool launching = false;
	int rc = kept ? 0 : -1;

	pl_srift_fleet_fini(&w->fleet);
	w->fleet = *fleet;
	*fleet = (struct pl_srift_fleet){0};
	for (size_t i = 0; rc == 0 && i < w->nodes.n; i++) {
		struct pl_fleet_part *part = part_of(&w->fleet, &w->nodes.node[i]);
		const size_t p = part ? (size_t)(part - w->fleet.part) : w->fleet.n;

		if (w->nodes.node[i].state == PL_NODE_UP)
			rc = keep_or_stop(w, part, &kept[p], i);
	}
	for (size_t p = 0; rc == 0 && p < w->fleet.n; p++)
		if (kept[p] < w->fleet.part[p].count) {
			launching = true;
			rc = launch_part(w, now_s, p, w->fleet.part[p].count - kept[p]);
		}
	free(kept);
	w->phase = PL_WATCH_LAUNCH;
	if (rc == 0)
		tell_plan(w, now_s, launching);
	return rc;
}

static int search_ended(struct pl_srift_watch *w, double now_s, const struct pl_act_result *r)
{
	char why[128];

	if (w->replan) { /* it was asked about machines that are gone */
		if (r->fleet)
			pl_srift_fleet_fini(r->fleet);
		w->phase = PL_WATCH_SETTLE;
		return 0;
	}
	if (r->failed)
		return pl_watch_give_up(w, now_s, "none", r->failed);
	if (asks_too_much(w, r->fleet, why)) {
		pl_srift_fleet_fini(r->fleet);
		return pl_watch_give_up(w, now_s, "none", why);
	}
	return adopt(w, now_s, r->fleet);
}

static int add_machine(struct pl_srift_watch *w, double now_s, const struct pl_act *act,
		       const char *name)
{
	const struct pl_fleet_part *part = &w->fleet.part[act->part];
	const struct pl_node node = {
		.name = (char *)(uintptr_t)name,
		.type = part->type,
		.spot = part->spot,
		.batch = part->batch,
		.price_per_hour = part->price_per_hour,
		.launched_s = act->begun_s,
		.ended_s = NAN,
		.beat_s = now_s,
	};

	return pl_nodes_add(&w->nodes, &node) < 0 ? -1 : 0;
}

static void tell_up(struct pl_srift_watch *w, double now_s, size_t first)
{
	struct pl_watch_event e = PL_EVENT("up", now_s);

	for (size_t i = first; i < w->nodes.n; i++) {
		e.host = w->nodes.node[i].name;
		e.type = w->nodes.node[i].type;
		w->tell(w->ctx, w, &e);
	}
}

/* Adds all machines before reporting any: if the journal ends with the first report, none is
 * forgotten. */
static int launch_ended(struct pl_srift_watch *w, double now_s, const struct pl_act *act,
			const struct pl_act_result *r)
{
	struct pl_watch_event e = PL_EVENT("short", now_s);
	const struct pl_fleet_part *part = &w->fleet.part[act->part];
	const size_t first = w->nodes.n;
	char why[128];
	size_t n;
	bool all;

	for (size_t i = 0; i < r->n_names; i++) {
		if (pl_nodes_find(&w->nodes, r->name[i]))
			continue; /* one machine under one name */
		if (add_machine(w, now_s, act, r->name[i]))
			return -1;
	}
	n = w->nodes.n - first;
	all = n == act->count && !r->failed;
	e.type = part->type;
	if (!all) {
		w->replan = true;
		if (n < act->count && pl_watch_exclude(w, &(struct pl_depleted){.type = part->type,
										.spot = part->spot,
										.at_s = now_s}))
			return -1;
	}
	tell_up(w, now_s, first);
	if (all)
		return 0;
	snprintf(why, sizeof(why), "%zu of %zu machines have come%s%.60s", n, act->count,
		 r->failed ? ": " : "", r->failed ? r->failed : "");
	e.why = why;
	w->tell(w->ctx, w, &e);
	return 0;
}

static int start_ended(struct pl_srift_watch *w, double now_s, const struct pl_act_result *r)
{
	struct pl_watch_event e = PL_EVENT("running", now_s);

	w->trained = true;
	if (w->replan)
		return pl_watch_interrupt(w, now_s);
	if (r->failed)
		return pl_watch_give_up(w, now_s, "failed", r->failed);
	w->phase = PL_WATCH_RUN;
	w->interrupted_s = NAN;
	w->run_s = w->tick_s = now_s;
	w->run_iteration = w->iteration;
	w->window_s = 0;
	w->late_told = w->dear_told = w->reorder_told = w->slow_told = false;
	for (size_t i = 0; i < w->nodes.n; i++)
		w->nodes.node[i].beat_s = now_s;
	e.count = pl_nodes_up(&w->nodes, NULL, false);
	e.finish_s = now_s + (double)pl_watch_remaining(w) * w->fleet.iteration_s;
	w->tell(w->ctx, w, &e);
	pl_watch_judge(w, now_s);
	return 0;
}

static int checkpoint_ended(struct pl_srift_watch *w, double now_s, const struct pl_act *act,
			    const struct pl_act_result *r)
{
	struct pl_watch_event e = PL_EVENT("saved", now_s);
	const struct pl_node *node = &w->nodes.node[act->node];

	e.host = node->name;
	if (!r->failed) {
		w->saved = r->saved_told ? r->saved : w->iteration;
		w->saved_known = true;
		w->iteration = w->saved;
		w->tell(w->ctx, w, &e);
		return 0;
	}
	e.name = "unsaved";
	e.why = r->failed;
	w->tell(w->ctx, w, &e);
	if (node->state != PL_NODE_UP) { /* lost meanwhile: another may do it */
		w->trained = true;
		return pl_watch_interrupt(w, w->interrupted_s);
	}
	if (w->saved_known)
		w->iteration = w->saved;
	return 0;
}

static int stop_ended(struct pl_srift_watch *w, double now_s, struct pl_act *act,
		      const struct pl_act_result *r)
{
	struct pl_node *node = &w->nodes.node[act->node];
	struct pl_watch_event e = PL_EVENT("stopped", now_s);

	e.host = node->name;
	e.type = node->type;
	if (!r->failed) {
		if (node->state == PL_NODE_STOPPING)
			node->state = PL_NODE_STOPPED;
		if (isnan(node->ended_s))
			node->ended_s = now_s;
		w->tell(w->ctx, w, &e);
		return 0;
	}
	e.name = "unstopped";
	e.why = r->failed;
	if (++act->tries < STOP_TRIES) {
		struct pl_act again = *act;

		again.begun = false;
		if (pl_watch_add(w, &again))
			return -1;
		w->next_id--;
		w->act[w->n_acts - 1].id = act->id;
	} else if (node->state == PL_NODE_STOPPING) {
		node->state = PL_NODE_STOPPED;
		w->n_unstopped++;
	}
	w->tell(w->ctx, w, &e);
	return 0;
}

static int ended(struct pl_srift_watch *w, double now_s, struct pl_act *act,
		 const struct pl_act_result *r)
{
	switch (act->kind) {
	case PL_ACT_SEARCH:
		return search_ended(w, now_s, r);
	case PL_ACT_CHECKPOINT:
		return checkpoint_ended(w, now_s, act, r);
	case PL_ACT_LAUNCH:
		return launch_ended(w, now_s, act, r);
	case PL_ACT_START:
		return start_ended(w, now_s, r);
	case PL_ACT_STOP:
		return stop_ended(w, now_s, act, r);
	}
	return 0;
}

int pl_watch_act_ended(struct pl_srift_watch *w, double now_s, uint64_t id,
		       const struct pl_act_result *result, struct pl_err *err)
{
	struct pl_act act;
	size_t i = 0;

	while (i < w->n_acts && w->act[i].id != id)
		i++;
	if (i == w->n_acts)
		return 0;
	act = w->act[i];
	memmove(&w->act[i], &w->act[i + 1], (--w->n_acts - i) * sizeof(*w->act));
	if (ended(w, now_s, &act, result) || pl_watch_step(w, now_s))
		return pl_err_nomem(err);
	return 0;
}
