/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.h - measures what is missing, then what must be measured again */
#ifndef PLINK_PROBES_RUN_MEASURE_H
#define PLINK_PROBES_RUN_MEASURE_H

#include "probes/run/collect.h"
#include "probes/run/coordinator.h"

/*
 * Lists the pairs of hosts with @wanted true that lack a cell; only the missing directions are
 * asked for. Returns their number. @v NULL: only counts them.
 */
size_t pl_measure_list(const struct pl_matrix *m, const bool *wanted, struct pl_meet *v);

/*
 * Starts the agents, measures, and notes why cells are missing. 0: the matrix is worth keeping,
 * even if incomplete; -1 with @err set.
 */
int pl_measure(struct pl_coordinator *c, struct pl_collect *collect, struct pl_probe_report *report,
	       struct pl_err *err);

#endif
