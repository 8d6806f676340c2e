/* SPDX-License-Identifier: BSD-3-Clause */
/* laws-epochs.c - epochs and noise by batch; memory by samples a worker */
#include "config.h"

#include "planner/batch/laws.h"

#include "base/mem.h"
#include "base/stats.h"
#include "planner/batch/rows.h"

#include <math.h>
#include <stdlib.h>

const char *const pl_epoch_form_name[] = {
	[PL_LAW_GOODPUT] = "goodput",
	[PL_LAW_NOISE] = "noise",
	NULL,
};

static double noise_of(const struct pl_epoch_law *law, double batch)
{
	return law->a + law->b / sqrt(batch);
}

double pl_epoch_law_epochs(const struct pl_epoch_law *law, double batch)
{
	if (!law->known)
		return NAN;
	return law->e + law->slope * (law->form == PL_LAW_NOISE ? noise_of(law, batch) : batch);
}

static bool is_used(const struct pl_points *points, size_t i, bool corners)
{
	const struct pl_batch_point *p = &points->point[i];

	return p->end == PL_POINT_MEASURED &&
	       (!corners || isnan(p->seconds) || pl_points_is_corner(points, i));
}

/* noise = a + b / sqrt(B), of all workers' points together (the average model of Scavenger) */
static void fit_noise(struct pl_epoch_law *law, const struct pl_points *points, bool corners,
		      struct pl_rows *rows)
{
	double ab[2];

	rows->n = 0;
	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];
		const double row[] = {1, 1 / sqrt((double)p->batch)};

		if (is_used(points, i, corners) && !isnan(p->noise))
			pl_rows_add(rows, row, p->noise);
	}
	law->a = 0;
	law->b = 1;
	if (pl_rows_solve(rows, ab))
		return;
	law->noise_known = true;
	law->a = ab[0];
	law->b = ab[1];
}

/* Median of the points' noise scales; NaN: no point has one, or no memory. */
static double median_scale(const struct pl_points *points, bool corners)
{
	double *v = pl_array_create(points->n, sizeof(*v));
	double median = NAN;
	size_t n = 0;

	for (size_t i = 0; v && i < points->n; i++)
		if (is_used(points, i, corners) && points->point[i].scale > 0)
			v[n++] = points->point[i].scale;
	if (v)
		median = pl_median(v, n);
	free(v);
	return median;
}

/* What epochs are linear in. */
static double cause(const struct pl_epoch_law *law, const struct pl_batch_point *p)
{
	if (law->form == PL_LAW_GOODPUT)
		return (double)p->batch;
	return isnan(p->noise) || !law->noise_known ? noise_of(law, (double)p->batch) : p->noise;
}

/* epochs = e + slope * cause, where epochs of two batches are known, or @relative ones; false: they
 * are not. */
static bool fit_line(struct pl_epoch_law *law, const struct pl_points *points, bool corners,
		     bool relative, struct pl_rows *rows)
{
	double es[2];

	rows->n = 0;
	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];
		const double row[] = {1, cause(law, p)};
		const double epochs = relative ? p->relative : p->epochs;

		if (is_used(points, i, corners) && epochs > 0)
			pl_rows_add(rows, row, epochs);
	}
	if (!relative)
		law->n = rows->n;
	if (pl_rows_solve(rows, es))
		return false;
	law->e = es[0];
	law->slope = es[1];
	law->known = true;
	return true;
}

/* The law of one number: that which gives the points' epochs in the mean, or 1 where there are
 * none. @law has its form: e and slope for 1 epoch. */
static void scale_form(struct pl_epoch_law *law, const struct pl_points *points, bool corners)
{
	double sum = 0, form_sum = 0, factor;

	law->known = true;
	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];

		if (!is_used(points, i, corners) || isnan(p->epochs))
			continue;
		sum += p->epochs;
		form_sum += pl_epoch_law_epochs(law, (double)p->batch);
	}
	law->relative = law->n == 0;
	law->proportional = !law->relative;
	factor = law->relative ? 1 : sum / form_sum;
	law->e *= factor;
	law->slope *= factor;
}

static double most_batch(const struct pl_points *points)
{
	double most = 0;

	for (size_t i = 0; i < points->n; i++)
		if (points->point[i].end == PL_POINT_MEASURED)
			most = fmax(most, (double)points->point[i].batch);
	return most;
}

static void fit(struct pl_epoch_law *law, const struct pl_points *points, bool corners,
		struct pl_rows *rows)
{
	fit_noise(law, points, corners, rows);
	law->scale = median_scale(points, corners);
	if (fit_line(law, points, corners, false, rows))
		return;
	law->losses = fit_line(law, points, corners, true, rows);
	if (law->losses) {
		scale_form(law, points, corners);
	} else if (law->form == PL_LAW_NOISE && law->noise_known) {
		/* eq. 6: in proportion to the noise */
		law->e = 0;
		law->slope = 1 / noise_of(law, most_batch(points));
		scale_form(law, points, corners);
	} else if (law->form == PL_LAW_GOODPUT && !isnan(law->scale)) {
		law->e = 1;
		law->slope = 1 / law->scale;
		scale_form(law, points, corners);
	}
}

int pl_epoch_law_fit(struct pl_epoch_law *law, enum pl_epoch_form form,
		     const struct pl_points *points, bool corners)
{
	struct pl_rows rows;

	*law = (struct pl_epoch_law){.form = form, .error = {0, NAN, NAN}};
	if (pl_rows_init(&rows, points->n, 2))
		return -1;
	fit(law, points, corners, &rows);
	pl_rows_fini(&rows);
	for (size_t i = 0; law->known && i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];

		if (p->end == PL_POINT_MEASURED && !isnan(p->epochs))
			pl_law_error_add(&law->error, pl_epoch_law_epochs(law, (double)p->batch),
					 p->epochs);
	}
	return 0;
}

int pl_memory_law_fit(struct pl_memory_law *law, const struct pl_points *points)
{
	struct pl_rows rows;
	double x[2];

	*law = (struct pl_memory_law){0};
	if (pl_rows_init(&rows, points->n, 2))
		return -1;
	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];
		const double row[] = {1, (double)p->batch / (double)p->workers};

		if (p->end == PL_POINT_MEASURED && !isnan(p->memory_bytes))
			pl_rows_add(&rows, row, p->memory_bytes);
	}
	law->known = pl_rows_solve(&rows, x) == 0;
	pl_rows_fini(&rows);
	if (law->known) {
		law->fixed = x[0];
		law->sample = x[1];
	}
	return 0;
}

double pl_memory_law_bytes(const struct pl_memory_law *law, double workers, double batch)
{
	return law->known ? law->fixed + law->sample * batch / workers : NAN;
}

double pl_memory_law_samples(const struct pl_memory_law *law, double bytes)
{
	if (!law->known || !(law->sample > 0))
		return NAN;
	return floor(fmax(0, (bytes - law->fixed) / law->sample) * (1 + 1e-12));
}

double pl_memory_law_workers(const struct pl_memory_law *law, double bytes, double batch)
{
	return ceil(batch / pl_memory_law_samples(law, bytes) * (1 - 1e-12));
}
