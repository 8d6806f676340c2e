/* SPDX-License-Identifier: BSD-3-Clause */
/* predicted.h - the steps of a run, predicted from a profile of the model */
#ifndef PLINK_PLANNER_STALLS_PREDICTED_H
#define PLINK_PLANNER_STALLS_PREDICTED_H

#include "planner/srift/comm/comm.h"
#include "planner/srift/profile/profile.h"
#include "planner/stalls/runs.h"

/* All-reduces between the GPUs of a machine, and between machines. NULL: not known. */
struct pl_stall_nets {
	const struct pl_comm *inside, *between;
};

/*
 * Predicts t1, t2 and t5 of @run in seconds, as pl_iterate() does; others, and those whose network
 * or machines are not known, become NaN. Gradients are exchanged as DistributedDataParallel does by
 * default: in buckets, one all-reduce after the other. t1 is computing alone. 0, or -1 with @err
 * set: PL_EINPUT if @run has no batch, if its GPUs are not those of whole machines of the profile,
 * or if the profile lacks the machine or the batch.
 */
int pl_stall_predict(double t_s[PL_STALL_STEPS], const struct pl_stall_run *run,
		     const struct pl_profile *profile, const struct pl_stall_nets *nets,
		     struct pl_err *err);

#endif
