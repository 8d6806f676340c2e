/* SPDX-License-Identifier: BSD-3-Clause */
/* trees.h - are the numbers in XGBoost's JSON those of trees? */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_TREES_H
#define PLINK_PLANNER_SRIFT_LEARNED_TREES_H

#include "base/err.h"

#include <stddef.h>

/*
 * XGBoost takes the children and features of nodes from a model as they are
 * told, and follows them without a look. 0 where @s is JSON of boosted trees
 * whose nodes are each reached once from the root, ask for a feature below
 * @n_features and have as many of everything as the tree says; else -1 with
 * @err set (PL_EINPUT, or no memory).
 */
int pl_trees_check(const char *s, size_t len, size_t n_features,
		   struct pl_err *err);

#endif
