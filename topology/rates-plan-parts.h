/* SPDX-License-Identifier: BSD-3-Clause */
/* rates-plan-parts.h - helpers that make the plan's sets of flows */
#ifndef PLINK_TOPOLOGY_RATES_PLAN_PARTS_H
#define PLINK_TOPOLOGY_RATES_PLAN_PARTS_H

#include "topology/rates-plan.h"

/* Limits: rounds of single flows between groups; sets for the uplinks of a level; sets that measure
 * slow uplinks again. */
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

/* How many levels of groups are within wider ones, the whole network included: 0 where racks are
 * not known, 1 where there are only racks. */
size_t pl_rates_levels(const struct pl_tiers *t);

/* Fills @host with the hosts of a group (PL_NO_GROUP: of all) that are up and not in the set yet.
 * Returns their number. */
size_t pl_rates_plan_hosts(const struct pl_rates_plan *p, size_t group, size_t *host);

/* Adds a flow in each direction between two hosts to the set. */
void pl_rates_plan_add(struct pl_rates_plan *p, size_t a, size_t b);

/* Makes the set of p->step between the groups that are directly within a group of p->level; the set
 * may be empty. */
void pl_rates_plan_between(struct pl_rates_plan *p, enum pl_rates_plan_stage stage);

#endif
