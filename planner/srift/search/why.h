/* SPDX-License-Identifier: BSD-3-Clause */
/* why.h - which limit leaves no choice of machines, and by how much */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_WHY_H
#define PLINK_PLANNER_SRIFT_SEARCH_WHY_H

#include "planner/srift/search/search.h"

enum pl_binding {
	PL_BINDS_SAMPLES, /* more than all machines hold: limit, needed */
	PL_BINDS_DIVISOR, /* no multiple of what all batches are: limit */
	PL_BINDS_SUM,     /* nothing adds up that the network is known for */
	PL_BINDS_TIME,    /* seconds of all iterations: limit, needed */
	PL_BINDS_BUDGET,  /* dollars of all iterations: limit, needed */
	PL_BINDS_BOTH,    /* either can be kept, but not together */
	PL_BINDS_NOTHING, /* as far as is known: the search was too short */
};

struct pl_why {
	enum pl_binding binding;
	double limit, needed;
	/* What is needed is known to be no less than this: needed, where all
	 * was searched. */
	double proved;
	/* Both: the fastest within the budget and the cheapest in time. */
	double seconds_in_budget, dollars_in_time;
};

/* Why has the search for that goal found nothing? Each question takes up to
 * that effort. 0, or -1 with @err set: no memory. */
int pl_why_none(struct pl_why *why, struct pl_sim *sim,
		const struct pl_srift_goal *goal,
		const struct pl_effort *effort, struct pl_err *err);

#endif
