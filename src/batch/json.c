/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - a choice of workers and batch, as JSON */
#include "config.h"

#include "src/batch/batch.h"

#include "src/common/json.h"

#include <math.h>

static json_t *cell(const struct pl_batch_plan *plan, size_t i)
{
	const struct pl_batch_cell *c;

	if (i >= plan->n_cells)
		return json_null();
	c = &plan->cell[i];
	return json_pack("{sI sI sf sb sf sb sf sf sf sf sb}", "workers", (json_int_t)c->workers,
			 "batch", (json_int_t)c->batch, "iteration_s", c->seconds,
			 "iteration_measured", c->seconds_measured, "epochs", c->epochs,
			 "epochs_measured", c->epochs_measured, "iterations", c->iterations,
			 "time_s", c->time_s, "per_hour", c->per_hour, "cost", c->cost, "on_front",
			 c->on_front);
}

static json_t *error_of(const struct pl_law_error *error)
{
	return json_pack("{sI so so}", "points", (json_int_t)error->n, "mean",
			 pl_tool_json_number(error->mean), "most",
			 pl_tool_json_number(error->most));
}

static json_t *step(const struct pl_step_law *law)
{
	const int n = law->form == PL_LAW_SUM ? 3 : 5;
	json_t *terms = json_array();

	for (int i = 0; i < n; i++)
		pl_list_add(&terms, pl_tool_json_number(law->known ? law->p[i] : NAN));
	return json_pack("{ss sI so so}", "law", law->form == PL_LAW_SUM ? "sum" : "overlap",
			 "points", (json_int_t)law->n, "terms", terms, "error",
			 error_of(&law->error));
}

static json_t *epochs(const struct pl_epoch_law *law)
{
	const bool noise = law->form == PL_LAW_NOISE && law->noise_known;

	return json_pack("{ss sI so so so so so sb sb sb so}", "law",
			 law->form == PL_LAW_NOISE ? "noise" : "goodput", "points",
			 (json_int_t)law->n, "epochs",
			 pl_tool_json_number(law->known ? law->e : NAN), "slope",
			 pl_tool_json_number(law->known ? law->slope : NAN), "noise_a",
			 pl_tool_json_number(noise ? law->a : NAN), "noise_b",
			 pl_tool_json_number(noise ? law->b : NAN), "scale",
			 pl_tool_json_number(law->scale), "relative", law->relative, "proportional",
			 law->proportional, "losses", law->losses, "error", error_of(&law->error));
}

static json_t *memory(const struct pl_memory_law *law)
{
	if (!law->known)
		return json_null();
	return json_pack("{sf sf}", "fixed_bytes", law->fixed, "sample_bytes", law->sample);
}

int batch_json(const struct batch_answer *a, FILE *out, struct pl_err *err)
{
	const struct pl_batch_plan *plan = &a->plan;
	json_t *cells = json_array();

	for (size_t i = 0; i < plan->n_cells; i++)
		pl_list_add(&cells, cell(plan, i));
	return pl_tool_json_write(
		BATCH_TOOL,
		json_pack("{so so so sf so so so so so sI sI sI sI}", "step", step(&a->laws.step),
			  "epoch", epochs(&a->laws.epoch), "memory", memory(&a->laws.memory),
			  "samples", a->space.samples, "choice", cell(plan, a->chosen), "fastest",
			  cell(plan, plan->fastest), "cheapest", cell(plan, plan->cheapest), "knee",
			  cell(plan, plan->knee), "cells", cells, "too_large",
			  (json_int_t)plan->n_too_large, "unknown", (json_int_t)plan->n_unknown,
			  "beyond_limits", (json_int_t)plan->n_beyond, "unstable",
			  (json_int_t)batch_unstable(a->points)),
		out, err);
}
