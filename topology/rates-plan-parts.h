/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-plan-parts.h - what the plan's sets are made by */
#ifndef PLINK_TOPOLOGY_RATES_PLAN_PARTS_H
#define PLINK_TOPOLOGY_RATES_PLAN_PARTS_H

#include "topology/rates-plan.h"

/* Rounds of flows that are alone between their groups; sets of uplinks of a
 * level, and those of slow ones. */
#define PL_RATES_ROUNDS_LONE 2
#define PL_RATES_SETS_MOST 16
#define PL_RATES_SETS_AGAIN 8

enum pl_rates_plan_stage {
	PL_RATES_CARDS,
	PL_RATES_UNEQUAL,
	PL_RATES_LONE,
	PL_RATES_UPLINKS,
	PL_RATES_AGAIN,
	PL_RATES_DONE
};

/* How many levels of groups have groups around them: 0 where racks are not
 * known, 1 where there are only racks. */
size_t pl_rates_levels(const struct pl_tiers *t);

/* Hosts of a group (PL_NO_GROUP: all) that are up and not in the set yet; how
 * many. */
size_t pl_rates_plan_hosts(const struct pl_rates_plan *p, size_t group,
			   size_t *host);

/* Both directions between two of them. */
void pl_rates_plan_add(struct pl_rates_plan *p, size_t a, size_t b);

/* The set of p->step between groups within those of p->level; it may be
 * empty. */
void pl_rates_plan_between(struct pl_rates_plan *p,
			   enum pl_rates_plan_stage stage);

#endif
