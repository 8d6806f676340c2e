/* SPDX-License-Identifier: BSD-3-Clause */
/* bandwidth.h - the TCP bandwidth of every pair, alone and together with all
 * others */
#ifndef PLINK_PROBES_BANDWIDTH_BANDWIDTH_H
#define PLINK_PROBES_BANDWIDTH_BANDWIDTH_H

#include "probes/run/coordinator.h"

/*
 * Fills the missing cells of the layers that are asked for, between hosts that
 * are up. alone: one flow in the whole network at a time. together: the rounds
 * of schedule.h, with both directions of all pairs of a round at once. 0, or
 * -1 with @err set: PL_EPARTIAL when told to stop or when the time budget is
 * over.
 */
int pl_bandwidth_measure(struct pl_coordinator *c, struct pl_matrix *m,
			 struct pl_probe_report *report, struct pl_err *err);

/*
 * Measures all sets of options->flow_chooser. Flows that lose many segments are
 * repeated (looks.h). @ask says how to measure a flow that has its links for
 * itself. report->few_missing counts the flows that failed. 0, or -1 with @err
 * set and few_missing unchanged: PL_EPARTIAL when told to stop or when the time
 * budget is over.
 */
int pl_few_measure(struct pl_coordinator *c, const struct pl_matrix *m,
		   const struct pl_flow_ask *ask, struct pl_probe_report *report,
		   struct pl_err *err);

/* Notes a reason on each missing cell that has none: its host was lost, or else
 * @why. 0, or -1: out of memory. */
int pl_bandwidth_explain(const struct pl_coordinator *c, struct pl_matrix *m, const char *why);

/* Adds to @f the time and bytes that the missing cells of @m, a matrix over
 * @n_hosts hosts, will take; @m NULL: all cells are missing. */
void pl_bandwidth_forecast(const struct pl_matrix *m, size_t n_hosts,
			   const struct pl_probe_options *options, struct pl_probe_forecast *f);

#endif
