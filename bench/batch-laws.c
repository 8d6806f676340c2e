/* SPDX-License-Identifier: BSD-3-Clause */
/* batch-laws.c - laws of plink-batch against what others have measured: Pollux' step times and
 * epochs, kneed's knees */
/*
 * --data=DIR has pollux/traces/MODEL/scalability.csv (num_nodes, num_replicas, local_bsz,
 * step_time, sync_time) and validation-BATCH.csv (progress, iteration, metric, ...), and
 * kneed/kneedle_cases.csv.
 *
 * Step times are those of one replica a node: laws fitted to all of them, and to the four corners,
 * and the mean and the largest error of both. Epochs are those until the metric that every batch
 * reaches; a law is fitted to all batches, and to the first and the last one.
 */
#include "config.h"

#include "base/text/fields.h"
#include "base/text/number.h"
#include "bench/options.h"
#include "planner/batch/knee.h"
#include "planner/batch/laws.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)1 << 26)
#define COLUMNS 5
#define KNEE_POINTS 16

/* Better is a larger metric, but for the error rate of words. */
static const struct model {
	const char *name;
	bool falls;
} models[] = {
	{"bert", false},     {"cifar10", false}, {"deepspeech2", true},
	{"imagenet", false}, {"ncf", false},     {"yolov3", false},
};
#define N_MODELS (sizeof(models) / sizeof(models[0]))

static void die(const struct pl_err *err)
{
	fprintf(stderr, "batch-laws: %s%s%s\n", err->file, err->file[0] ? ": " : "", err->text);
	exit(4);
}

static void load(struct pl_text *text, const char *path)
{
	struct pl_err err = {0};

	if (pl_text_load(text, path, TEXT_MAX, &err))
		die(&err);
}

/* The next line's numbers; false at the end. The header is none. */
static bool next_row(struct pl_text *text, double v[COLUMNS])
{
	struct pl_line line;

	while (pl_text_next(text, &line)) {
		struct pl_fields f = {.line = line, .more = true};
		struct pl_word w;
		int n = 0;

		while (n < COLUMNS && pl_fields_next(&f, &w, NULL) == 1 &&
		       pl_double_parse(w.s, w.len, &v[n]) == 0)
			n++;
		if (n == COLUMNS)
			return true;
	}
	return false;
}

static struct pl_points read_steps(const char *data, const char *model)
{
	struct pl_points points = {0};
	char path[PATH_MAX];
	struct pl_text text;
	double v[COLUMNS];

	snprintf(path, sizeof(path), "%s/pollux/traces/%s/scalability.csv", data, model);
	load(&text, path);
	while (next_row(&text, v)) {
		struct pl_batch_point p = pl_batch_point_of(PL_POINT_MEASURED, 0, 0);

		if (v[0] != v[1])
			continue;
		p.workers = (size_t)v[1];
		p.batch = (uint64_t)(v[1] * v[2]);
		p.seconds = v[3];
		pl_points_add(&points, &p);
	}
	pl_text_fini(&text);
	return points;
}

static void judge_steps(const char *data)
{
	printf("step times of one replica a node, error of a law in %%: mean (most)\n%-12s %6s "
	       "%18s %18s %18s\n",
	       "model", "points", "sum", "sum, corners", "overlap");
	for (size_t i = 0; i < N_MODELS; i++) {
		struct pl_points points = read_steps(data, models[i].name);

		printf("%-12s %6zu", models[i].name, points.n);
		for (int k = 0; k < 3; k++) {
			struct pl_step_law law;

			if (pl_step_law_fit(&law, k < 2 ? PL_LAW_SUM : PL_LAW_OVERLAP, &points,
					    k == 1))
				exit(4);
			printf(" %10.1f (%5.1f)", 100 * law.error.mean, 100 * law.error.most);
		}
		putchar('\n');
		pl_points_fini(&points);
	}
}

/* The best metric of a run, or the first iteration as good as @target. */
static double read_run(const char *path, bool falls, const double *target)
{
	struct pl_text text;
	double v[COLUMNS], best = falls ? INFINITY : -INFINITY;

	load(&text, path);
	while (next_row(&text, v)) {
		if (target && (falls ? v[2] <= *target : v[2] >= *target)) {
			best = v[1];
			break;
		}
		if (!target)
			best = falls ? fmin(best, v[2]) : fmax(best, v[2]);
	}
	pl_text_fini(&text);
	return best;
}

static int by_batch(const void *a, const void *b)
{
	const struct pl_batch_point *p = a, *q = b;

	return (p->batch > q->batch) - (p->batch < q->batch);
}

/* Epochs, in any unit, of each batch of a model, until all are as good. */
static struct pl_points read_epochs(const char *data, const struct model *model)
{
	struct pl_points points = {0};
	char folder[PATH_MAX - 256], path[PATH_MAX];
	double target = model->falls ? -INFINITY : INFINITY;
	struct dirent *e;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/pollux/traces/%s", data, model->name);
	dir = opendir(folder);
	while (dir && (e = readdir(dir))) {
		struct pl_batch_point p = pl_batch_point_of(PL_POINT_MEASURED, 0, 0);

		if (strncmp(e->d_name, "validation-", 11) != 0)
			continue;
		p.workers = 1;
		p.batch = strtoull(e->d_name + 11, NULL, 10);
		pl_points_add(&points, &p);
	}
	if (dir)
		closedir(dir);
	qsort(points.point, points.n, sizeof(*points.point), by_batch);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < points.n; i++) {
			struct pl_batch_point *p = &points.point[i];
			double got;

			snprintf(path, sizeof(path), "%s/validation-%llu.csv", folder,
				 (unsigned long long)p->batch);
			got = read_run(path, model->falls, pass ? &target : NULL);
			if (pass)
				p->epochs = got * (double)p->batch;
			else
				target = model->falls ? fmax(target, got) : fmin(target, got);
		}
	return points;
}

/* A law from some points, judged at all. */
static void judge_epochs(const struct pl_points *points, enum pl_epoch_form form, bool ends)
{
	struct pl_points some = *points;
	struct pl_law_error error = {0, NAN, NAN};
	struct pl_batch_point two[2];
	struct pl_epoch_law law;
	double sum = 0, most = 0;

	if (ends) {
		two[0] = points->point[0];
		two[1] = points->point[points->n - 1];
		some.point = two;
		some.n = 2;
	}
	if (pl_epoch_law_fit(&law, form, &some, false))
		exit(4);
	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];
		const double off =
			fabs(pl_epoch_law_epochs(&law, (double)p->batch) / p->epochs - 1);

		sum += off;
		most = fmax(most, off);
	}
	error.mean = sum / (double)points->n;
	printf(" %10.1f (%5.1f)", 100 * error.mean, 100 * most);
}

static void judge_all_epochs(const char *data)
{
	printf("\nepochs until a metric, error of a law in %%: mean (most); times: of the last "
	       "batch in terms of the first\n"
	       "%-12s %7s %6s %18s %18s %18s %18s\n",
	       "model", "batches", "times", "goodput", "goodput, 2", "noise", "noise, 2");
	for (size_t i = 0; i < N_MODELS; i++) {
		struct pl_points points = read_epochs(data, &models[i]);

		if (points.n < 2)
			exit(4);
		printf("%-12s %7zu %6.2f", models[i].name, points.n,
		       points.point[points.n - 1].epochs / points.point[0].epochs);
		for (int k = 0; k < 4; k++)
			judge_epochs(&points, k < 2 ? PL_LAW_GOODPUT : PL_LAW_NOISE, k % 2);
		putchar('\n');
		pl_points_fini(&points);
	}
}

/* Numbers of a field, or those that the file describes. */
static size_t read_numbers(const struct pl_word *w, const double *x, double v[KNEE_POINTS])
{
	struct pl_line line = {.s = w->s, .len = w->len};
	struct pl_word number;
	size_t n = 0;

	if (pl_word_is(w, "linspace(0;1;10)"))
		for (; n < 10; n++)
			v[n] = (double)n / 9;
	else if (pl_word_is(w, "-1/(x+0.1)+5"))
		for (; n < 10; n++)
			v[n] = -1 / (x[n] + 0.1) + 5;
	else
		while (n < KNEE_POINTS && pl_line_next(&line, &number))
			v[n++] = strtod(number.s, NULL);
	return n;
}

static void judge_knees(const char *data)
{
	size_t n_cases = 0, n_right = 0;
	char path[PATH_MAX];
	struct pl_text text;
	struct pl_line line;

	snprintf(path, sizeof(path), "%s/kneed/kneedle_cases.csv", data);
	load(&text, path);
	while (pl_text_next(&text, &line)) {
		struct pl_fields f = {.line = line, .more = true};
		struct pl_word w[7];
		double x[KNEE_POINTS], y[KNEE_POINTS];
		struct pl_knee_curve curve;
		size_t n, knee, k = 0;

		while (k < 7 && pl_fields_next(&f, &w[k], NULL) == 1)
			k++;
		if (k < 7 || w[0].s[0] == '#')
			continue;
		curve.convex = pl_word_is(&w[1], "convex");
		curve.decreasing = pl_word_is(&w[2], "decreasing");
		curve.sensitivity = strtod(w[3].s, NULL);
		n = read_numbers(&w[4], x, x);
		if (read_numbers(&w[5], x, y) != n)
			exit(4);
		knee = pl_knee(x, y, n, &curve);
		n_cases++;
		n_right += knee < n && fabs(x[knee] - strtod(w[6].s, NULL)) < 1e-4;
	}
	pl_text_fini(&text);
	printf("\nknees of kneed: %zu of %zu\n", n_right, n_cases);
}

int main(int argc, char **argv)
{
	const char *data = NULL;
	const struct bench_option options[] = {{.name = "data", .text = &data}};
	const int status = bench_options(
		"batch-laws",
		"Usage: batch-laws --data=DIR\n"
		"Laws of plink-batch against Pollux' step times and epochs, and kneed's knees.\n"
		"  --data=DIR  with pollux/traces and kneed\n"
		"Exit: 0 done, 2 usage, 4 system.\n",
		options, 1, argc, argv);

	if (status >= 0)
		return status;
	if (!data) {
		fprintf(stderr, "batch-laws: --data is needed\n");
		return 2;
	}
	judge_steps(data);
	judge_all_epochs(data);
	judge_knees(data);
	return 0;
}
