/* SPDX-License-Identifier: BSD-3-Clause */
/* batches.c - recommend --batch=auto: with which batch? */
#include "config.h"

#include "src/srift/recommend.h"

#include "src/common/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The points of the files, and one for --epochs. */
static int read_points(struct pl_points *points, const struct srift_auto *a, struct pl_err *err)
{
	const struct pl_batch_point told = {.end = PL_POINT_MEASURED,
					    .workers = 1,
					    .batch = a->epochs_batch,
					    .seconds = NAN,
					    .epochs = a->epochs,
					    .noise = NAN,
					    .scale = NAN,
					    .error = NAN,
					    .memory_bytes = NAN,
					    .spent_s = NAN};

	for (size_t i = 0; i < a->points.n; i++)
		if (pl_points_read(points, a->points.file[i], err))
			return -1;
	if (a->epochs_batch && pl_points_add(points, &told))
		return pl_err_nomem(err);
	return 0;
}

/* The law of epochs, by the points and the profile's noise scale. */
static int fit(struct srift_auto *a, struct pl_points *points, const struct srift_options *o,
	       struct pl_err *err)
{
	struct pl_profile profile = {0};
	const struct pl_profile_number *scale;
	int taken, rc;

	if (srift_profile_load(&profile, o, err))
		return -1;
	taken = pl_points_take_scale(points, &profile.numbers, &scale);
	rc = pl_epoch_law_fit(&a->law, a->form, points, false);
	if (taken > 0 && a->law.proportional && a->form == PL_LAW_GOODPUT)
		srift_say("noise scale %.4g of the profile (%s)", scale->value,
			  PL_ORIGIN_TEXT(&scale->origin));
	pl_profile_fini(&profile);
	if (rc)
		return pl_err_nomem(err);
	if (!a->law.known && a->form == PL_LAW_NOISE)
		return pl_err_set(
			err, PL_EINPUT,
			"--epoch-law=noise needs points with noise= or epochs= of two batches");
	if (!a->law.known)
		return pl_err_set(err, PL_EINPUT,
				  "%s has no noise_scale, and no points tell how epochs change "
				  "with the batch: plink-batch run measures both",
				  o->profile[0]);
	if (a->law.relative)
		return pl_err_set(err, PL_EINPUT,
				  "the epochs of no batch are known: give --epochs=E@B");
	return 0;
}

/* If none are given: powers of two, from the least batch of the points to the largest one or to the
 * noise scale. */
static int list_batches(struct srift_auto *a, const struct pl_points *points, struct pl_err *err)
{
	double least = INFINITY, most = fmax(0, a->law.scale);

	if (a->batches.n)
		return 0;
	for (size_t i = 0; i < points->n; i++) {
		least = fmin(least, (double)points->point[i].batch);
		most = fmax(most, (double)points->point[i].batch);
	}
	most = fmin(most, SRIFT_BATCH_MAX);
	for (size_t b = 1; (double)b <= most; b *= 2)
		if ((double)b >= least)
			a->batches.v[a->batches.n++] = b;
	if (a->batches.n)
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "no power of two is from %.0f to %.0f samples: give --batches", least,
			  most);
}

static int find_needs(struct srift_auto *a, const struct pl_points *points, struct pl_err *err)
{
	const uint64_t samples = a->samples ? a->samples : points->samples;

	if (!samples)
		return pl_err_set(
			err, PL_EINPUT,
			"the number of samples in the data set is not known: give --samples");
	for (size_t i = 0; i < a->batches.n; i++)
		pl_batch_needs(&a->need[i], &(uint64_t){a->batches.v[i]}, 1, (double)samples,
			       &a->law, points);
	return 0;
}

static void go_to(struct srift_question *q, const struct pl_batch_need *need)
{
	q->goal.batch = need->batch;
	q->goal.iterations = (uint64_t)ceil(need->iterations);
}

/* The value of the best choice; NaN where there is none. */
static int try_batch(struct srift_question *q, const struct pl_points *points,
		     const struct pl_replan_times *times, size_t i, struct pl_err *err)
{
	const struct pl_batch_need *need = &q->any.need[i];
	char what[64];

	q->any.value[i] = NAN;
	snprintf(what, sizeof(what), "batch %" PRIu64 ", %.4g epochs", need->batch, need->epochs);
	/* what failed says nothing of other machines; what diverged does */
	if (pl_points_rule_out(points, SIZE_MAX, (double)need->batch)) {
		srift_say("%s: a job diverged with such a batch", what);
		return 0;
	}
	if (!(need->iterations > 0 && need->iterations <= 1e12)) {
		srift_say("%s: the law does not hold there", what);
		return 0;
	}
	go_to(q, need);
	return srift_try(q, times, what, &q->any.value[i], err);
}

static int try_all(struct srift_question *q, const struct pl_points *points,
		   const struct pl_replan_times *times, struct pl_err *err)
{
	struct srift_auto *a = &q->any;
	double least = INFINITY;

	for (size_t i = 0; i < a->batches.n; i++) {
		if (try_batch(q, points, times, i, err))
			return -1;
		if (!(a->value[i] < least))
			continue;
		least = a->value[i];
		a->best = i;
	}
	if (isinf(least))
		return pl_err_set(err, PL_EPARTIAL, "none of %zu batches has a choice",
				  a->batches.n);
	go_to(q, &a->need[a->best]);
	return 0;
}

int srift_choose_batch(struct srift_question *q, const struct pl_replan_times *times,
		       struct pl_err *err)
{
	struct pl_points points = {0};
	int rc = read_points(&points, &q->any, err);

	if (rc == 0)
		rc = fit(&q->any, &points, &q->o, err);
	if (rc == 0)
		rc = list_batches(&q->any, &points, err);
	if (rc == 0)
		rc = find_needs(&q->any, &points, err);
	if (rc == 0)
		rc = try_all(q, &points, times, err);
	pl_points_fini(&points);
	return rc;
}

void srift_write_batch(const struct srift_auto *a, FILE *out)
{
	const struct pl_batch_need *need = &a->need[a->best];

	fprintf(out, "batch      %" PRIu64 ", the best of %zu: %.4g epochs, %s\n", need->batch,
		a->batches.n, need->epochs, need->measured ? "measured" : "by the law");
}

json_t *srift_batches_json(const struct srift_auto *a)
{
	json_t *all = json_array();

	for (size_t i = 0; i < a->batches.n; i++) {
		const struct pl_batch_need *need = &a->need[i];

		pl_list_add(&all, json_pack("{sI so sb so so}", "batch", (json_int_t)need->batch,
					    "epochs", pl_tool_json_number(need->epochs),
					    "epochs_measured", need->measured, "iterations",
					    pl_tool_json_number(need->iterations), "value",
					    pl_tool_json_number(a->value[i])));
	}
	return all;
}
