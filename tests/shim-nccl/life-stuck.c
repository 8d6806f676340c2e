/* SPDX-License-Identifier: BSD-3-Clause */
/* life-stuck.c - communicators that end when calls of theirs wait in a
 * stream */
#include "config.h"

#include "tests/shim-nccl/life.h"

#include "tests/shim-nccl/device.h"

/*
 * All but rank 0 begin an all-gather, for which it does not come, and an all-reduce behind it, or
 * (@turned) the other way round. They do not ask how the first one fares, as programs must that do
 * not block: so the double finds the second a fault, but where a library in between takes it to
 * another communicator.
 */
static ncclComm_t stuck(struct job *job, int *device, bool turned)
{
	ncclComm_t comm = life_begun(job);
	ncclResult_t rc = ncclSuccess;

	life_works(job, comm, "before it is stuck");
	if (!job->rank)
		return comm;
	if (turned)
		rc = ncclAllReduce(device, device, 1, ncclInt32, ncclSum, comm, device_stream());
	job_check(job, !rc || rc == ncclInProgress, "all-reduce: %d", rc);
	rc = ncclAllGather(device, device + 1, 1, ncclInt32, comm, device_stream());
	job_check(job, turned || !rc || rc == ncclInProgress, "all-gather: %d", rc);
	if (!turned)
		ncclAllReduce(device, device, 1, ncclInt32, ncclSum, comm, device_stream());
	job_pause(20);
	return comm;
}

/* Rank 0 remains until all others are out of it. */
static void last(struct job *job)
{
	ncclUniqueId id = {{0}};

	for (int r = 1; r < job->n; r++)
		if (job->rank == 0 || job->rank == r)
			job_pass(job, 100 + r, &id, job->rank == r);
}

static void abort_stuck(struct job *job, bool turned)
{
	int *device = device_alloc(128 * sizeof(int));
	ncclComm_t comm = stuck(job, device, turned);

	if (!job->rank)
		last(job);
	job_done(job, ncclCommAbort(comm), NULL, "abort of what is stuck");
	if (job->rank)
		last(job);
	device_free(device);
}

void life_stuck_group(struct job *job)
{
	int *device = device_alloc(128 * sizeof(int));
	ncclComm_t other = job_world(job), comm = stuck(job, device, false);

	if (!job->rank)
		last(job);
	ncclGroupStart();
	job_done(job, ncclCommAbort(other), NULL, "abort in a group");
	job_done(job, ncclCommAbort(comm), NULL, "abort of what is stuck");
	job_done(job, ncclGroupEnd(), NULL, "the end of both");
	if (job->rank)
		last(job);
	device_free(device);
}

static void revoke_stuck(struct job *job, bool turned)
{
	int *device = device_alloc(128 * sizeof(int));
	ncclComm_t comm = stuck(job, device, turned);
	ncclResult_t rc;

	if (!job->rank)
		last(job);
	rc = ncclCommRevoke(comm, 0);
	job_check(job, !rc || rc == ncclInProgress, "revoke: %d", rc);
	job_done(job, ncclInProgress, comm, "what was stuck is revoked");
	if (job->rank)
		last(job);
	job_done(job, ncclCommDestroy(comm), NULL, "destroyed");
	device_free(device);
}

/* Those that are stuck go on without the one that does not come. */
static void shrink_stuck(struct job *job, bool turned)
{
	int *device = device_alloc(128 * sizeof(int)), gone[] = {0};
	ncclComm_t comm = stuck(job, device, turned), rest = NULL;

	if (job->rank) {
		job_made(job, ncclCommShrink(comm, gone, 1, &rest, NULL, 1), comm,
			 "shrunk when it was stuck");
		last(job);
		life_is(job, rest, job->n - 1, job->rank - 1, "the rest");
		life_sum(job, rest, 1, job->n - 1, "the rest");
		job_done(job, ncclCommAbort(rest), NULL, "abort of the rest");
	} else {
		last(job);
	}
	job_done(job, ncclCommAbort(comm), NULL, "abort of what was stuck");
	device_free(device);
}

void life_stuck(struct job *job)
{
	abort_stuck(job, false);
}

void life_stuck_turned(struct job *job)
{
	abort_stuck(job, true);
}

void life_stuck_revoke(struct job *job)
{
	revoke_stuck(job, false);
}

void life_stuck_turned_revoke(struct job *job)
{
	revoke_stuck(job, true);
}

void life_stuck_shrink(struct job *job)
{
	shrink_stuck(job, false);
}

void life_stuck_turned_shrink(struct job *job)
{
	shrink_stuck(job, true);
}
