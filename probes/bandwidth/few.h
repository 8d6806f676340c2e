/* SPDX-License-Identifier: BSD-3-Clause */
/* few.h - measures the few flows that a chooser names, set by set */
#ifndef PLINK_PROBES_BANDWIDTH_FEW_H
#define PLINK_PROBES_BANDWIDTH_FEW_H

#include "probes/run/coordinator.h"

/*
 * Measures all sets of options->flow_chooser. Flows that lose many segments are
 * repeated (looks.h). @ask says how to measure a flow that has its links for
 * itself. report->few_missing counts the flows that failed. 0; -1 with @err
 * set, or with @err and few_missing untouched when told to stop or when the
 * time budget is over.
 */
int pl_few_measure(struct pl_coordinator *c, const struct pl_matrix *m,
		   const struct pl_flow_ask *ask,
		   struct pl_probe_report *report, struct pl_err *err);

#endif
