/* SPDX-License-Identifier: BSD-3-Clause */
/* eager.h - a search that starts with few types of machines, for too many
 * choices to try */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_EAGER_H
#define PLINK_PLANNER_SRIFT_SEARCH_EAGER_H

#include "planner/srift/search/search.h"

/* Number of machines by which the search grows (srift 4.4). */
#define PL_EAGER_STEP 8

/*
 * Sorts types by the objective for each type alone: dollars, or seconds, for a
 * sample at the largest batch. Searches among @step machines of the first type,
 * then 2 @step, and so on; then adds the second type in the same way, until all
 * types are included or the effort is used up. Returns the best choice found:
 * always within the limits, and exact if everything was searched; the bound is
 * for all types. 0, or -1 with @err set: out of memory. @a must be empty.
 */
int pl_search_eager(struct pl_srift_answer *a, struct pl_sim *sim,
		    const struct pl_srift_goal *goal, size_t step,
		    const struct pl_effort *effort, struct pl_err *err);

#endif
