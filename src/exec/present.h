/* SPDX-License-Identifier: BSD-3-Clause */
/* present.h - which hosts of a plan are in the job */
#ifndef PLINK_SRC_EXEC_PRESENT_H
#define PLINK_SRC_EXEC_PRESENT_H

#include "base/plan/plan.h"

/* Takes out of the plan the hosts that the host list @path does not have. 0, or -1: PL_EINPUT (the
 * list), PL_EPARTIAL if the plan lacks a host of the list, PL_ESYSTEM. */
int pl_present_restrict(struct pl_plan *plan, const char *path, struct pl_err *err);

/*
 * The same with the nodes of the Slurm step that this process is in. The plan stays as it is if
 * there is no step, or if it lacks one of its nodes: its size then does not fit.
 */
int pl_present_restrict_to_slurm(struct pl_plan *plan, struct pl_err *err);

/*
 * The same for tasks that must decide alike without a word between them: the plan must have each
 * node of the step, by the node's name or address, with as many slots as the step has tasks there.
 * Otherwise -1 with @err set, in each task: PL_EPARTIAL, PL_EINPUT (no step), PL_ESYSTEM.
 */
int pl_present_match_slurm(struct pl_plan *plan, struct pl_err *err);

#endif
