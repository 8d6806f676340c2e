/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.h - what the stalls of a run ask for, in words */
#ifndef PLINK_PLANNER_STALLS_ADVICE_H
#define PLINK_PLANNER_STALLS_ADVICE_H

#include "planner/stalls/parts.h"

#include <stdio.h>

/* A stall of a smaller share is not worth a change. */
#define PL_STALL_WORTH 0.05
/* Nor is one of fewer standard errors certain. */
#define PL_STALL_CERTAIN 3

/* The loader workers of a GPU with which preparing holds nothing up, if each prepares as fast as
 * those that were measured: without any, the processor prepares between two iterations. 0: not
 * known, or nothing is held up. */
uint64_t pl_stall_workers_wanted(const struct pl_stall_run *run);

/* Writes a line for each stall that is worth a change, the longest first, or one that there is
 * none; @indent begins each of them. */
void pl_stall_advise(const struct pl_stall_run *run, const char *indent, FILE *out);

#endif
