/* SPDX-License-Identifier: BSD-3-Clause */
/* front.h - Pareto front: choices for which no other choice is both faster and cheaper */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_FRONT_H
#define PLINK_PLANNER_SRIFT_SEARCH_FRONT_H

#include "planner/srift/search/choice.h"

#include <stdbool.h>
#include <stddef.h>

/* Pareto front of seconds and dollars of an iteration, from the fastest to the cheapest choice.
 * Start with {0}, end with fini. */
struct pl_front {
	struct pl_quote *quote;
	size_t n, room;
};
void pl_front_fini(struct pl_front *front);

/* Does the front have a choice that takes no longer and costs no more? */
bool pl_front_covers(const struct pl_front *front, double seconds, double dollars);

/* Adds a choice unless it is covered, and removes those that it covers. dollars = seconds *
 * per_hour, in any unit. 0, or -1: out of memory. */
int pl_front_add(struct pl_front *front, const struct pl_quote *q);

#endif
