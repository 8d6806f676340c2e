/* SPDX-License-Identifier: BSD-3-Clause */
/* search.h - finds the best choice of machines, and proves that none is
 * better */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_SEARCH_H
#define PLINK_PLANNER_SRIFT_SEARCH_SEARCH_H

#include "planner/srift/iteration/sim.h"
#include "planner/srift/search/choice.h"
#include "planner/srift/search/front.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of a search. The same work gives the same answer on every machine; a deadline does not. */
struct pl_effort {
	uint64_t work;       /* number of partial or complete choices looked at */
	int64_t deadline_ns; /* of CLOCK_MONOTONIC; INT64_MAX: none */
};

/* The result. Start with {0}, end with fini. */
struct pl_srift_answer {
	bool found;
	struct pl_quote best;
	/* Everything was searched: there is no better choice, or no choice at all. */
	bool exact;
	/* Lower bound on the objective, over all iterations. INFINITY if it is proved that there is
	 * no choice. */
	double bound;
	/* by_boxes: the bound is from boxes.h; by_program: the choice is from an integer programme;
	 * programs: number of those solved. */
	bool by_boxes, by_program;
	uint64_t programs;
	uint64_t work, simulated;
	/* If requested: the Pareto front, complete if exact. */
	struct pl_front front;
};
void pl_answer_fini(struct pl_srift_answer *a);

/*
 * Searches all choices within the limits of the goal (srift 4.4): their samples add up to those of
 * the goal, each type has at most available[type] machines, and all machines of a type have the
 * same batch. Branch and bound: first the slowest pair of type and batch is fixed, then types are
 * added, those with the cheapest samples first. Choices are left out only if bounds (relax.h,
 * sim.h) show that none of them is better:
 * - a choice takes at least the time of its slowest pair, the time of the part
 *   chosen so far, and the time of the forward pass and of all-reduces of as
 *   many ranks as it must have;
 * - it costs at least the part chosen so far plus the rest of the samples on
 *   the machines with the cheapest samples.
 * @front: find the Pareto front of all choices within the limits as well.
 * A choice that is already in @a stays unless a better one is found, and the
 * work done for it counts; exact and bound are set anew. 0, or -1 with @a empty
 * and @err set: out of memory.
 */
int pl_search(struct pl_srift_answer *a, struct pl_sim *sim, const struct pl_srift_goal *goal,
	      const size_t *available, const struct pl_effort *effort, bool front,
	      struct pl_err *err);

/* Sets available[n_types] to all machines of each type of the market. */
void pl_search_all(const struct pl_market *m, size_t *available);

/* Number of machines by which the eager search grows (srift 4.4). */
#define PL_EAGER_STEP 8

/*
 * eager.c: for too many choices to try. Searches all with a tenth of the work; if that completes,
 * its answer counts. Otherwise sorts types by the preference of the market's rule, then by the
 * objective for each type alone: dollars, or seconds, for a sample at the largest batch. Searches
 * among @step machines of the first type, then 2 @step, 4 @step, and so on, to no more than batch
 * and budget allow; then adds the second type in the same way, until all types are included or the
 * effort is used up. Returns the best choice found: always within the limits, and exact if
 * everything was searched; the bound is for all types. 0, or -1 with @err set: out of memory. @a
 * must be empty.
 */
int pl_search_eager(struct pl_srift_answer *a, struct pl_sim *sim, const struct pl_srift_goal *goal,
		    size_t step, const struct pl_effort *effort, struct pl_err *err);

#endif
