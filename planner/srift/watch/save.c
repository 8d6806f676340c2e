/* SPDX-License-Identifier: BSD-3-Clause */
/* save.c - the state of a watch as JSON */
#include "config.h"

#include "planner/srift/watch/parts.h"

#include <math.h>

static json_t *number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *save_nodes(const struct pl_nodes *nodes)
{
	json_t *all = json_array();

	for (size_t i = 0; i < nodes->n; i++) {
		const struct pl_node *node = &nodes->node[i];

		json_array_append_new(all,
				      json_pack("{ss ss sb sI sf si sf so}", "host", node->name,
						"type", node->type, "spot", node->spot, "batch",
						(json_int_t)node->batch, "price_per_hour",
						node->price_per_hour, "state", (int)node->state,
						"launched_s", node->launched_s, "ended_s",
						number(node->ended_s)));
	}
	return all;
}

static json_t *save_fleet(const struct pl_srift_fleet *fleet)
{
	json_t *all = json_array();

	for (size_t i = 0; i < fleet->n; i++) {
		const struct pl_fleet_part *part = &fleet->part[i];

		json_array_append_new(all, json_pack("{ss sb sI sI sf}", "type", part->type, "spot",
						     part->spot, "count", (json_int_t)part->count,
						     "batch", (json_int_t)part->batch,
						     "price_per_hour", part->price_per_hour));
	}
	return all;
}

static json_t *save_acts(const struct pl_srift_watch *w)
{
	json_t *all = json_array();

	for (size_t i = 0; i < w->n_acts; i++) {
		const struct pl_act *act = &w->act[i];

		json_array_append_new(
			all, json_pack("{si sI sf sI sI sI si}", "kind", (int)act->kind, "id",
				       (json_int_t)act->id, "begun_s", act->begun_s, "node",
				       (json_int_t)act->node, "part", (json_int_t)act->part,
				       "count", (json_int_t)act->count, "tries", act->tries));
	}
	return all;
}

json_t *pl_watch_excluded_json(const struct pl_srift_watch *w)
{
	json_t *all = json_array();

	for (size_t i = 0; i < w->n_excluded; i++) {
		const struct pl_depleted *d = &w->excluded[i];

		json_array_append_new(all, json_pack("{ss sb sb sf}", "type", d->type, "spot",
						     d->spot, "lost", d->lost, "at_s", d->at_s));
	}
	return all;
}

json_t *pl_watch_save(const struct pl_srift_watch *w)
{
	return json_pack("{si so so sf so so sI sI sb sI sf so sb sb sb sb sI sf sI}", "phase",
			 (int)w->phase, "nodes", save_nodes(&w->nodes), "fleet",
			 save_fleet(&w->fleet), "iteration_s", w->fleet.iteration_s, "excluded",
			 pl_watch_excluded_json(w), "acts", save_acts(w), "next_id",
			 (json_int_t)w->next_id, "iteration", (json_int_t)w->iteration,
			 "saved_known", w->saved_known, "saved", (json_int_t)w->saved, "bill",
			 w->bill, "interrupted_s", number(w->interrupted_s), "replan", w->replan,
			 "trained", w->trained, "finished", w->finished, "unmet", w->unmet,
			 "unstopped", (json_int_t)w->n_unstopped, "run_s", w->run_s,
			 "run_iteration", (json_int_t)w->run_iteration);
}
