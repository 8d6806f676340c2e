/* SPDX-License-Identifier: BSD-3-Clause */
/* life-end.c - communicators that end otherwise than by finalize and destroy */
#include "config.h"

#include "tests/shim-nccl/life.h"

#include "tests/shim-nccl/device.h"

/* All but rank 0 wait for it in vain, in an all-reduce and then in a broadcast, and give up. */
void life_abort(struct job *job)
{
	ncclComm_t comm = life_begun(job);
	int *device = device_alloc(sizeof(int)), one = 1;
	ncclResult_t rc, state = ncclSuccess;

	life_works(job, comm, "before the abort");
	device_put(device, &one, sizeof(one));
	if (job->rank) {
		rc = ncclAllReduce(device, device, 1, ncclInt32, ncclSum, comm, device_stream());
		job_check(job, !rc || rc == ncclInProgress, "call: %d", rc);
		job_pause(20);
		rc = ncclCommGetAsyncError(comm, &state);
		job_check(job, !rc && state != ncclSuccess, "it cannot be over: %d", state);
	}
	job_done(job, ncclCommAbort(comm), NULL, "abort");
	device_free(device);
}

/* Without having been used, and while it is made. */
void life_abort_at_once(struct job *job)
{
	ncclComm_t comm = job_world(job);
	struct life_config config;
	ncclUniqueId id;

	job_done(job, ncclCommAbort(comm), NULL, "abort of one never used");
	life_config(&config);
	config.nccl.blocking = 0;
	/* an id that no other process has */
	if (!job_done(job, ncclGetUniqueId(&id), NULL, "id") || job->n < 2)
		return;
	job_check(job,
		  ncclCommInitRankConfig(&comm, job->n, id, job->rank, &config.nccl) ==
			  ncclInProgress,
		  "nobody else comes");
	job_pause(10);
	job_done(job, ncclCommAbort(comm), NULL, "abort of one in the making");
}

void life_revoke(struct job *job)
{
	ncclComm_t comm = life_begun(job), rest = NULL;
	int *device = device_alloc(sizeof(int)), one = 1;
	ncclResult_t rc;

	life_works(job, comm, "before it is revoked");
	device_put(device, &one, sizeof(one));
	if (job->rank) {
		rc = ncclAllReduce(device, device, 1, ncclInt32, ncclSum, comm, device_stream());
		job_check(job, !rc || rc == ncclInProgress, "call: %d", rc);
	}
	job_pause(10);
	rc = ncclCommRevoke(comm, 0);
	job_check(job, !rc || rc == ncclInProgress, "revoke: %d", rc);
	job_done(job, ncclInProgress, comm, "revoked");
	rc = ncclAllReduce(device, device, 1, ncclInt32, ncclSum, comm, device_stream());
	job_check(job, rc == ncclInvalidUsage || rc == ncclInvalidArgument,
		  "of no use any more: %d", rc);
	if (job->n > 1 && job->rank != job->n - 1) {
		int gone[] = {job->n - 1};

		job_made(job, ncclCommShrink(comm, gone, 1, &rest, NULL, 1), comm,
			 "shrunk when it was revoked");
		job_done(job, ncclInProgress, rest, "ready");
		life_is(job, rest, job->n - 1, job->rank, "the rest");
		life_sum(job, rest, 1, job->n - 1, "the rest");
		job_done(job, ncclCommDestroy(rest), NULL, "rest destroyed");
	}
	device_free(device);
	job_done(job, ncclCommDestroy(comm), NULL, "destroyed");
}

void life_no_finalize(struct job *job)
{
	ncclComm_t comm = job_world(job);

	life_works(job, comm, "before its end");
	job_done(job, ncclCommDestroy(comm), NULL, "destroyed at once");
	job_done(job, ncclCommDestroy(NULL), NULL, "none destroyed");
	job_done(job, ncclCommAbort(NULL), NULL, "none aborted");
}

/* Many programs end without a word. */
void life_left(struct job *job)
{
	ncclComm_t comm = job_world(job);

	life_works(job, comm, "before the program ends");
}
