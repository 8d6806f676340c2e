/* SPDX-License-Identifier: BSD-3-Clause */
/* laws-step.c - seconds of an iteration, by workers and batch */
#include "config.h"

#include "planner/batch/laws.h"

#include "planner/batch/overlap.h"
#include "planner/batch/rows.h"

#include <math.h>
#include <string.h>

static bool has_seconds(const struct pl_batch_point *p)
{
	return p->end == PL_POINT_MEASURED && !isnan(p->seconds);
}

/* Is it the outermost point of its number of workers, and this number, too? */
static bool is_outermost(const struct pl_points *points, size_t i, bool most_workers,
			 bool most_batch)
{
	const struct pl_batch_point *p = &points->point[i];

	for (size_t j = 0; j < points->n; j++) {
		const struct pl_batch_point *q = &points->point[j];

		if (!has_seconds(q))
			continue;
		if (most_workers ? q->workers > p->workers : q->workers < p->workers)
			return false;
		if (q->workers == p->workers &&
		    (most_batch ? q->batch > p->batch : q->batch < p->batch))
			return false;
	}
	return true;
}

bool pl_points_is_corner(const struct pl_points *points, size_t i)
{
	return has_seconds(&points->point[i]) &&
	       (is_outermost(points, i, false, false) || is_outermost(points, i, false, true) ||
		is_outermost(points, i, true, false) || is_outermost(points, i, true, true));
}

static double sum_seconds(const double *p, double workers, double batch)
{
	return p[0] + p[1] * batch / workers + p[2] * workers;
}

double pl_step_law_seconds(const struct pl_step_law *law, double workers, double batch)
{
	if (!law->known || (law->only_workers && workers != (double)law->only_workers))
		return NAN;
	return law->form == PL_LAW_SUM ? sum_seconds(law->p, workers, batch)
				       : pl_overlap_seconds(law->p, workers, batch / workers);
}

static size_t only_workers(const struct pl_points *points)
{
	size_t only = 0;

	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];

		if (has_seconds(p) && only && only != p->workers)
			return 0;
		if (has_seconds(p))
			only = p->workers;
	}
	return only;
}

static void fit_sum(struct pl_step_law *law, const struct pl_points *points, bool corners,
		    struct pl_rows *rows)
{
	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];
		const double workers = (double)p->workers;
		const double row[] = {1, (double)p->batch / workers, workers};

		if (has_seconds(p) && (!corners || pl_points_is_corner(points, i)))
			pl_rows_add(rows, row, p->seconds);
	}
	law->n = rows->n;
	law->known = pl_rows_solve(rows, law->p) == 0;
}

static int fit_overlap(struct pl_step_law *law, const struct pl_points *points, bool corners,
		       struct pl_rows *rows)
{
	int rc;

	/* rows are workers and samples a worker, not scaled */
	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];

		if (!has_seconds(p) || (corners && !pl_points_is_corner(points, i)))
			continue;
		rows->a[2 * rows->n] = (double)p->workers;
		rows->a[2 * rows->n + 1] = (double)p->batch / (double)p->workers;
		rows->y[rows->n++] = p->seconds;
	}
	law->n = rows->n;
	rc = pl_overlap_fit(rows->a, rows->y, rows->n, law->p);
	law->known = rc == 1;
	return rc < 0 ? -1 : 0;
}

int pl_step_law_fit(struct pl_step_law *law, enum pl_step_form form, const struct pl_points *points,
		    bool corners)
{
	struct pl_rows rows;
	size_t only = only_workers(points);
	const size_t k = form == PL_LAW_SUM && !only ? 3 : 2;
	int rc = 0;

	*law = (struct pl_step_law){.form = form, .error = {0, NAN, NAN}};
	if (pl_rows_init(&rows, points->n, k))
		return -1;
	if (form == PL_LAW_SUM) {
		fit_sum(law, points, corners, &rows);
		law->only_workers = only;
	} else {
		rc = fit_overlap(law, points, corners, &rows);
	}
	pl_rows_fini(&rows);
	for (size_t i = 0; law->known && i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];

		if (has_seconds(p))
			pl_law_error_add(
				&law->error,
				pl_step_law_seconds(law, (double)p->workers, (double)p->batch),
				p->seconds);
	}
	return rc;
}
