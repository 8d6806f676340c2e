/* SPDX-License-Identifier: BSD-3-Clause */
/* restore.c - a watch goes on where its journal ends */
#include "config.h"

#include "planner/srift/watch/parts.h"

#include <math.h>

#define SECONDS_MAX 1e12
#define DOLLARS_MAX 1e12
#define WHOLE_MAX PL_PROGRESS_ITERATION_MAX
#define LIST_MAX 10000000

static int take_size(const struct pl_json_at *object, const char *key, int64_t max, size_t *out,
		     struct pl_err *err)
{
	uint64_t n;

	if (pl_json_whole_in(object, key, 0, max, &n, err))
		return -1;
	*out = (size_t)n;
	return 0;
}

/* null is NaN */
static int take_seconds(const struct pl_json_at *object, const char *key, double *out,
			struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(object, key);

	if (!at.value || !json_is_null(at.value))
		return pl_json_number(&at, 0, SECONDS_MAX, out, err);
	*out = NAN;
	return 0;
}

static int take_bool(const struct pl_json_at *object, const char *key, bool *out,
		     struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(object, key);

	if (!at.value || !json_is_boolean(at.value))
		return pl_json_fault(&at, err, "true or false is wanted");
	*out = json_is_true(at.value);
	return 0;
}

static int take_name(const struct pl_json_at *object, const char *key, char **out,
		     struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(object, key);
	const char *s;

	if (pl_json_string(&at, &s, err))
		return -1;
	if (!pl_host_name_is_good(s, json_string_length(at.value)))
		return pl_json_fault(&at, err, "this is not a name");
	*out = (char *)(uintptr_t)s; /* borrowed; who keeps it copies */
	return 0;
}

static int take_node(struct pl_srift_watch *w, const struct pl_json_at *at, struct pl_err *err)
{
	struct pl_node node = {0};
	uint64_t state;

	if (take_name(at, "host", &node.name, err) || take_name(at, "type", &node.type, err) ||
	    take_bool(at, "spot", &node.spot, err) ||
	    pl_json_whole_in(at, "batch", 0, WHOLE_MAX, &node.batch, err) ||
	    pl_json_number_in(at, "price_per_hour", 0, DOLLARS_MAX, &node.price_per_hour, err) ||
	    pl_json_whole_in(at, "state", 0, PL_NODE_STOPPED, &state, err) ||
	    pl_json_number_in(at, "launched_s", 0, SECONDS_MAX, &node.launched_s, err) ||
	    take_seconds(at, "ended_s", &node.ended_s, err))
		return -1;
	node.state = (enum pl_node_state)state;
	return pl_nodes_add(&w->nodes, &node) < 0 ? pl_err_nomem(err) : 0;
}

static int take_part(struct pl_srift_watch *w, const struct pl_json_at *at, struct pl_err *err)
{
	struct pl_fleet_part part = {0};

	if (take_name(at, "type", &part.type, err) || take_bool(at, "spot", &part.spot, err) ||
	    take_size(at, "count", PL_FLEET_COUNT_MAX, &part.count, err) ||
	    pl_json_whole_in(at, "batch", 0, WHOLE_MAX, &part.batch, err) ||
	    pl_json_number_in(at, "price_per_hour", 0, DOLLARS_MAX, &part.price_per_hour, err))
		return -1;
	return pl_fleet_add(&w->fleet, &part) ? pl_err_nomem(err) : 0;
}

/* Does the act speak of machines that there are? */
static int check_act(const struct pl_srift_watch *w, const struct pl_act *act,
		     const struct pl_json_at *at, struct pl_err *err)
{
	const bool of_node = act->kind == PL_ACT_STOP || act->kind == PL_ACT_CHECKPOINT;

	if (of_node && act->node >= w->nodes.n)
		return pl_json_fault(at, err, "there is no such node");
	if (act->kind == PL_ACT_LAUNCH && (act->part >= w->fleet.n || act->count == 0))
		return pl_json_fault(at, err, "there is no such part");
	return 0;
}

static int take_act(struct pl_srift_watch *w, const struct pl_json_at *at, struct pl_err *err)
{
	struct pl_act act = {0};
	uint64_t kind, tries;
	const uint64_t next_id = w->next_id;

	if (pl_json_whole_in(at, "kind", 0, PL_ACT_STOP, &kind, err) ||
	    pl_json_whole_in(at, "id", 0, WHOLE_MAX, &act.id, err) ||
	    pl_json_number_in(at, "begun_s", 0, SECONDS_MAX, &act.begun_s, err) ||
	    take_size(at, "node", LIST_MAX, &act.node, err) ||
	    take_size(at, "part", LIST_MAX, &act.part, err) ||
	    take_size(at, "count", PL_FLEET_COUNT_MAX, &act.count, err) ||
	    pl_json_whole_in(at, "tries", 0, 100, &tries, err))
		return -1;
	act.kind = (enum pl_act_kind)kind;
	act.tries = (int)tries;
	if (check_act(w, &act, at, err))
		return -1;
	if (pl_watch_add(w, &act))
		return pl_err_nomem(err);
	w->act[w->n_acts - 1].id = act.id;
	w->next_id = next_id;
	return 0;
}

static int take_excluded(struct pl_srift_watch *w, const struct pl_json_at *at, struct pl_err *err)
{
	struct pl_depleted d = {0};

	if (take_name(at, "type", &d.type, err) || take_bool(at, "spot", &d.spot, err) ||
	    take_bool(at, "lost", &d.lost, err) ||
	    pl_json_number_in(at, "at_s", 0, SECONDS_MAX, &d.at_s, err))
		return -1;
	return pl_watch_exclude(w, &d) ? pl_err_nomem(err) : 0;
}

static int take_list(struct pl_srift_watch *w, const struct pl_json_at *object, const char *key,
		     int (*take)(struct pl_srift_watch *, const struct pl_json_at *,
				 struct pl_err *),
		     struct pl_err *err)
{
	const struct pl_json_at list = pl_json_member(object, key);
	size_t n = 0;
	int rc = pl_json_array(&list, 0, LIST_MAX, &n, err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct pl_json_at at = pl_json_element(&list, i);

		rc = take(w, &at, err);
	}
	return rc;
}

static int take_counts(struct pl_srift_watch *w, const struct pl_json_at *at, struct pl_err *err)
{
	uint64_t phase;

	if (pl_json_whole_in(at, "phase", 0, PL_WATCH_ENDED, &phase, err) ||
	    pl_json_whole_in(at, "next_id", 0, WHOLE_MAX, &w->next_id, err) ||
	    pl_json_whole_in(at, "iteration", 0, WHOLE_MAX, &w->iteration, err) ||
	    pl_json_whole_in(at, "saved", 0, WHOLE_MAX, &w->saved, err) ||
	    take_bool(at, "saved_known", &w->saved_known, err) ||
	    pl_json_number_in(at, "bill", -DOLLARS_MAX, DOLLARS_MAX, &w->bill, err) ||
	    take_seconds(at, "interrupted_s", &w->interrupted_s, err) ||
	    take_bool(at, "replan", &w->replan, err) ||
	    take_bool(at, "trained", &w->trained, err) ||
	    take_bool(at, "finished", &w->finished, err) ||
	    take_bool(at, "unmet", &w->unmet, err) ||
	    take_size(at, "unstopped", LIST_MAX, &w->n_unstopped, err) ||
	    pl_json_number_in(at, "run_s", 0, SECONDS_MAX, &w->run_s, err) ||
	    pl_json_whole_in(at, "run_iteration", 0, WHOLE_MAX, &w->run_iteration, err))
		return -1;
	w->phase = (enum pl_watch_phase)phase;
	return 0;
}

/* Searches, launches and starts are of their phases, which wait for them. */
static int check_phase(const struct pl_srift_watch *w, const struct pl_json_at *at,
		       struct pl_err *err)
{
	static const enum pl_watch_phase phase_of[] = {
		[PL_ACT_SEARCH] = PL_WATCH_SEARCH,
		[PL_ACT_LAUNCH] = PL_WATCH_LAUNCH,
		[PL_ACT_START] = PL_WATCH_START,
	};
	size_t n = 0;

	for (size_t i = 0; i < w->n_acts; i++) {
		const enum pl_act_kind kind = w->act[i].kind;

		if (kind == PL_ACT_CHECKPOINT || kind == PL_ACT_STOP)
			continue;
		if (phase_of[kind] != w->phase)
			return pl_json_fault(at, err, "an act of another phase");
		n++;
	}
	if ((w->phase == PL_WATCH_SEARCH || w->phase == PL_WATCH_START) && n != 1)
		return pl_json_fault(at, err, "nothing is under way");
	return 0;
}

int pl_watch_restore(struct pl_srift_watch *w, const struct pl_json_at *at, struct pl_err *err)
{
	struct pl_srift_watch got;

	pl_watch_init(&got, &w->job, w->tell, w->ctx);
	if (take_counts(&got, at, err) ||
	    pl_json_number_in(at, "iteration_s", 0, SECONDS_MAX, &got.fleet.iteration_s, err) ||
	    take_list(&got, at, "nodes", take_node, err) ||
	    take_list(&got, at, "fleet", take_part, err) ||
	    take_list(&got, at, "excluded", take_excluded, err) ||
	    take_list(&got, at, "acts", take_act, err) || check_phase(&got, at, err)) {
		pl_watch_fini(&got);
		return -1;
	}
	pl_watch_fini(w);
	*w = got;
	return 0;
}
