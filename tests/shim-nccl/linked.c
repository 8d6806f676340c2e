/* SPDX-License-Identifier: BSD-3-Clause */
/* linked.c - a small program that is linked with NCCL, in one way or another */
/*
 *     RANK=0 WORLD_SIZE=4 linked
 *
 * An all-reduce, broadcasts and an all-gather; with -DNEWEST also a function that only the newest
 * NCCL has.
 */
#include "config.h"

#include "tests/shim-nccl/device.h"
#include "tests/shim-nccl/job.h"

#ifdef NEWEST
ncclResult_t ncclNewest(int peer, ncclComm_t comm);
#else
static ncclResult_t ncclNewest(int peer, ncclComm_t comm)
{
	(void)peer;
	(void)comm;
	return ncclSuccess;
}
#endif

/* The numbers of all of them, of which this process gives one, on the
 * device. */
static void each(struct job *job, ncclComm_t comm, int *device)
{
	int all[64] = {0}, from, sum = job->rank + 1;

	device_put(device, &sum, sizeof(sum));
	job_done(job, ncclAllReduce(device, device, 1, ncclInt32, ncclSum, comm, device_stream()),
		 comm, "all-reduce");
	device_get(&sum, device, sizeof(sum));
	job_check(job, sum == job->n * (job->n + 1) / 2, "sum: %d", sum);
	for (int root = 0; root < job->n; root++) {
		device_put(device, &job->rank, sizeof(int));
		job_done(job, ncclBcast(device, 1, ncclInt32, root, comm, device_stream()), comm,
			 "broadcast");
		device_get(&from, device, sizeof(from));
		job_check(job, from == root, "from %d: %d", root, from);
	}
	device_put(device, &job->rank, sizeof(int));
	job_done(job, ncclAllGather(device, device + 1, 1, ncclInt32, comm, device_stream()), comm,
		 "all-gather");
	device_get(all, device + 1, (size_t)job->n * sizeof(int));
	for (int r = 0; r < job->n; r++)
		job_check(job, all[r] == r, "of %d: %d", r, all[r]);
}

int main(void)
{
	struct job job;
	ncclComm_t comm;
	int *device;

	job_begin(&job);
	comm = job_world(&job);
	if (!comm)
		return job_end(&job);
	device = device_alloc(65 * sizeof(int));
	if (device)
		each(&job, comm, device);
	job_check(&job, device != NULL, "memory");
	device_free(device);
	job_done(&job, ncclNewest(3, comm), NULL, "the newest function");
	job_done(&job, ncclCommDestroy(comm), NULL, "destroy");
	return job_end(&job);
}
