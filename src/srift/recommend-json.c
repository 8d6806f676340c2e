/* SPDX-License-Identifier: BSD-3-Clause */
/* recommend-json.c - which machines to rent, as JSON */
#include "config.h"

#include "src/srift/recommend.h"

#include "src/common/json.h"

static json_t *machines(const struct pl_market *m, const struct pl_srift_choice *c)
{
	json_t *all = json_array();

	for (size_t i = 0; i < m->n_types; i++) {
		const struct pl_market_type *type = &m->type[i];
		const size_t n = c->count[i];

		if (n == 0)
			continue;
		pl_list_add(&all,
			    json_pack("{so sI sI sI sI sf}", "instance",
				      pl_tool_json_text(type->instance->name), "count",
				      (json_int_t)n, "spot",
				      (json_int_t)pl_market_count(type, n, PL_SPOT), "on_demand",
				      (json_int_t)pl_market_count(type, n, PL_ON_DEMAND), "batch",
				      (json_int_t)type->batch[c->batch[i]], "per_hour",
				      pl_market_price(type, n)));
	}
	return all;
}

json_t *srift_quote_json(const struct srift_advice *a, const struct pl_market *m,
			 const struct pl_quote *q)
{
	const struct pl_srift_goal *goal = &a->q->goal;
	size_t between[2];

	return json_pack("{so sI sf sf sf sf sb sb}", "machines", machines(m, &q->choice), "hubs",
			 (json_int_t)q->choice.hubs, "iteration_s", q->seconds, "per_hour",
			 q->per_hour, "job_s", pl_goal_seconds(goal, q->seconds), "job_cost",
			 pl_goal_dollars(goal, q->seconds, q->per_hour), "within_limits",
			 pl_goal_allows(goal, q->seconds, q->per_hour), "interpolated",
			 srift_interpolated(a, q, between));
}

static json_t *policy(const struct srift_advice *a, const struct srift_policy *p)
{
	return p->known ? srift_quote_json(a, &a->market, &p->quote) : json_null();
}

static json_t *not_considered(const struct srift_advice *a)
{
	json_t *all = json_array();

	for (size_t i = 0; i < a->n_unknown; i++)
		pl_list_add(&all, json_pack("[II]", (json_int_t)a->unknown[i][0],
					    (json_int_t)a->unknown[i][1]));
	return all;
}

static json_t *front(const struct srift_advice *a)
{
	json_t *all;

	if (!a->q->pareto)
		return json_null();
	all = json_array();
	for (size_t i = 0; i < a->answer.front.n; i++)
		pl_list_add(&all, srift_quote_json(a, srift_market_of(a, &a->answer.front.quote[i]),
						   &a->answer.front.quote[i]));
	return all;
}

/* The type, and the best choice beside each number. */
static json_t *hubs(const struct srift_advice *a)
{
	json_t *all = json_array();

	for (size_t i = 0; i < a->cases.n; i++) {
		const struct srift_case *c = &a->cases.v[i];

		pl_list_add(&all, json_pack("{sI so}", "hubs", (json_int_t)c->n_hubs, "choice",
					    c->answer.found ? srift_quote_json(a, &c->market,
									       &c->answer.best)
							    : json_null()));
	}
	return json_pack("{so so}", "instance", pl_tool_json_text(a->q->o.hub.machine), "numbers",
			 all);
}

int srift_advice_json(const struct srift_advice *a, FILE *out, struct pl_err *err)
{
	const struct pl_srift_goal *goal = &a->q->goal;
	const struct pl_srift_answer *v = &a->answer;
	json_t *all = json_pack(
		"{ss ss sI sI so so so sb so sf ss ss sI sI sI sI sI so so so sf ss sI so so}",
		"model", a->profile.model, "objective",
		goal->objective == PL_OBJECTIVE_TIME ? "time" : "cost", "batch",
		(json_int_t)goal->batch, "iterations", (json_int_t)goal->iterations, "time_limit_s",
		pl_tool_json_number(goal->time_limit_s), "budget",
		pl_tool_json_number(goal->budget), "choice",
		srift_quote_json(a, srift_risks_market(a), &v->best), "exact",
		v->exact && a->n_unknown == 0 && !srift_risks_has_losses(a), "ranks_not_considered",
		not_considered(a), "bound", v->bound, "bound_by", v->by_boxes ? "boxes" : "search",
		"choice_by", v->by_program ? "program" : "search", "programs",
		(json_int_t)v->programs, "work", (json_int_t)v->work, "simulated",
		(json_int_t)v->simulated, "draws", (json_int_t)a->q->o.iteration.draws, "seed",
		(json_int_t)a->q->o.iteration.seed, "cap", policy(a, &a->policy[0]), "tap",
		policy(a, &a->policy[1]), "pareto", front(a), "launch_s", a->times.launch_s,
		"launch_origin", pl_time_origin_name[a->times.launch_from], "launches",
		(json_int_t)a->times.n_launches, "history", srift_history_json(&a->history),
		"losses", srift_risks_json(a));

	if (a->q->n_regions)
		pl_obj_set(&all, "region", pl_tool_json_text(a->q->rule.region));
	if (a->q->any.on)
		pl_obj_set(&all, "batches", srift_batches_json(&a->q->any));
	if (srift_has_hubs(&a->q->o))
		pl_obj_set(&all, "hubs", hubs(a));
	srift_set_rated(&all, &a->q->o);
	pl_obj_set(&all, "terms", srift_terms_json(&a->terms));
	return pl_tool_json_write(SRIFT_TOOL, all, out, err);
}
