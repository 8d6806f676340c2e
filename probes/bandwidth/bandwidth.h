/* SPDX-License-Identifier: BSD-3-Clause */
/* bandwidth.h - what every pair gets through, alone and with all others at
 * once */
#ifndef PLINK_PROBES_BANDWIDTH_BANDWIDTH_H
#define PLINK_PROBES_BANDWIDTH_BANDWIDTH_H

#include "probes/run/coordinator.h"

/*
 * Fills what is missing in the layers that are asked for, between hosts that
 * are up: alone, one flow in all at a time; together, the rounds of schedule.h,
 * both directions of all pairs of a round at once. 0; -1 with @err set, or
 * untouched when told to stop or when the budget's time is over.
 */
int pl_bandwidth_measure(struct pl_coordinator *c, struct pl_matrix *m,
			 struct pl_probe_report *report, struct pl_err *err);

/* Says why cells are missing of which that is not known: a host was lost, or
 * else @why. 0, or -1: out of memory. */
int pl_bandwidth_explain(const struct pl_coordinator *c, struct pl_matrix *m,
			 const char *why);

/* Adds to @f what the missing cells of @m, which is over @n_hosts, are going to
 * take; NULL: all are missing. */
void pl_bandwidth_forecast(const struct pl_matrix *m, size_t n_hosts,
			   const struct pl_probe_options *options,
			   struct pl_probe_forecast *f);

#endif
