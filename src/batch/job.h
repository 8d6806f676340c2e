/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - a short job of plink-batch run */
#ifndef PLINK_SRC_BATCH_JOB_H
#define PLINK_SRC_BATCH_JOB_H

#include "src/batch/batch.h"

#include <limits.h>
#include <signal.h>

struct batch_job {
	const struct batch_options *o;
	size_t workers;
	uint64_t batch;
	size_t iterations; /* to be waited for, those of the warmup among them
			    */
	double rate;       /* factor of the learning rate */
	double limit_s;    /* the job is ended then */
	bool last;         /* the limit is that of the search */
	const volatile sig_atomic_t *stopped;
};

/* Where a job's log of norms is while it runs, and where that of the job with the largest batch
 * stays until the end of the search. */
void batch_job_log(const struct batch_options *o, bool kept, char path[PATH_MAX]);

/*
 * Starts the command of @o with the job's numbers in its environment, and ends it after its
 * iterations. What came of it is in *p, whatever the job did; its log of norms stays until the next
 * one is started or the caller removes it. 0, or -1 with @err set: the command cannot be started,
 * or the log of norms is not one.
 */
int batch_job_run(const struct batch_job *job, struct pl_batch_point *p, struct pl_err *err);

/* Starts the command with the job's numbers, without a log of norms, and waits for its end. 0 with
 * its exit status, 128 + the number of the signal that ended it; or -1 with @err set: it cannot be
 * started, or *stopped is set (PL_EPARTIAL), which ends it. */
int batch_job_train(const struct batch_job *job, int *status, struct pl_err *err);

#endif
