/* SPDX-License-Identifier: BSD-3-Clause */
/* front.h - choices of which none is both faster and cheaper than another */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_FRONT_H
#define PLINK_PLANNER_SRIFT_SEARCH_FRONT_H

#include "planner/srift/search/choice.h"

#include <stdbool.h>
#include <stddef.h>

/* Pareto front of seconds and dollars of an iteration: from the fastest to the
 * cheapest. Start with {0}, end with fini. */
struct pl_front {
	struct pl_quote *quote;
	size_t n, room;
};
void pl_front_fini(struct pl_front *front);

/* Is there a choice that takes no longer and costs no more? */
bool pl_front_covers(const struct pl_front *front, double seconds,
		     double dollars);

/* Adds a choice, unless it is covered, and takes out those that it covers.
 * dollars = seconds * per_hour, in whatever unit. 0, or -1: no memory. */
int pl_front_add(struct pl_front *front, const struct pl_quote *q);

#endif
