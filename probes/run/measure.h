/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.h - what a run measures: what is missing, then what must be seen
 * again */
#ifndef PLINK_PROBES_RUN_MEASURE_H
#define PLINK_PROBES_RUN_MEASURE_H

#include "probes/run/collect.h"
#include "probes/run/coordinator.h"

/*
 * All pairs of the hosts for which @wanted is true with a cell missing; the
 * other direction, if it is there, is not asked for. v: NULL, then they are
 * only counted.
 */
size_t pl_measure_list(const struct pl_matrix *m, const bool *wanted,
		       struct pl_meet *v);

/*
 * Starts the agents, measures, and explains what is missing. 0: the matrix is
 * worth having, if in part; -1 with @err set.
 */
int pl_measure(struct pl_coordinator *c, struct pl_collect *collect,
	       struct pl_probe_report *report, struct pl_err *err);

#endif
