/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - what a larger batch costs in epochs, from losses */
#ifndef PLINK_PLANNER_BATCH_PROGRESS_H
#define PLINK_PLANNER_BATCH_PROGRESS_H

#include "planner/batch/norms.h"

/* The job with the smaller batch must have had this factor of the samples. */
#define PL_PROGRESS_MORE 1.25

/* Why the losses of the job with the larger batch tell nothing, whatever the other one's are; NULL:
 * they may. */
const char *pl_batch_progress_unfit(const struct pl_norms *large);

/*
 * The samples after which the job with the larger batch has some loss, in terms of those after
 * which the other one has the same; both began with the same weights, and all iterations have
 * losses. The loss is the mean of the last third of the iterations of @large that have
 * PL_PROGRESS_MORE times their samples in @small, which has the mean of as many samples. NaN, with
 * the reason in *why, if the losses do not tell. O(iterations).
 */
double pl_batch_progress(const struct pl_norms *small, const struct pl_norms *large,
			 const char **why);

#endif
