/* SPDX-License-Identifier: BSD-3-Clause */
/* life-own.c - what belongs to a communicator: operators, buffers, windows */
#include "config.h"

#include "tests/shim-nccl/life.h"

#include "tests/shim-nccl/device.h"

#include <string.h>

static void end(struct job *job, ncclComm_t comm)
{
	job_done(job, ncclCommFinalize(comm), comm, "finalize");
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
}

/* Every function that takes an operator, each with a value of its own. */
static void use(struct job *job, ncclComm_t comm, ncclRedOp_t op, int scaled, const char *what)
{
	const size_t n = (size_t)job->n;
	float *device = device_alloc((n + 2) * sizeof(float)), given[66], got;
	cudaStream_t stream = device_stream();
	int rank = -1;

	ncclCommUserRank(comm, &rank);
	for (size_t i = 0; i < n + 2; i++)
		given[i] = (float)(job->rank + 1);
	device_put(device, given, (n + 2) * sizeof(float));
	job_done(job, ncclAllReduce(device, device, 1, ncclFloat32, op, comm, stream), NULL, what);
	device_get(&got, device, sizeof(got));
	job_check(job, got == (float)scaled, "%s: all-reduce %g, not %d", what, (double)got,
		  scaled);
	job_done(job,
		 ncclReduce(device + 1, device + 1, 1, ncclFloat32, op, job->n - 1, comm, stream),
		 NULL, what);
	device_get(&got, device + 1, sizeof(got));
	job_check(job, got == (rank == job->n - 1 ? (float)scaled : given[1]),
		  "%s: reduce %g, not %d", what, (double)got, scaled);
	device_put(device, given, (n + 2) * sizeof(float));
	job_done(job, ncclReduceScatter(device + 2, device, 1, ncclFloat32, op, comm, stream), NULL,
		 what);
	device_get(&got, device, sizeof(got));
	job_check(job, got == (float)scaled, "%s: reduce-scatter %g, not %d", what, (double)got,
		  scaled);
	device_free(device);
}

static ncclRedOp_t scale_by(struct job *job, ncclComm_t comm, float factor)
{
	ncclRedOp_t op = ncclSum;

	job_done(job,
		 ncclRedOpCreatePreMulSum(&op, &factor, ncclFloat32, ncclScalarHostImmediate, comm),
		 NULL, "an operator is made");
	job_check(job, op >= ncclNumOps, "its handle: %d", op);
	return op;
}

/* It may go as soon as it was given to a call, before the group is over. */
static void use_and_destroy(struct job *job, ncclComm_t comm)
{
	float *device = device_alloc(sizeof(float)), got, one = 1;
	ncclRedOp_t op = scale_by(job, comm, 7);

	device_put(device, &one, sizeof(one));
	ncclGroupStart();
	job_done(job, ncclAllReduce(device, device, 1, ncclFloat32, op, comm, device_stream()),
		 NULL, "an operator in a group");
	job_done(job, ncclRedOpDestroy(op, comm), NULL, "destroyed in it");
	job_done(job, ncclGroupEnd(), NULL, "the operator's group");
	device_get(&got, device, sizeof(got));
	job_check(job, got == (float)(7 * job->n), "by an operator gone: %g", (double)got);
	device_free(device);
}

/* Of two communicators, some destroyed before use and made again. */
void life_operators(struct job *job)
{
	const int sum = life_total(job->n);
	ncclComm_t a = job_world(job), b = NULL;
	float two = 2, *device = device_alloc(sizeof(float));
	ncclRedOp_t of_a[3], of_b, on_device = ncclSum;

	job_done(job, ncclCommSplit(a, 0, -job->rank, &b, NULL), a, "split");
	for (int i = 0; i < 3; i++)
		of_a[i] = scale_by(job, a, (float)(i + 3));
	of_b = scale_by(job, b, 10);
	use_and_destroy(job, b);
	for (int i = 0; i < 3; i++)
		use(job, a, of_a[i], (i + 3) * sum, "one of three operators");
	use(job, b, of_b, 10 * sum, "another communicator's");
	job_done(job, ncclRedOpDestroy(of_a[1], a), NULL, "the second is gone");
	use(job, a, of_a[2], 5 * sum, "the third");
	of_a[1] = scale_by(job, a, 6);
	use(job, a, of_a[1], 6 * sum, "a new one");
	use(job, a, of_a[0], 3 * sum, "the first");
	device_put(device, &two, sizeof(two));
	job_done(job,
		 ncclRedOpCreatePreMulSum(&on_device, device, ncclFloat32, ncclScalarDevice, a),
		 NULL, "an operator with its number on the device");
	use(job, a, on_device, 2 * sum, "a number on the device");
	job_done(job, ncclRedOpDestroy(on_device, a), NULL, "destroyed");
	for (int i = 0; i < 3; i++)
		job_done(job, ncclRedOpDestroy(of_a[i], a), NULL, "destroyed");
	job_done(job, ncclRedOpDestroy(of_b, b), NULL, "destroyed");
	device_free(device);
	end(job, b);
	end(job, a);
}

void life_buffers(struct job *job)
{
	ncclComm_t comm = job_world(job);
	void *memory = NULL, *handle[2] = {NULL, NULL};

	job_done(job, ncclMemAlloc(&memory, 1 << 20), NULL, "memory");
	for (int i = 0; i < 2; i++) {
		job_done(job, ncclCommRegister(comm, (char *)memory + 4096 * i, 4096, &handle[i]),
			 NULL, "a buffer is registered");
		job_check(job, handle[i] != NULL, "its handle");
	}
	job_check(job, handle[0] != handle[1], "two handles");
	life_works(job, comm, "with registered buffers");
	for (int i = 0; i < 2; i++)
		job_done(job, ncclCommDeregister(comm, handle[i]), NULL, "no longer");
	job_done(job, ncclMemFree(memory), NULL, "memory is freed");
	life_works(job, comm, "without them");
	end(job, comm);
}

void life_windows(struct job *job)
{
	ncclComm_t comm = job_world(job);
	ncclWindow_t window = NULL;
	void *memory = NULL;

	job_done(job, ncclMemAlloc(&memory, 1 << 20), NULL, "memory");
	job_done(job, ncclCommWindowRegister(comm, memory, 1 << 20, &window, 0), comm, "a window");
	life_works(job, comm, "with a window");
	job_done(job, ncclCommWindowDeregister(comm, window), NULL, "no longer a window");
	job_done(job, ncclMemFree(memory), NULL, "memory is freed");
	end(job, comm);
}
