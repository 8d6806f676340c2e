/* SPDX-License-Identifier: BSD-3-Clause */
/* eager.h - a choice of few types of machines, where there are too many to
 * try */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_EAGER_H
#define PLINK_PLANNER_SRIFT_SEARCH_EAGER_H

#include "planner/srift/search/search.h"

/* Machines by which more are looked at (srift 4.4). */
#define PL_EAGER_STEP 8

/*
 * Ranks types by what the objective says of them alone: dollars, or seconds,
 * for a sample at the largest batch. Searches among @step machines of the first
 * type, then 2 @step, and so on; then the second type is added in the same way,
 * until all types are or the effort is spent. The best of what was found:
 * within the limits always, exact where all was searched; the bound is of all
 * types. 0, or -1 with @err set: no memory. @a must be empty.
 */
int pl_search_eager(struct pl_srift_answer *a, struct pl_sim *sim,
		    const struct pl_srift_goal *goal, size_t step,
		    const struct pl_effort *effort, struct pl_err *err);

#endif
