/* SPDX-License-Identifier: BSD-3-Clause */
/* boost.h - gradient boosted trees; the only place that uses XGBoost */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_BOOST_H
#define PLINK_PLANNER_SRIFT_LEARNED_BOOST_H

#include "base/err.h"

#include <stddef.h>

/* Version of the library, or NULL: not built in. Then every function that can fail does so. */
const char *pl_boost_version(void);

/* Row-major, x[n_rows * n_columns]; borrowed. */
struct pl_boost_data {
	const float *x;
	const float *label; /* [n_rows] */
	size_t n_rows, n_columns;
};

/* Names of XGBoost are in brackets. */
struct pl_boost_params {
	double slope;      /* pseudo-Huber [huber_slope]; 0: squared error */
	double rate;       /* [eta] */
	double min_weight; /* [min_child_weight] */
	size_t depth;      /* [max_depth] */
};

/* A model of trees that can grow. One thread at a time. */
struct pl_boost;

/* Creates a model without trees; @watched (may be NULL) is the data that pl_boost_watch() predicts.
 * NULL with @err set. The same data give the same trees: no random numbers, and one thread. */
struct pl_boost *pl_boost_create(const struct pl_boost_data *train,
				 const struct pl_boost_data *watched,
				 const struct pl_boost_params *params, struct pl_err *err);
void pl_boost_destroy(struct pl_boost *b);

/* Adds @n_trees trees. 0, or -1 with @err set; so for all functions below. */
int pl_boost_grow(struct pl_boost *b, size_t n_trees, struct pl_err *err);

/* Fill out[n_rows] with predictions: for the watched data; for any rows of the same number of
 * columns. */
int pl_boost_watch(struct pl_boost *b, float *out, struct pl_err *err);
int pl_boost_predict(const struct pl_boost *b, const float *x, size_t n_rows, size_t n_columns,
		     float *out, struct pl_err *err);

/* Returns the trees as one line of JSON, to be released with free(); NULL with @err set. */
char *pl_boost_save(struct pl_boost *b, struct pl_err *err);

/* Reads such a line. NULL with @err set: PL_EINPUT if it is not such a line or has another number
 * of columns. The text must have passed pl_trees_check(), because XGBoost trusts the numbers in
 * it. */
struct pl_boost *pl_boost_load(const char *s, size_t len, size_t n_columns, struct pl_err *err);

#endif
