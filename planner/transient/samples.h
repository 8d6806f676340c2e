/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h - measurements to learn from: columns of a CSV file */
#ifndef PLINK_PLANNER_TRANSIENT_SAMPLES_H
#define PLINK_PLANNER_TRANSIENT_SAMPLES_H

#include "base/err.h"
#include "base/text/text.h"

#include <stddef.h>

#define PL_FEATURES_MAX 8
#define PL_SAMPLES_MAX 100000

/* Start with {0}, end with fini. */
struct pl_samples {
	double *x; /* [n * n_features], a row for each sample */
	double *y; /* [n] */
	size_t n, x_room, y_room;
	size_t n_features;
};
void pl_samples_fini(struct pl_samples *s);

/* Which columns: by their names in the first line. */
struct pl_columns {
	const char *feature[PL_FEATURES_MAX];
	size_t n_features;
	const char *target;
};

/* Reads the columns of comma-separated text; others are not looked at, nor are empty lines and
 * lines that begin with #. @s must be empty. 0, or -1 with @s empty and @err set: PL_EINPUT with
 * the place. */
int pl_samples_parse(struct pl_samples *s, struct pl_text *text, const struct pl_columns *columns,
		     struct pl_err *err);
int pl_samples_read(struct pl_samples *s, const char *path, const struct pl_columns *columns,
		    struct pl_err *err);

#endif
