/* SPDX-License-Identifier: BSD-3-Clause */
/* few.h - flows that somebody chooses, set by set */
#ifndef PLINK_PROBES_BANDWIDTH_FEW_H
#define PLINK_PROBES_BANDWIDTH_FEW_H

#include "probes/run/coordinator.h"

/*
 * Measures the sets of options->flow_chooser to the last; those that lose much
 * are looked at again (looks.h). @ask is how a flow is measured that has its
 * links for itself. report->few_missing is how many failed. 0; -1 with @err
 * set, or untouched when told to stop or when the budget's time is over: then
 * few_missing is as it was.
 */
int pl_few_measure(struct pl_coordinator *c, const struct pl_matrix *m,
		   const struct pl_flow_ask *ask,
		   struct pl_probe_report *report, struct pl_err *err);

#endif
