/* SPDX-License-Identifier: BSD-3-Clause */
/* boost.h - gradient boosted trees by XGBoost, the only place that knows it */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_BOOST_H
#define PLINK_PLANNER_SRIFT_LEARNED_BOOST_H

#include "base/err.h"

#include <stddef.h>

/* Version of the library, or NULL: not built in. Then all that can fail
 * does. */
const char *pl_boost_version(void);

/* Row-major, x[n_rows * n_columns]; borrowed. */
struct pl_boost_data {
	const float *x;
	const float *label; /* [n_rows] */
	size_t n_rows, n_columns;
};

/* XGBoost's names are in brackets. */
struct pl_boost_params {
	double slope;      /* pseudo-Huber [huber_slope]; 0: squared error */
	double rate;       /* [eta] */
	double min_weight; /* [min_child_weight] */
	size_t depth;      /* [max_depth] */
};

/* Trees, growing or grown. One thread at a time. */
struct pl_boost;

/* Without trees yet; @watched (may be NULL) is what pl_boost_watch() tells
 * about. NULL with @err set. Same data, same trees: there is no chance, and one
 * thread. */
struct pl_boost *pl_boost_create(const struct pl_boost_data *train,
				 const struct pl_boost_data *watched,
				 const struct pl_boost_params *params,
				 struct pl_err *err);
void pl_boost_destroy(struct pl_boost *b);

/* So many trees more. 0, or -1 with @err set; so below. */
int pl_boost_grow(struct pl_boost *b, size_t n_trees, struct pl_err *err);

/* Fills out[n_rows] for the data that is watched; for any rows of as many
 * columns. */
int pl_boost_watch(struct pl_boost *b, float *out, struct pl_err *err);
int pl_boost_predict(const struct pl_boost *b, const float *x, size_t n_rows,
		     size_t n_columns, float *out, struct pl_err *err);

/* The trees as one line of JSON, the caller's to free(); NULL with @err set. */
char *pl_boost_save(struct pl_boost *b, struct pl_err *err);

/* The same back: NULL with @err set, PL_EINPUT where it is no such line or
 * knows of another number of columns. The text is to be one that
 * pl_trees_check() has passed: XGBoost trusts the numbers in it. */
struct pl_boost *pl_boost_load(const char *s, size_t len, size_t n_columns,
			       struct pl_err *err);

#endif
