/* SPDX-License-Identifier: BSD-3-Clause */
/* crossval.h - chooses the trees with the least error on rows they have not seen */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_CROSSVAL_H
#define PLINK_PLANNER_SRIFT_LEARNED_CROSSVAL_H

#include "planner/srift/learned/boost.h"

#include <stddef.h>

#define PL_SEARCH_VALUES_MAX 16
#define PL_SEARCH_TREES_MAX 5000
#define PL_SEARCH_FOLDS_MAX 100

/* Values to try, each with each. */
struct pl_search_list {
	double v[PL_SEARCH_VALUES_MAX];
	size_t n;
};

struct pl_boost_search {
	struct pl_search_list depth, rate, min_weight;
	struct pl_search_list slope; /* {0}: squared error */
	/* numbers of trees to try: multiples of every, up to n_trees */
	size_t n_trees, every;
	size_t n_folds; /* 2 at least */
};

/* The default search. */
#define PL_SEARCH_DEFAULT                                                                          \
	((struct pl_boost_search){                                                                 \
		.depth = {{4, 6, 8}, 3},                                                           \
		.rate = {{0.1, 0.3}, 2},                                                           \
		.min_weight = {{1, 10}, 2},                                                        \
		.slope = {{0.3, 1, 3}, 3},                                                         \
		.n_trees = 400,                                                                    \
		.every = 50,                                                                       \
		.n_folds = 10,                                                                     \
	})

/* The parameters chosen, and their mean absolute percentage errors over the folds. */
struct pl_boost_fit {
	struct pl_boost_params params;
	size_t n_trees;
	double mape, mape_least, mape_most; /* shares, not percent */
	size_t n_tried;                     /* combinations, each number of trees counted */
};

/*
 * Mean absolute percentage error of n > 0 rows. Labels are logarithms; the error of a row is
 * |exp(told - label) - 1|, where told is first limited to the range of the labels learned from,
 * [least, most]. INFINITY if any value is not a number.
 */
double pl_mape(const float *told, const float *label, size_t n, float least, float most);

/* Called after each fold of each combination with the share of the work that is done. */
struct pl_boost_progress {
	void (*tell)(void *arg, double share);
	void *arg;
};

/*
 * Tries all combinations by cross-validation and takes the one with the least mean error (srift
 * 4.2: "model selection based on ... MAPE"), the first of equal ones. Row i is withheld in fold
 * part[i] < n_folds; each fold has a row. 0, or -1 with @err set: out of memory, or an error of
 * XGBoost. Same arguments, same choice.
 */
int pl_search_run(struct pl_boost_fit *fit, const struct pl_boost_data *data, const size_t *part,
		  const struct pl_boost_search *search, const struct pl_boost_progress *progress,
		  struct pl_err *err);

#endif
