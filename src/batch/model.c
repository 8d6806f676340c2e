/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c - plink-batch model: from points to a choice */
#include "config.h"

#include "src/batch/batch.h"

#include "base/mem.h"
#include "planner/batch/needs.h"
#include "planner/srift/profile/number.h"
#include "src/common/tool.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* All numbers of workers (or batches) that the points have, ascending. NULL: out of memory. */
static uint64_t *collect(const struct pl_points *points, bool workers, size_t *n)
{
	uint64_t *v = pl_array_create(points->n, sizeof(*v));
	size_t all = 0;

	*n = 0;
	if (!v)
		return NULL;
	for (size_t i = 0; i < points->n; i++)
		if (!workers)
			v[all++] = points->point[i].batch;
		else if (!isnan(points->point[i].seconds))
			v[all++] = points->point[i].workers;
	qsort(v, all, sizeof(*v), by_size);
	for (size_t i = 0; i < all; i++)
		if (i == 0 || v[i] != v[*n - 1])
			v[(*n)++] = v[i];
	return v;
}

/* The list that was given, or the points' own in *own. */
static int take_list(const struct batch_list *given, const struct pl_points *points, bool workers,
		     const uint64_t **list, size_t *n, uint64_t **own, struct pl_err *err)
{
	*list = given->n;
	*n = given->len;
	if (given->len)
		return 0;
	*list = *own = collect(points, workers, n);
	return *own ? 0 : pl_err_nomem(err);
}

/* Can be asked for what is asked? */
static int check(const struct batch_answer *a, struct pl_err *err)
{
	const struct batch_options *o = a->o;

	if (a->points->n == 0)
		return pl_err_set(err, PL_EINPUT, "the file has no point");
	if (!(a->space.samples > 0))
		return pl_err_set(err, PL_EINPUT,
				  "the points do not have the number of samples in the data set: "
				  "give --samples");
	if (!a->laws.memory.known && (o->memory_bytes || o->memory_price > 0))
		return pl_err_set(err, PL_EINPUT,
				  "--memory and --memory-price need points with memory= at two "
				  "numbers of samples a worker");
	if (a->laws.epoch.relative && (isfinite(o->time_limit_s) || isfinite(o->budget)))
		return pl_err_set(err, PL_EINPUT,
				  "--time-limit and --budget need a point with epochs=: without "
				  "it, the time of the training is not known");
	return 0;
}

static size_t choose(const struct batch_answer *a)
{
	const struct pl_batch_plan *plan = &a->plan;

	if (plan->n_cells == 0)
		return 0;
	switch (a->o->objective) {
	case BATCH_TIME:
		return plan->fastest;
	case BATCH_KNEE:
		/* of two or three there is none; the cheapest bends least */
		return plan->knee < plan->n_cells ? plan->knee : plan->cheapest;
	default:
		return plan->cheapest;
	}
}

static int find(struct batch_answer *a, struct pl_err *err)
{
	if (pl_batch_laws_fit(&a->laws, a->o->step_law, a->o->epoch_law, a->points, a->o->corners))
		return pl_err_nomem(err);
	if (check(a, err) || pl_batch_plan_make(&a->plan, &a->space, &a->laws, a->points, err))
		return -1;
	a->chosen = choose(a);
	if (a->plan.n_cells == 0 && a->plan.n_beyond == 0)
		return pl_err_set(err, PL_EINPUT,
				  "nothing can be predicted: %zu choices are too large, and %zu "
				  "need more points",
				  a->plan.n_too_large, a->plan.n_unknown);
	return 0;
}

/* A noise scale that was measured goes into the profile. */
static int note_scale(const struct batch_answer *a, struct pl_err *err)
{
	const struct pl_profile_noted noted = {
		.name = "noise_scale",
		.value = a->laws.epoch.scale,
		.origin = PL_ORIGIN_MEASURED,
		.with = "plink-batch run",
	};

	if (a->o->verb != BATCH_RUN || !a->o->profile)
		return 0;
	if (isnan(noted.value)) {
		pl_tool_warn(BATCH_TOOL, "%s gets no noise scale: none is known", a->o->profile);
		return 0;
	}
	return pl_profile_note(a->o->profile, &noted, 1, err);
}

int batch_answer(const struct batch_options *o, const struct pl_points *points, FILE *out,
		 struct pl_batch_cell *chosen, struct pl_err *err)
{
	struct batch_answer a = {.o = o, .points = points};
	uint64_t *own[2] = {NULL, NULL};
	int rc;

	a.space = (struct pl_batch_space){
		.samples = (double)(o->samples ? o->samples : points->samples),
		.worker_price = o->price,
		.memory_price = o->memory_price,
		.memory_bytes = o->memory_bytes ? (double)o->memory_bytes : INFINITY,
		.time_limit_s = o->time_limit_s,
		.budget = o->budget};
	rc = take_list(&o->workers, points, true, &a.space.workers, &a.space.n_workers, &own[0],
		       err);
	if (rc == 0)
		rc = take_list(&o->batches, points, false, &a.space.batch, &a.space.n_batches,
			       &own[1], err);
	if (rc == 0)
		rc = find(&a, err);
	if (rc == 0 && o->picture && a.plan.n_cells > 0)
		rc = batch_picture(&a, err);
	if (rc == 0 && o->json)
		rc = batch_json(&a, out, err);
	else if (rc == 0)
		batch_text(&a, out);
	if (rc == 0)
		rc = note_scale(&a, err);
	if (rc == 0 && a.plan.n_cells == 0)
		rc = PL_EXIT_PARTIAL;
	else if (rc == 0)
		*chosen = a.plan.cell[a.chosen];
	pl_batch_plan_fini(&a.plan);
	free(own[0]);
	free(own[1]);
	return rc;
}

/* The points get the profile's noise scale, if none has one of its own. */
static int take_scale(struct pl_points *points, const char *path, struct pl_err *err)
{
	struct pl_profile_numbers numbers = {0};
	const struct pl_profile_number *scale;
	int taken;

	if (pl_profile_numbers_read(&numbers, path, err))
		return -1;
	taken = pl_points_take_scale(points, &numbers, &scale);
	if (taken < 0)
		pl_err_set(err, PL_EINPUT,
			   "%s has no noise_scale: plink-batch run --profile writes it there",
			   path);
	else if (taken)
		pl_tool_say(BATCH_TOOL, "noise scale %.4g of %s (%s)", scale->value, path,
			    PL_ORIGIN_TEXT(&scale->origin));
	pl_profile_numbers_fini(&numbers);
	return taken < 0 ? -1 : 0;
}

int batch_model(const struct batch_options *o, FILE *out, struct pl_batch_cell *chosen,
		struct pl_err *err)
{
	struct pl_points points = {0};
	int status = 0;

	for (size_t i = 0; status == 0 && i < o->n_arguments; i++)
		status = pl_points_read(&points, o->argument[i], err);
	if (status == 0 && o->profile)
		status = take_scale(&points, o->profile, err);
	if (status == 0)
		status = batch_answer(o, &points, out, chosen, err);
	pl_points_fini(&points);
	return status;
}
