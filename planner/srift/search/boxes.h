/* SPDX-License-Identifier: BSD-3-Clause */
/* boxes.h - choices by how long they compute and on how many ranks: a bound of
 * all */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_BOXES_H
#define PLINK_PLANNER_SRIFT_SEARCH_BOXES_H

#include "planner/srift/search/search.h"

/*
 * Where pl_search() came to the end of its work: a better choice than @a has,
 * if one is found, and a better bound. a->exact stays as it is.
 *
 * What an iteration takes depends, more than on anything else, on how long its
 * slowest machine computes, T in the mean, and on the number of ranks. Of a
 * box, T from T0 to T1 and ranks from n0 to n1, it is known what its choices
 * take at least: of time, least.h; of ranks and dollars, within.h at T1, which
 * raises n0. Boxes are halved, the one with the least bound first; those that
 * cannot hold anything better than what is there are left out. What a box that
 * is small may hold is asked from the integer programme (program.h), which
 * raises n0 once more, and whose choice is simulated like all others. The least
 * bound of the boxes that remain is one of all choices. effort->work counts
 * what was done before. 0, or -1 with @a empty and @err set: no memory.
 */
int pl_boxes_search(struct pl_srift_answer *a, struct pl_sim *sim,
		    const struct pl_srift_goal *goal, const size_t *available,
		    const struct pl_effort *effort, struct pl_err *err);

/*
 * The search, and boxes where that does not come to its end: of cost, whose
 * bounds are near, boxes have a quarter of the work besides; of time, the
 * search has an eighth of it, but not less than 5000 units, and they the rest.
 * A front is the search's alone. As pl_search() otherwise.
 */
int pl_search_bounded(struct pl_srift_answer *a, struct pl_sim *sim,
		      const struct pl_srift_goal *goal, const size_t *available,
		      const struct pl_effort *effort, bool front,
		      struct pl_err *err);

#endif
