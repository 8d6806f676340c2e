/* SPDX-License-Identifier: BSD-3-Clause */
/* features.h - machines and all-reduces as rows of numbers */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_FEATURES_H
#define PLINK_PLANNER_SRIFT_LEARNED_FEATURES_H

#include "planner/srift/learned/learned.h"

/* Collects the names that the machines of the model have. 0, or -1: out of
 * memory. */
int pl_categories_find(struct pl_learned *m);
void pl_categories_fini(struct pl_learned *m);

/* Fills x[PL_FEATURES]. */
void pl_features_fill(const struct pl_learned *m,
		      const struct pl_learned_query *query, float *x);

#endif
