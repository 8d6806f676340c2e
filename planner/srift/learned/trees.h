/* SPDX-License-Identifier: BSD-3-Clause */
/* trees.h - checks that XGBoost's JSON describes valid trees */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_TREES_H
#define PLINK_PLANNER_SRIFT_LEARNED_TREES_H

#include "base/err.h"

#include <stddef.h>

/*
 * XGBoost follows the children and features of nodes in a model without any
 * check. Returns 0 if @s is JSON of boosted trees in which each node is reached
 * exactly once from the root and uses a feature below @n_features, and all
 * lists have the length that the tree states; else -1 with @err set (PL_EINPUT,
 * or out of memory).
 */
int pl_trees_check(const char *s, size_t len, size_t n_features,
		   struct pl_err *err);

#endif
