/* SPDX-License-Identifier: BSD-3-Clause */
/* search.h - the best choice of machines, and the proof that there is no better
 * one */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_SEARCH_H
#define PLINK_PLANNER_SRIFT_SEARCH_SEARCH_H

#include "planner/srift/iteration/sim.h"
#include "planner/srift/search/choice.h"
#include "planner/srift/search/front.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much may be done. The same work gives the same answer on every machine; a
 * deadline does not. */
struct pl_effort {
	uint64_t work; /* choices, in part or in full, that are looked at */
	int64_t deadline_ns; /* of CLOCK_MONOTONIC; INT64_MAX: none */
};

/* What was found. Start with {0}, end with fini. */
struct pl_srift_answer {
	bool found;
	struct pl_quote best;
	/* Nothing was left out: there is no better choice, or no choice. */
	bool exact;
	/* Of the objective, over all iterations: no choice is below. INFINITY
	 * where it is proved that there is none. */
	double bound;
	/* The bound is that of boxes.h; the choice is that of an integer
	 * programme, of which so many were solved. */
	bool by_boxes, by_program;
	uint64_t programs;
	uint64_t work, simulated;
	/* Where it was asked for: all of the Pareto front, if exact. */
	struct pl_front front;
};
void pl_answer_fini(struct pl_srift_answer *a);

/*
 * Searches all choices whose samples add up to the goal's, with no more than
 * available[type] machines of a type, all of a type with the same batch, within
 * the goal's limits (srift 4.4). Branch and bound: the slowest pair of type and
 * batch is fixed first; then types are added, cheapest samples first. What is
 * left out cannot hold a better choice, as bounds (relax.h, sim.h) show:
 * - a choice takes no less time than its slowest pair, than the part chosen so
 *   far, and than forward pass and all-reduces of as many ranks as it must
 *   have;
 * - it costs no less an hour than the part chosen so far and the rest of the
 *   samples on the machines that have them cheapest.
 * @front: the Pareto front is wanted, of all choices within the limits.
 * A choice that is in @a already stays, unless a better one is found, and the
 * work done for it counts; exact and bound are told anew. 0, or -1 with @a
 * empty and @err set: no memory.
 */
int pl_search(struct pl_srift_answer *a, struct pl_sim *sim,
	      const struct pl_srift_goal *goal, const size_t *available,
	      const struct pl_effort *effort, bool front, struct pl_err *err);

/* What is available of each type of the market: [n_types]. */
void pl_search_all(const struct pl_market *m, size_t *available);

#endif
