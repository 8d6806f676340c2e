/* SPDX-License-Identifier: BSD-3-Clause */
/* why.h - explains why no choice of machines is within the limits */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_WHY_H
#define PLINK_PLANNER_SRIFT_SEARCH_WHY_H

#include "planner/srift/search/search.h"

enum pl_binding {
	PL_BINDS_SAMPLES, /* more samples than machines hold: limit, needed */
	PL_BINDS_DIVISOR, /* not a multiple of the common divisor of all
			     batches: limit */
	PL_BINDS_SUM,     /* no choice adds up for the numbers of ranks that the
			     network model knows */
	PL_BINDS_TIME,    /* seconds of all iterations: limit, needed */
	PL_BINDS_BUDGET,  /* dollars of all iterations: limit, needed */
	PL_BINDS_BOTH,    /* each limit can be kept alone, but not both */
	PL_BINDS_NOTHING, /* nothing is proved: the search was too short */
};

struct pl_why {
	enum pl_binding binding;
	double limit, needed;
	/* A lower bound on needed; equal to needed if everything was
	 * searched. */
	double proved;
	/* PL_BINDS_BOTH: the fastest choice within the budget, and the cheapest within the time
	 * limit. */
	double seconds_in_budget, dollars_in_time;
};

/* Finds out why the search for a goal found nothing. Each of its questions takes up to @effort. 0,
 * or -1 with @err set: out of memory. */
int pl_why_none(struct pl_why *why, struct pl_sim *sim, const struct pl_srift_goal *goal,
		const struct pl_effort *effort, struct pl_err *err);

#endif
