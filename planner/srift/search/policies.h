/* SPDX-License-Identifier: BSD-3-Clause */
/* policies.h - choices by rule of thumb, to compare with */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_POLICIES_H
#define PLINK_PLANNER_SRIFT_SEARCH_POLICIES_H

#include "planner/srift/search/choice.h"

#include <stdbool.h>

enum pl_policy {
	PL_CAP, /* cost-aware: cheaper machines first */
	PL_TAP, /* throughput-aware: faster machines first */
};

/*
 * Takes machines of one type after another, each with the largest batch that it
 * holds, until all samples are distributed (srift 5.2). Cheaper: by the price
 * of an hour of a machine; faster: by samples per second of both passes. The
 * last type takes the largest batch by which the samples left can be divided.
 * Knows no limits of time and money. False where the samples cannot be
 * distributed so.
 */
bool pl_policy_choose(enum pl_policy policy, const struct pl_market *m,
		      uint64_t samples, struct pl_srift_choice *choice);

/* The order in which it takes the types: order[n_types]. */
void pl_policy_order(enum pl_policy policy, const struct pl_market *m,
		     size_t *order);

#endif
