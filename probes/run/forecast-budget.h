/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-budget.h - how long a pair takes, and how far a budget will last */
#ifndef PLINK_PROBES_RUN_FORECAST_BUDGET_H
#define PLINK_PROBES_RUN_FORECAST_BUDGET_H

#include "probes/run/probe.h"

/* Seconds that a pair takes for @probes counted probes and the warm-up, 1.5
 * gaps each, but no longer than it is allowed. */
double pl_forecast_pair(const struct pl_probe_options *o, double probes);

/*
 * Changes @f, the forecast without a budget, into the one with the budgets of
 * @o. The more probes each pair takes, the fewer pairs a budget lasts for: the
 * fewest if no pair ever settles, the most if each settles at its least number
 * of probes (the reserve that pl_budget_share adds must be left, too).
 */
void pl_forecast_limit(struct pl_probe_forecast *f,
		       const struct pl_probe_options *o);

#endif
