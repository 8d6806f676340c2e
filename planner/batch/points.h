/* SPDX-License-Identifier: BSD-3-Clause */
/* points.h - numbers of workers and batches that were tried, and what came of it (plink-batch(1),
 * POINTS) */
#ifndef PLINK_PLANNER_BATCH_POINTS_H
#define PLINK_PLANNER_BATCH_POINTS_H

#include "base/err.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What came of a job. */
enum pl_point_end {
	PL_POINT_MEASURED,
	PL_POINT_FAILED,   /* it ended before it told enough */
	PL_POINT_DIVERGED, /* its loss rises, or its gradients are not finite */
	PL_POINT_STOPPED,  /* we were stopped; it may be tried again */
};
#define PL_POINT_ENDS 4

/* What is not known is NaN. */
struct pl_batch_point {
	enum pl_point_end end;
	size_t workers;
	uint64_t batch;      /* samples of an iteration, of all workers */
	double seconds;      /* of an iteration */
	double epochs;       /* until the model is as good as is wanted */
	double relative;     /* epochs in terms of those of a smaller batch,
			      * whose point has 1 */
	double noise;        /* of gradients, normalized */
	double scale;        /* noise scale, samples */
	double error;        /* relative standard error of noise and scale */
	double memory_bytes; /* of a worker, at its peak */
	double spent_s;      /* that the job took in all */
};

/* A point of which nothing else is known. */
struct pl_batch_point pl_batch_point_of(enum pl_point_end end, size_t workers, uint64_t batch);

/* How the learning rate goes with the batch. */
enum pl_batch_rate { PL_RATE_FIXED, PL_RATE_LINEAR, PL_RATE_SQRT };
#define PL_BATCH_RATES 3
extern const char *const pl_batch_rate_name[PL_BATCH_RATES + 1]; /* and NULL */

/* Start with {0}, end with fini. */
struct pl_points {
	uint64_t samples; /* of the data set; 0: not told */
	enum pl_batch_rate rate;
	bool rate_told;
	struct pl_batch_point *point;
	size_t n, room;
};

/*
 * Reads a file and adds its points to @points. 0, or -1 with @err set: PL_EINPUT with the place,
 * also if samples or the rule of the learning rate are not those of the points before.
 */
int pl_points_parse(struct pl_points *points, struct pl_text *text, struct pl_err *err);
int pl_points_read(struct pl_points *points, const char *path, struct pl_err *err);
void pl_points_fini(struct pl_points *points);

/* Adds one; 0, or -1: out of memory. */
int pl_points_add(struct pl_points *points, const struct pl_batch_point *point);

/* Writes them as a file that reads back the same. */
void pl_points_write(const struct pl_points *points, FILE *out);

/* Are the seconds of an iteration measured there? */
bool pl_points_has(const struct pl_points *points, size_t workers, double batch);

/* Does what has failed rule this choice out, which was not measured? A job that failed rules out as
 * many or more samples a worker, one that diverged as large or larger batches. */
bool pl_points_rule_out(const struct pl_points *points, size_t workers, double batch);

#endif
