/* SPDX-License-Identifier: BSD-3-Clause */
/* boxes.h - a bound on all choices, by compute time and number of ranks */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_BOXES_H
#define PLINK_PLANNER_SRIFT_SEARCH_BOXES_H

#include "planner/srift/search/search.h"

/*
 * For a pl_search() that used up its work: looks for a better choice than that in @a, and for a
 * better bound. a->exact stays as it is.
 *
 * The time of an iteration depends mainly on T, the mean compute time of its slowest machine, and
 * on the number of ranks. A box is a range of T, T0 to T1, and of ranks, n0 to n1. Lower bounds on
 * its choices come from least.h for time, and from within.h at T1 for ranks, which raises n0, and
 * for dollars. Boxes are halved, the one with the least bound first; a box that cannot hold a
 * choice better than the best so far is dropped. For a small box the integer program (program.h) is
 * solved; this raises n0 once more, and its choice is simulated like all others. The least bound of
 * the boxes that remain is a bound on all choices. effort->work includes the work done before. 0,
 * or -1 with @a empty and @err set: out of memory.
 */
int pl_boxes_search(struct pl_srift_answer *a, struct pl_sim *sim, const struct pl_srift_goal *goal,
		    const size_t *available, const struct pl_effort *effort, struct pl_err *err);

/*
 * pl_search(), followed by boxes if it does not come to its end. For the objective cost, whose
 * bounds are close, boxes have a quarter of the work in addition. For the objective time, the
 * search has an eighth of the work, but at least 5000 units, and boxes have the rest. With @front
 * only pl_search() runs. Otherwise as pl_search().
 */
int pl_search_bounded(struct pl_srift_answer *a, struct pl_sim *sim,
		      const struct pl_srift_goal *goal, const size_t *available,
		      const struct pl_effort *effort, bool front, struct pl_err *err);

#endif
