/* SPDX-License-Identifier: BSD-3-Clause */
/* levels.c - all-reduces that a library in between may run in two levels */
/*
 *     RANK=0 WORLD_SIZE=4 levels SUBJECT
 *
 * Right with and without such a library, but where it says so.
 */
#include "config.h"

#include "tests/shim-nccl/job.h"

#include "tests/shim-nccl/device.h"
#include "tests/shim-nccl/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 8192   /* bytes of a buffer */
#define UNTOUCHED 7 /* of each byte at first */

static int given(const struct job *job, int rank, size_t i)
{
	return (rank + (int)(i % 11)) % (1 + 24 / job->n);
}

static int wanted(const struct job *job, size_t i)
{
	int sum = 0;

	for (int r = 0; r < job->n; r++)
		sum += given(job, r, i);
	return sum;
}

/* Fills both buffers with what must be there before and, in @image, after. */
static void prepare(struct job *job, char *device, char *image, int type, size_t count,
		    bool in_place)
{
	char *recv = in_place ? image : image + ROOM;

	memset(image, UNTOUCHED, 2 * (size_t)ROOM);
	for (size_t i = 0; i < count; i++)
		type_put_any(image, i, type, given(job, job->rank, i));
	device_put(device, image, 2 * (size_t)ROOM);
	for (size_t i = 0; i < count; i++)
		type_put_any(recv, i, type, wanted(job, i));
}

static void check(struct job *job, const char *device, const char *image, const char *what,
		  int type, size_t count)
{
	char *got = malloc(2 * (size_t)ROOM);
	size_t i = 0;

	if (!got)
		exit(4);
	device_get(got, device, 2 * (size_t)ROOM);
	if (!memcmp(got, image, 2 * (size_t)ROOM))
		i = 2 * (size_t)ROOM;
	while (i < 2 * (size_t)ROOM && got[i] == image[i])
		i++;
	job_check(job, i == 2 * (size_t)ROOM, "%s: %zu of %s: byte %zu", what, count,
		  type_name(type), i);
	free(got);
}

static ncclResult_t sum(char *device, int type, size_t count, bool in_place, ncclComm_t comm)
{
	return ncclAllReduce(device, in_place ? device : device + ROOM, count, (ncclDataType_t)type,
			     ncclSum, comm, device_stream());
}

/* @how: how the call is made. */
typedef ncclResult_t how_fn(struct job *job, char *device, int type, size_t count, bool in_place,
			    ncclComm_t comm);

static ncclResult_t alone(struct job *job, char *device, int type, size_t count, bool in_place,
			  ncclComm_t comm)
{
	(void)job;
	return sum(device, type, count, in_place, comm);
}

/* Some processes in a group, the others not: nobody has to do as the others. */
static ncclResult_t mixed(struct job *job, char *device, int type, size_t count, bool in_place,
			  ncclComm_t comm)
{
	ncclResult_t rc;

	if (((size_t)job->rank + count) % 3 == 0)
		return sum(device, type, count, in_place, comm);
	ncclGroupStart();
	ncclGroupStart();
	rc = sum(device, type, count, in_place, comm);
	ncclGroupEnd();
	return rc ? (ncclGroupEnd(), rc) : ncclGroupEnd();
}

static void every_count(struct job *job, how_fn *how, const char *what)
{
	static const int types[] = {ncclInt8, ncclInt32, ncclFloat64};
	char *device = device_alloc(2 * (size_t)ROOM);
	char *image = malloc(2 * (size_t)ROOM);
	ncclComm_t comm = job_world(job);

	if (!image)
		exit(4);
	/* shares of up to four ranks, each a multiple of 16 bytes, leave every rest; and some
	 * larger ones */
	for (size_t k = 0; k < 3 * 2 * 75; k++) {
		const int type = types[k % 3];
		const bool in_place = k / 3 % 2;
		const size_t count = 1 + k / 6 + (k / 6 > 70 ? 770 : 0);

		prepare(job, device, image, type, count, in_place);
		job_done(job, how(job, device, type, count, in_place, comm), NULL, what);
		device_sync();
		check(job, device, image, what, type, count);
	}
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
	free(image);
	device_free(device);
}

static void sizes(struct job *job)
{
	every_count(job, alone, "alone");
}

static void groups(struct job *job)
{
	every_count(job, mixed, "some in groups");
}

/* Two communicators and two buffers at once, of which one has other ranks. */
static void two(struct job *job)
{
	char *device[2] = {device_alloc(2 * (size_t)ROOM), device_alloc(2 * (size_t)ROOM)};
	char *image = malloc(2 * (size_t)ROOM);
	ncclComm_t comm[2] = {job_world(job), NULL};

	if (!image)
		exit(4);
	job_done(job, ncclCommSplit(comm[0], 0, -job->rank, &comm[1], NULL), comm[0], "split");
	for (int i = 0; i < 2; i++)
		prepare(job, device[i], image, ncclInt32, 100, true);
	ncclGroupStart();
	for (int i = 0; i < 2; i++)
		job_done(job, sum(device[i], ncclInt32, 100, true, comm[i]), NULL, "one of two");
	job_done(job, ncclGroupEnd(), NULL, "both");
	for (int i = 0; i < 2; i++)
		check(job, device[i], image, "both", ncclInt32, 100);
	for (int i = 0; i < 2; i++) {
		job_done(job, ncclCommDestroy(comm[i]), NULL, "destroy");
		device_free(device[i]);
	}
	free(image);
}

/* What is not done leaves the buffer as it was. */
static void nothing(struct job *job)
{
	ncclSimInfo_t info = {.size = sizeof(info), .magic = 0x74685283, .version = 22809};
	char *device = device_alloc(2 * (size_t)ROOM);
	char *image = malloc(2 * (size_t)ROOM);
	ncclComm_t comm = job_world(job);

	if (!image)
		exit(4);
	memset(image, UNTOUCHED, 2 * (size_t)ROOM);
	device_put(device, image, 2 * (size_t)ROOM);
	ncclGroupStart();
	job_done(job, sum(device, ncclInt32, 100, true, comm), NULL, "good");
	job_check(job,
		  ncclBroadcast(device, device, 1, ncclInt32, job->n, comm, device_stream()) ==
			  ncclInvalidArgument,
		  "a wrong call");
	job_check(job, ncclGroupEnd() == ncclInvalidArgument, "the end of a group that is spoilt");
	check(job, device, image, "spoilt", ncclInt32, 100);
	ncclGroupStart();
	job_done(job, sum(device, ncclInt32, 100, true, comm), NULL, "good");
	job_done(job, ncclGroupSimulateEnd(&info), NULL, "simulated");
	check(job, device, image, "simulated", ncclInt32, 100);
	job_done(job, sum(device, ncclInt32, 100, true, comm), NULL, "at last");
	device_sync();
	job_done(job, ncclCommFinalize(comm), NULL, "finalize");
	job_check(job, sum(device, ncclInt32, 100, true, comm) == ncclInvalidUsage,
		  "after its end");
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
	free(image);
	device_free(device);
}

/* Rank 0 does not come: an error for all others, and an end. */
static void late(struct job *job)
{
	char *device = device_alloc(2 * (size_t)ROOM);
	ncclComm_t comm = job_world(job);

	job_done(job, sum(device, ncclInt32, 100, true, comm), NULL, "all");
	if (job->rank)
		job_check(job, sum(device, ncclInt32, 100, true, comm) != ncclSuccess,
			  "without rank 0");
	job_done(job, ncclCommAbort(comm), NULL, "abort");
	device_free(device);
}

/* Only where a library has noted the call for the group's end. */
static void ended(struct job *job)
{
	char *device = device_alloc(2 * (size_t)ROOM);
	ncclComm_t comm = job_world(job);

	ncclGroupStart();
	job_done(job, sum(device, ncclInt32, 100, true, comm), NULL, "noted");
	job_done(job, ncclCommAbort(comm), NULL, "abort");
	job_done(job, ncclGroupEnd(), NULL, "the group's end");
	device_free(device);
}

/* One call of each operator: of 100 floats and, where it is the average, of 100 whole numbers. */
static void operators(struct job *job)
{
	char *device = device_alloc(2 * (size_t)ROOM);
	ncclComm_t comm = job_world(job);
	float two = 2;
	ncclRedOp_t op;

	job_done(job,
		 ncclRedOpCreatePreMulSum(&op, &two, ncclFloat32, ncclScalarHostImmediate, comm),
		 NULL, "an operator");
	for (int i = 0; i < 7; i++) {
		char zero[2 * ROOM] = {0};
		const ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin,
					   ncclAvg, ncclAvg,  op};

		device_put(device, zero, sizeof(zero));
		job_done(job,
			 ncclAllReduce(device, device + ROOM, 100, i == 5 ? ncclInt32 : ncclFloat32,
				       ops[i], comm, device_stream()),
			 NULL, "an operator's");
	}
	job_done(job, ncclRedOpDestroy(op, comm), NULL, "destroy");
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
	device_free(device);
}

static const struct {
	const char *name;
	void (*run)(struct job *job);
} subjects[] = {
	{"sizes", sizes},         {"groups", groups}, {"two", two},
	{"nothing", nothing},     {"late", late},     {"ended", ended},
	{"operators", operators},
};

int main(int argc, char **argv)
{
	struct job job;

	job_begin(&job);
	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++)
		if (argc == 2 && !strcmp(argv[1], subjects[i].name)) {
			subjects[i].run(&job);
			return job_end(&job);
		}
	fprintf(stderr, "levels: no such subject\n");
	return 2;
}
