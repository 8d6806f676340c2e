/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-budget.h - how long a pair takes, and how far a budget will reach */
#ifndef PLINK_PROBES_RUN_FORECAST_BUDGET_H
#define PLINK_PROBES_RUN_FORECAST_BUDGET_H

#include "probes/run/probe.h"

/* Seconds of a pair of @probes that count: as these and the warm-up take, 1.5
 * gaps each, but no longer than it may. */
double pl_forecast_pair(const struct pl_probe_options *o, double probes);

/*
 * Makes of @f, which is what a run takes without a budget, what it takes with
 * those of @o. The more probes each pair takes the fewer pairs a budget lasts
 * for: the fewest are those when none ever settles, the most when each is
 * settled by its least number of probes (which pl_budget_share adds some to,
 * that must be there).
 */
void pl_forecast_limit(struct pl_probe_forecast *f,
		       const struct pl_probe_options *o);

#endif
