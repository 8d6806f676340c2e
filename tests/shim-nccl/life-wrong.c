/* SPDX-License-Identifier: BSD-3-Clause */
/* life-wrong.c - wrong calls fail as the library lets them fail */
#include "config.h"

#include "tests/shim-nccl/life.h"

#include "tests/shim-nccl/device.h"

static void fails(struct job *job, ncclResult_t rc, ncclResult_t want, const char *what)
{
	job_check(job, rc == want, "%s: %d, not %d", what, rc, want);
}

static void wrong_roots(struct job *job, ncclComm_t comm, int *device)
{
	cudaStream_t s = device_stream();

	for (int k = 0; k < 3; k++) {
		const int root = k == 0 ? -1 : job->n + 4 * (k - 1);

		fails(job, ncclBroadcast(device, device, 1, ncclInt32, root, comm, s),
		      ncclInvalidArgument, "broadcast from nobody");
		fails(job, ncclBcast(device, 1, ncclInt32, root, comm, s), ncclInvalidArgument,
		      "bcast from nobody");
		fails(job, ncclReduce(device, device, 1, ncclInt32, ncclSum, root, comm, s),
		      ncclInvalidArgument, "reduce to nobody");
		fails(job, ncclSend(device, 1, ncclInt32, root, comm, s), ncclInvalidArgument,
		      "send to nobody");
	}
}

static void wrong_arguments(struct job *job, ncclComm_t comm, int *device)
{
	cudaStream_t s = device_stream();
	ncclComm_t child;

	fails(job, ncclAllReduce(device, device, 1, (ncclDataType_t)77, ncclSum, comm, s),
	      ncclInvalidArgument, "no such type");
	fails(job, ncclAllReduce(device, device, 1, ncclInt32, (ncclRedOp_t)12345, comm, s),
	      ncclInvalidArgument, "no such operator");
	fails(job, ncclReduce(device, device, 1, ncclInt32, (ncclRedOp_t)12345, 0, comm, s),
	      ncclInvalidArgument, "no such operator of a reduce");
	fails(job, ncclAllReduce(NULL, device, 1, ncclInt32, ncclSum, comm, s), ncclInvalidArgument,
	      "no buffer to send");
	fails(job, ncclAllReduce(device, device, 1, ncclInt32, ncclSum, NULL, s),
	      ncclInvalidArgument, "no communicator");
	fails(job, ncclCommSplit(comm, -5, 0, &child, NULL), ncclInvalidArgument, "no color");
	fails(job, ncclCommDeregister(comm, device), ncclInvalidArgument, "not a handle");
	fails(job, ncclRedOpDestroy((ncclRedOp_t)12345, comm), ncclInvalidArgument,
	      "not an operator");
	fails(job, ncclCommRevoke(comm, 9), ncclInvalidArgument, "no flag");
	fails(job, ncclGroupEnd(), ncclInvalidUsage, "no group");
}

/* An operator of another communicator, and one of another type. */
static void wrong_operators(struct job *job, ncclComm_t comm, ncclComm_t other, int *device)
{
	cudaStream_t s = device_stream();
	int two = 2;
	ncclRedOp_t op;

	if (!job_done(job,
		      ncclRedOpCreatePreMulSum(&op, &two, ncclInt32, ncclScalarHostImmediate, comm),
		      NULL, "an operator"))
		return;
	fails(job, ncclAllReduce(device, device, 1, ncclInt32, op, other, s), ncclInvalidArgument,
	      "another communicator's operator");
	fails(job, ncclAllReduce(device, device, 1, ncclUint32, op, comm, s), ncclInvalidArgument,
	      "an operator of another type");
	fails(job, ncclRedOpDestroy(op, other), ncclInvalidArgument,
	      "destroyed by another communicator");
	job_done(job, ncclRedOpDestroy(op, comm), NULL, "destroyed");
	fails(job, ncclAllReduce(device, device, 1, ncclInt32, op, comm, s), ncclInvalidArgument,
	      "an operator that is gone");
}

/* Nothing of it reaches the others, so all goes on afterwards. */
void life_wrong(struct job *job)
{
	int *device = device_alloc(2 * sizeof(int));
	ncclComm_t comm = job_world(job), other = NULL;

	job_done(job, ncclCommSplit(comm, 0, -job->rank, &other, NULL), comm, "split");
	wrong_roots(job, comm, device);
	wrong_arguments(job, comm, device);
	wrong_operators(job, comm, other, device);
	life_works(job, comm, "after wrong calls");
	job_done(job, ncclCommFinalize(other), NULL, "finalize");
	job_done(job, ncclCommFinalize(comm), NULL, "finalize");
	fails(job, ncclAllReduce(device, device, 1, ncclInt32, ncclSum, comm, device_stream()),
	      ncclInvalidUsage, "after its end");
	job_done(job, ncclCommDestroy(other), NULL, "destroy");
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
	device_free(device);
}

/* A wrong call spoils its group: nothing of it is done. */
void life_wrong_group(struct job *job)
{
	int *device = device_alloc(2 * sizeof(int)), got[2];
	const int given[2] = {job->rank, 9};
	ncclComm_t comm = job_world(job);
	cudaStream_t s = device_stream();

	device_put(device, given, sizeof(given));
	ncclGroupStart();
	job_done(job, ncclAllReduce(device, device, 1, ncclInt32, ncclSum, comm, s), NULL,
		 "a good call");
	fails(job, ncclBroadcast(device + 1, device + 1, 1, ncclInt32, job->n, comm, s),
	      ncclInvalidArgument, "a wrong one");
	fails(job, ncclGroupEnd(), ncclInvalidArgument, "the group's end");
	device_get(got, device, sizeof(got));
	job_check(job, got[0] == given[0] && got[1] == given[1], "nothing was done: %d %d", got[0],
		  got[1]);
	life_works(job, comm, "after a spoilt group");
	job_done(job, ncclCommFinalize(comm), NULL, "finalize");
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
	device_free(device);
}
