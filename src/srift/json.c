/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - a prediction as JSON */
#include "config.h"

#include "src/srift/predict.h"

#include "src/common/json.h"
#include "src/srift/network.h"

#include <math.h>

static json_t *machines(const struct pl_selection *sel)
{
	json_t *all = json_array();

	for (size_t i = 0; i < sel->n_parts; i++) {
		const struct pl_selection_part *part = &sel->part[i];

		pl_list_add(&all,
			    json_pack("{so sI sI sf sf sf so}", "instance",
				      pl_tool_json_text(part->instance->name), "count",
				      (json_int_t)part->count, "batch", (json_int_t)part->batch,
				      "forward_s", part->forward_s - pl_selection_data_s(part),
				      "backward_s", part->backward_s, "straggler",
				      part->instance->straggler, "price_per_hour",
				      pl_tool_json_number(part->price_per_hour)));
	}
	return all;
}

static json_t *cost(const struct srift_prediction *p, const struct pl_selection *sel, double s)
{
	const double jobs = p->o->iterations ? (double)p->o->iterations : NAN;

	return json_pack("{so so so so}", "per_hour",
			 pl_tool_json_number(pl_selection_per_hour(sel)), "iteration",
			 pl_tool_json_number(pl_selection_cost(sel, s)), "job",
			 pl_tool_json_number(pl_selection_cost(sel, s * jobs)), "job_s",
			 pl_tool_json_number(s * jobs));
}

static json_t *other(const struct srift_prediction *p, const struct pl_selection *sel,
		     const struct pl_iteration *it)
{
	return json_pack("{sf sf sf so}", "exchange_s", it->exchange_s, "iteration_s", it->seconds,
			 "cap_bytes_per_s", it->cap_bytes_per_s, "cost", cost(p, sel, it->seconds));
}

/* What differs where the hosts stand in the given order; null without a plan of these machines. */
static json_t *given(const struct srift_prediction *p)
{
	return p->has_given ? other(p, &p->sel, &p->given) : json_null();
}

/* How many, and what there would be without them. */
static json_t *hubs(const struct srift_prediction *p)
{
	struct pl_selection alone = p->sel;

	alone.n_hubs = 0;
	return json_pack("{sI ss? so}", "count", (json_int_t)p->sel.n_hubs, "instance", p->sel.hub,
			 "without", other(p, &alone, &p->alone));
}

int srift_write_json(const struct srift_prediction *p, FILE *out, struct pl_err *err)
{
	const struct pl_iteration *it = &p->it;
	const size_t ranks = pl_selection_ranks(&p->sel);
	size_t between[2];
	json_t *all = json_pack(
		"{ss so sI sI sI sI sf sf sf sf sf sI sI sf sI so so sb}", "model",
		p->profile.model, "machines", machines(&p->sel), "ranks", (json_int_t)ranks,
		"batch", (json_int_t)pl_selection_batch(&p->sel), "draws",
		(json_int_t)p->o->iteration.draws, "seed", (json_int_t)p->o->iteration.seed,
		"forward_s", it->forward_s - it->prep_s - it->fetch_s, "backward_s", it->backward_s,
		"slowness", it->slowness, "exchange_s", it->exchange_s, "iteration_s", it->seconds,
		"all_reduces", (json_int_t)it->buckets.n, "bytes", (json_int_t)it->bytes,
		"cap_bytes_per_s", it->cap_bytes_per_s, "at_once",
		(json_int_t)it->exchange.most_at_once, "cost", cost(p, &p->sel, it->seconds),
		"given", given(p), "interpolated", pl_busbw_between(&p->table, ranks, between));

	srift_set_rated(&all, p->o);
	pl_obj_set(&all, "terms", srift_terms_json(&p->terms));
	if (p->sel.n_hubs)
		pl_obj_set(&all, "hubs", hubs(p));
	if (p->o->job)
		pl_obj_set(&all, "step", srift_step_json(&p->step));
	return pl_tool_json_write(SRIFT_TOOL, all, out, err);
}
