/* SPDX-License-Identifier: BSD-3-Clause */
/* workload.h - a workload of MLPerf Storage, as what-if takes it */
#ifndef PLINK_PLANNER_STALLS_WORKLOAD_H
#define PLINK_PLANNER_STALLS_WORKLOAD_H

#include "planner/stalls/whatif.h"

/* Is it such a file? Its first word is "model:". */
bool pl_stall_workload_is(const struct pl_text *text);

/*
 * Reads a workload of MLPerf Storage (YAML of DLIO): what one accelerator trains in a second, and
 * the size of the data set. Preparing is taken to hold nothing up. The rates of storage and memory
 * stay as they are. 0, or -1 with @err set, PL_EINPUT with the place.
 */
int pl_stall_workload_parse(struct pl_stall_store *store, struct pl_text *text, struct pl_err *err);

#endif
