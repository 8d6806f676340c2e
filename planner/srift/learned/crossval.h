/* SPDX-License-Identifier: BSD-3-Clause */
/* crossval.h - which trees tell best what they have not seen */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_CROSSVAL_H
#define PLINK_PLANNER_SRIFT_LEARNED_CROSSVAL_H

#include "base/rng.h"
#include "planner/srift/learned/boost.h"

#include <stddef.h>

#define PL_SEARCH_VALUES_MAX 16
#define PL_SEARCH_TREES_MAX 5000
#define PL_SEARCH_FOLDS_MAX 100

/* Values that are tried, each with each. */
struct pl_search_list {
	double v[PL_SEARCH_VALUES_MAX];
	size_t n;
};

struct pl_boost_search {
	struct pl_search_list depth, rate, min_weight;
	struct pl_search_list slope; /* {0}: squared error */
	/* numbers of trees: every so many of them, up to n_trees */
	size_t n_trees, every;
	size_t n_folds; /* 2 at least */
};

/* What is tried where nobody says otherwise. */
#define PL_SEARCH_DEFAULT                                                      \
	((struct pl_boost_search){                                             \
		.depth = {{4, 6, 8}, 3},                                       \
		.rate = {{0.1, 0.3}, 2},                                       \
		.min_weight = {{1, 10}, 2},                                    \
		.slope = {{0.3, 1, 3}, 3},                                     \
		.n_trees = 400,                                                \
		.every = 50,                                                   \
		.n_folds = 10,                                                 \
	})

/* What was chosen, and mean absolute percentage errors over the folds. */
struct pl_boost_fit {
	struct pl_boost_params params;
	size_t n_trees;
	double mape, mape_least, mape_most; /* shares, not percent */
	size_t n_tried; /* combinations, numbers of trees among them */
};

/* Deals n rows, which stand in the order of their strata, to k parts (1 to
 * PL_SEARCH_FOLDS_MAX): of each k rows that follow each other every part gets
 * one, which one by chance. */
void pl_strata_deal(size_t n, size_t k, struct pl_rng *rng, size_t *part);

/*
 * Labels are logarithms: the share by which exp(told) misses exp(label),
 * |exp(told - label) - 1|, in the mean of n > 0 rows; what is told counts as no
 * less than the least and no more than the most of the labels learned from.
 * INFINITY where any is not a number.
 */
double pl_mape(const float *told, const float *label, size_t n, float least,
	       float most);

/* Told after each fold of each combination: the share of the work that is
 * done. */
struct pl_boost_progress {
	void (*tell)(void *arg, double share);
	void *arg;
};

/*
 * Tries all combinations by cross-validation and takes the one with the least
 * mean error (srift 4.2: "model selection based on ... MAPE"), the first of
 * equals. Row i is withheld in fold part[i] < n_folds, each of which has a row.
 * 0, or -1 with @err set: no memory, what XGBoost says. Same arguments, same
 * choice.
 */
int pl_search_run(struct pl_boost_fit *fit, const struct pl_boost_data *data,
		  const size_t *part, const struct pl_boost_search *search,
		  const struct pl_boost_progress *progress, struct pl_err *err);

#endif
