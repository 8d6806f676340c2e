/* SPDX-License-Identifier: BSD-3-Clause */
/* points.c - workers and batches that were tried, and their file */
#include "config.h"

#include "planner/batch/points.h"

#include "base/mem.h"
#include "base/text/kind.h"
#include "base/text/number.h"
#include "planner/batch/norms.h"
#include "planner/batch/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)1 << 28)
#define POSITIVE 1e-300

const char *const pl_batch_rate_name[PL_BATCH_RATES + 1] = {
	[PL_RATE_FIXED] = "fixed",
	[PL_RATE_LINEAR] = "linear",
	[PL_RATE_SQRT] = "sqrt",
};

static const char *const end_word[PL_POINT_ENDS] = {
	[PL_POINT_MEASURED] = "point",
	[PL_POINT_FAILED] = "failed",
	[PL_POINT_DIVERGED] = "diverged",
	[PL_POINT_STOPPED] = "stopped",
};

void pl_points_fini(struct pl_points *points)
{
	free(points->point);
	*points = (struct pl_points){0};
}

int pl_points_add(struct pl_points *points, const struct pl_batch_point *point)
{
	if (pl_array_grow((void **)&points->point, &points->room, points->n, sizeof(*point)))
		return -1;
	points->point[points->n++] = *point;
	return 0;
}

/* Seconds, or "-" where only other things are known. */
static int read_seconds(struct pl_line *line, double *to, struct pl_err *err)
{
	struct pl_word word;

	*to = NAN;
	if (pl_line_word(line, &word) && pl_word_is(&word, "-"))
		return 0;
	if (pl_double_parse(word.s, word.len, to) || !(*to >= POSITIVE && *to <= 1e9))
		return pl_err_at(err, word.place,
				 "seconds of an iteration, above 0, or - must stand here");
	return 0;
}

struct pl_batch_point pl_batch_point_of(enum pl_point_end end, size_t workers, uint64_t batch)
{
	return (struct pl_batch_point){.end = end,
				       .workers = workers,
				       .batch = batch,
				       .seconds = NAN,
				       .epochs = NAN,
				       .relative = NAN,
				       .noise = NAN,
				       .scale = NAN,
				       .error = NAN,
				       .memory_bytes = NAN,
				       .spent_s = NAN};
}

static int read_point(struct pl_points *points, struct pl_line *line, enum pl_point_end end,
		      struct pl_err *err)
{
	struct pl_batch_point p = pl_batch_point_of(end, 0, 0);
	const struct pl_batch_key keys[] = {
		{"spent", &p.spent_s, 0, 1e9},
		{"epochs", &p.epochs, POSITIVE, 1e12},
		{"relative", &p.relative, POSITIVE, 1e6},
		{"noise", &p.noise, POSITIVE, 1e300},
		{"scale", &p.scale, 0, 1e300},
		{"error", &p.error, 0, 1e6},
		{"memory", &p.memory_bytes, POSITIVE, 1e18},
		{NULL, NULL, 0, 0},
	};
	uint64_t workers;

	if (pl_batch_whole(line, 1, PL_BATCH_WORKERS_MAX, &workers, err) ||
	    pl_batch_whole(line, 1, PL_BATCH_SAMPLES_MAX, &p.batch, err))
		return -1;
	p.workers = (size_t)workers;
	if (end == PL_POINT_MEASURED && read_seconds(line, &p.seconds, err))
		return -1;
	if (pl_batch_keys(line, keys, err))
		return -1;
	return pl_points_add(points, &p) ? pl_err_nomem(err) : 0;
}

static int read_samples(struct pl_points *points, struct pl_line *line, struct pl_err *err)
{
	const struct pl_place place = pl_line_place(line);
	uint64_t n;

	if (pl_batch_whole(line, 1, PL_BATCH_SAMPLES_MAX, &n, err))
		return -1;
	if (points->samples && points->samples != n)
		return pl_err_at(err, place, "the other points are of a data set of %llu samples",
				 (unsigned long long)points->samples);
	points->samples = n;
	return pl_line_end(line, err);
}

static int read_rate(struct pl_points *points, struct pl_line *line, struct pl_err *err)
{
	struct pl_word word;
	int i = 0;

	pl_line_word(line, &word);
	while (i < PL_BATCH_RATES && !pl_word_is(&word, pl_batch_rate_name[i]))
		i++;
	if (i == PL_BATCH_RATES)
		return pl_err_at(err, word.place, "fixed, linear or sqrt must stand here");
	if (points->rate_told && points->rate != (enum pl_batch_rate)i)
		return pl_err_at(
			err, word.place,
			"the other points have the rule %s: epochs of both cannot be compared",
			pl_batch_rate_name[points->rate]);
	points->rate = (enum pl_batch_rate)i;
	points->rate_told = true;
	return pl_line_end(line, err);
}

static int read_line(struct pl_points *points, struct pl_line *line, struct pl_err *err)
{
	struct pl_word word;

	if (!pl_line_next(line, &word) || word.s[0] == '#')
		return 0;
	if (pl_word_is(&word, "samples"))
		return read_samples(points, line, err);
	if (pl_word_is(&word, "rate"))
		return read_rate(points, line, err);
	for (int i = 0; i < PL_POINT_ENDS; i++)
		if (pl_word_is(&word, end_word[i]))
			return read_point(points, line, (enum pl_point_end)i, err);
	return pl_err_at(err, word.place,
			 "samples, rate, point, failed, diverged or stopped must stand here");
}

int pl_points_parse(struct pl_points *points, struct pl_text *text, struct pl_err *err)
{
	struct pl_line line;
	int rc = pl_text_first(text, "# plink-batch 1", err);

	while (rc == 0 && pl_text_next(text, &line))
		rc = read_line(points, &line, err);
	return rc;
}

int pl_points_read(struct pl_points *points, const char *path, struct pl_err *err)
{
	struct pl_text text;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	return pl_kind_close(&text, pl_points_parse(points, &text, err), PL_KIND_POINTS, err);
}

static void write_key(const char *name, double value, FILE *out)
{
	char number[PL_DOUBLE_CHARS];

	if (!isnan(value))
		fprintf(out, " %s=%s", name, pl_double_format(number, value));
}

void pl_points_write(const struct pl_points *points, FILE *out)
{
	char number[PL_DOUBLE_CHARS];

	fprintf(out, "# plink-batch 1\n");
	if (points->samples)
		fprintf(out, "samples %llu\n", (unsigned long long)points->samples);
	if (points->rate_told)
		fprintf(out, "rate %s\n", pl_batch_rate_name[points->rate]);
	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];

		fprintf(out, "%s %zu %llu", end_word[p->end], p->workers,
			(unsigned long long)p->batch);
		if (p->end == PL_POINT_MEASURED)
			fprintf(out, " %s",
				isnan(p->seconds) ? "-" : pl_double_format(number, p->seconds));
		write_key("epochs", p->epochs, out);
		write_key("relative", p->relative, out);
		write_key("noise", p->noise, out);
		write_key("scale", p->scale, out);
		write_key("error", p->error, out);
		write_key("memory", p->memory_bytes, out);
		write_key("spent", p->spent_s, out);
		fputc('\n', out);
	}
}

bool pl_points_has(const struct pl_points *points, size_t workers, double batch)
{
	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];

		if (p->end == PL_POINT_MEASURED && p->workers == workers &&
		    (double)p->batch == batch && !isnan(p->seconds))
			return true;
	}
	return false;
}

bool pl_points_rule_out(const struct pl_points *points, size_t workers, double batch)
{
	if (pl_points_has(points, workers, batch))
		return false;
	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];

		if (p->end == PL_POINT_FAILED &&
		    batch / (double)workers >= (double)p->batch / (double)p->workers)
			return true;
		if (p->end == PL_POINT_DIVERGED && batch >= (double)p->batch)
			return true;
	}
	return false;
}
