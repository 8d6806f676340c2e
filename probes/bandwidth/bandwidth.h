/* SPDX-License-Identifier: BSD-3-Clause */
/* bandwidth.h - the TCP bandwidth of every pair, alone and together with all others */
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
 * Measures all sets of options->flow_chooser. Flows that lose many segments are repeated (looks.h).
 * @ask says how to measure a flow that has its links for itself. report->few_missing counts the
 * flows that failed; @m notes why. 0, or -1 with @err set and few_missing unchanged: PL_EPARTIAL
 * when told to stop or when the time budget is over.
 */
int pl_few_measure(struct pl_coordinator *c, struct pl_matrix *m, const struct pl_flow_ask *ask,
		   struct pl_probe_report *report, struct pl_err *err);

/* Of a flow that was not measured: which of its hosts is lost, in @text; NULL: neither is. */
const char *pl_bandwidth_lost(const struct pl_coordinator *c, size_t src, size_t dst,
			      char text[PL_LINE_CHARS]);

/* Notes a reason on each missing cell that has none: its host was lost, or else @why. 0, or -1: out
 * of memory. */
int pl_bandwidth_explain(const struct pl_coordinator *c, struct pl_matrix *m, const char *why);

/* Flows, each way alone and together, that @m, a matrix over @n_hosts hosts, lacks; @m NULL: all
 * are missing. One that loses much is measured again, which is not counted. */
size_t pl_bandwidth_count(const struct pl_matrix *m, size_t n_hosts,
			  const struct pl_probe_options *options);

#endif
