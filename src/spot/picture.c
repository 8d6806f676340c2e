/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.c - lifetimes, and ends of a job, as pictures */
#include "config.h"

#include "src/spot/picture.h"

#include "base/mem.h"
#include "base/stats.h"
#include "base/text/outfile.h"
#include "planner/transient/survival.h"
#include "report/xy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NAME_CHARS 64
#define DOTS_MAX 2000

static int write_picture(const void *picture, FILE *out, struct pl_err *err)
{
	pl_xy_write_svg(picture, out);
	return ferror(out) ? pl_err_errno(err, "cannot write") : 0;
}

/* A group's curve; x and y are its own. */
struct curve {
	char name[NAME_CHARS];
	double *x, *y;
};

static int make_curve(struct curve *curve, struct pl_xy_series *series,
		      const struct pl_life_group *g, double limit_s, struct pl_err *err)
{
	struct pl_survival c = {.limit_s = INFINITY};
	size_t n;

	if (pl_survival_make(&c, g, limit_s, err))
		return -1;
	n = c.n + 2;
	curve->x = pl_array_create(n, sizeof(*curve->x));
	curve->y = pl_array_create(n, sizeof(*curve->y));
	if (!curve->x || !curve->y) {
		pl_survival_fini(&c);
		return pl_err_nomem(err);
	}
	for (size_t i = 0; i < c.n; i++) {
		curve->x[i + 1] = c.s[i];
		curve->y[i + 1] = 1 - c.left[i];
	}
	curve->x[n - 1] = fmin(c.seen_s, c.limit_s);
	curve->y[n - 1] = curve->y[n - 2];
	snprintf(curve->name, sizeof(curve->name), "%s %s", g->type, g->region);
	*series = (struct pl_xy_series){
		.name = curve->name, .kind = PL_XY_STEPS, .x = curve->x, .y = curve->y, .n = n};
	pl_survival_fini(&c);
	return 0;
}

int spot_picture_curves(const char *path, const struct pl_lifetimes *l, struct pl_err *err)
{
	struct curve *curve = pl_array_create(l->n, sizeof(*curve));
	struct pl_xy_series *series = pl_array_create(l->n, sizeof(*series));
	struct pl_xy xy = {
		.title = "machines taken away by their age",
		.note = "Kaplan and Meier; up to the longest life seen",
		.x = {.name = "age", .unit = PL_XY_SECONDS},
		.y = {.name = "taken away", .unit = PL_XY_SHARE, .to = 1},
		.series = series,
	};
	int rc = curve && series ? 0 : pl_err_nomem(err);

	for (size_t i = 0; rc == 0 && i < l->n; i++) {
		if (l->group[i].n == 0)
			continue;
		rc = make_curve(&curve[xy.n], &series[xy.n], &l->group[i], l->limit_s, err);
		if (rc == 0)
			xy.x.to = fmax(xy.x.to, curve[xy.n].x[series[xy.n].n - 1]);
		xy.n++;
	}
	if (rc == 0)
		rc = pl_outfile_write(path, write_picture, &xy, err);
	for (size_t i = 0; i < xy.n; i++) {
		free(curve[i].x);
		free(curve[i].y);
	}
	free(curve);
	free(series);
	return rc;
}

/* Replays that ended and have a cost, as they came. */
static size_t take_dots(const struct pl_replays *r, double *x, double *y)
{
	size_t n = 0;

	for (size_t k = 0; k < r->n && n < DOTS_MAX; k++)
		if (isfinite(r->dollars_of[k])) {
			x[n] = r->seconds_of[k];
			y[n++] = r->dollars_of[k];
		}
	return n;
}

static int draw_cloud(const char *path, const struct pl_replays *r, const double *x,
		      const double *y, size_t n, struct pl_err *err)
{
	const size_t at[] = {pl_percentile_index(r->n, 0.5), pl_percentile_index(r->n, 0.95)};
	struct pl_xy_series series[] = {
		{.kind = PL_XY_CLOUD, .x = x, .y = y, .n = n},
		{.name = "p50 of both",
		 .kind = PL_XY_MARK,
		 .x = &r->seconds[at[0]],
		 .y = &r->dollars[at[0]],
		 .n = 1},
		{.name = "p95 of both",
		 .kind = PL_XY_MARK,
		 .x = &r->seconds[at[1]],
		 .y = &r->dollars[at[1]],
		 .n = 1},
	};
	struct pl_xy xy = {
		.title = "time and cost of the job",
		.note = "a dot for each replay; up to 2000 of them",
		.x = {.name = "time", .unit = PL_XY_SECONDS},
		.y = {.name = "cost", .unit = PL_XY_DOLLARS},
		.series = series,
		.n = 1,
	};

	while (xy.n < 3 && isfinite(*series[xy.n].x) && isfinite(*series[xy.n].y))
		xy.n++;
	pl_xy_fit(&xy.x, x, n);
	pl_xy_fit(&xy.y, y, n);
	return pl_outfile_write(path, write_picture, &xy, err);
}

int spot_picture_cloud(const char *path, const struct pl_replays *r, struct pl_err *err)
{
	double *x = pl_array_create(DOTS_MAX, sizeof(*x));
	double *y = pl_array_create(DOTS_MAX, sizeof(*y));
	size_t n;
	int rc;

	if (!x || !y) {
		rc = pl_err_nomem(err);
	} else {
		n = take_dots(r, x, y);
		rc = n ? draw_cloud(path, r, x, y, n, err)
		       : pl_err_set(err, PL_EINPUT,
				    "no replay ended with a known cost: there is nothing to draw");
	}
	free(x);
	free(y);
	return rc;
}
