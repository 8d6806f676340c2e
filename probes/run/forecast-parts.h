/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-parts.h - the functions that the files of a forecast share */
#ifndef PLINK_PROBES_RUN_FORECAST_PARTS_H
#define PLINK_PROBES_RUN_FORECAST_PARTS_H

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
void pl_forecast_limit(struct pl_probe_forecast *f, const struct pl_probe_options *o);

/*
 * Fills n_pairs, n_rounds, n_pairs_most and n_rounds_most of @f. A chooser
 * whose pairs all come in one step is asked once. Any other is simulated on
 * several artificial networks, which fill the cells that @resumed, if any,
 * lacks: racks of 16 in rows of 8 racks; racks of 5 in rows of 4, where each
 * host adds a share of its own to all its round trips; and hosts that are all
 * equally far apart. 0, or -1 with @err set.
 */
int pl_forecast_chosen(const struct pl_hosts *hosts, const struct pl_matrix *resumed,
		       const struct pl_probe_chooser *chooser, struct pl_probe_forecast *f,
		       struct pl_err *err);

#endif
