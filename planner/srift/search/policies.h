/* SPDX-License-Identifier: BSD-3-Clause */
/* policies.h - choices by rules of thumb, for comparison */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_POLICIES_H
#define PLINK_PLANNER_SRIFT_SEARCH_POLICIES_H

#include "planner/srift/search/choice.h"

#include <stdbool.h>

enum pl_policy {
	PL_CAP, /* cost-aware: cheaper machines first */
	PL_TAP, /* throughput-aware: faster machines first */
};

/*
 * Takes machines of one type after another, each with its largest batch, until all samples are
 * distributed (srift 5.2). PL_CAP sorts types by the price of a machine for an hour, PL_TAP by
 * samples per second of both passes. The last type takes the largest batch that divides the samples
 * left. Limits of time and money are ignored. False if the samples cannot be distributed in this
 * way.
 */
bool pl_policy_choose(enum pl_policy policy, const struct pl_market *m, uint64_t samples,
		      struct pl_srift_choice *choice);

#endif
