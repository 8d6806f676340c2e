/* SPDX-License-Identifier: BSD-3-Clause */
/* life-make.c - communicators of all processes, made in every way there is */
#include "config.h"

#include "tests/shim-nccl/life.h"

#include "tests/shim-nccl/device.h"

#include <string.h>

/* Finalize and destroy, as programs end. */
static void end(struct job *job, ncclComm_t comm)
{
	job_done(job, ncclCommFinalize(comm), comm, "finalize");
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
}

void life_plain(struct job *job)
{
	ncclComm_t comm = job_world(job);

	life_works(job, comm, "plain");
	end(job, comm);
}

void life_with_config(struct job *job)
{
	struct life_config config;
	ncclComm_t comm = NULL;
	ncclUniqueId id;

	if (!job_id(job, 1, &id))
		return;
	life_config(&config);
	job_done(job, ncclCommInitRankConfig(&comm, job->n, id, job->rank, &config.nccl), NULL,
		 "init with a config");
	life_works(job, comm, "with a config");
	end(job, comm);
	if (!job_id(job, 2, &id))
		return;
	config.nccl.split_share = 1;
	config.comm_name = "a name";
	job_done(job, ncclCommInitRankConfig(&comm, job->n, id, job->rank, &config.nccl), NULL,
		 "init with one that shares");
	life_works(job, comm, "with one that shares");
	job_check(job, config.nccl.split_share == 1 && config.more[5] == NCCL_CONFIG_UNDEF_INT,
		  "the program's config is left as it was");
	end(job, comm);
	if (!job_id(job, 3, &id))
		return;
	job_done(job, ncclCommInitRankConfig(&comm, job->n, id, job->rank, NULL), NULL,
		 "init without config");
	life_works(job, comm, "without config");
	end(job, comm);
}

void life_scalable(struct job *job)
{
	ncclUniqueId ids[2];
	const int n_ids = job->n < 2 ? 1 : 2;
	ncclComm_t comm = NULL;

	if (!job_id(job, 1, &ids[0]) || !job_id(job, 2, &ids[1]))
		return;
	job_done(job, ncclCommInitRankScalable(&comm, job->n, job->rank, n_ids, ids, NULL), NULL,
		 "init with two ids");
	life_works(job, comm, "with two ids");
	end(job, comm);
}

/* Two communicators of the same processes, by turns; the second counts its ranks from behind. */
void life_two(struct job *job)
{
	const int back = job->n - 1 - job->rank;
	ncclComm_t a = job_world(job), b = NULL;
	ncclUniqueId id;

	if (!job_id(job, 1, &id))
		return;
	job_done(job, ncclCommInitRank(&b, job->n, id, back), NULL, "second");
	for (int i = 0; i < 3; i++) {
		life_works(job, a, "the first of two");
		life_is(job, b, job->n, back, "the second of two");
		life_sum(job, b, 1, job->n, "the second of two");
		for (int root = 0; root < job->n; root++)
			life_from(job, b, root, job->rank, job->n - 1 - root, "the second of two");
	}
	end(job, a);
	life_sum(job, b, 2, 2 * job->n, "the first is gone");
	end(job, b);
}

void life_group_init(struct job *job)
{
	ncclComm_t comm[2] = {NULL, NULL};
	ncclUniqueId id[2];

	if (!job_id(job, 1, &id[0]) || !job_id(job, 2, &id[1]))
		return;
	ncclGroupStart();
	for (int i = 0; i < 2; i++)
		job_done(job, ncclCommInitRank(&comm[i], job->n, id[i], job->rank), NULL,
			 "init in a group");
	job_done(job, ncclGroupEnd(), NULL, "the group of inits");
	for (int i = 0; i < 2; i++)
		life_works(job, comm[i], "made in a group");
	for (int i = 0; i < 2; i++)
		end(job, comm[i]);
}

/* What cannot be made in a group fails at its end, and all works again. */
void life_group_fails(struct job *job)
{
	ncclComm_t comm = NULL, world = job_world(job);
	ncclResult_t rc, end_rc;
	ncclUniqueId id;

	memset(&id, 7, sizeof(id)); /* of nobody */
	ncclGroupStart();
	rc = ncclCommInitRank(&comm, job->n, id, job->n + 3);
	end_rc = ncclGroupEnd();
	job_check(job, rc == ncclInvalidArgument, "rank out of range: %d", rc);
	job_check(job, end_rc == ncclInvalidArgument, "and the end of its group: %d", end_rc);
	life_works(job, world, "after a group that failed");
	end(job, world);
}

/* Only the outermost end counts. */
void life_group_nested(struct job *job)
{
	ncclComm_t comm = job_world(job);
	int *device = device_alloc(2 * sizeof(int)), got[2];
	const int given[2] = {1, job->rank};
	const ncclDataType_t type = ncclInt32;

	device_put(device, given, sizeof(given));
	ncclGroupStart();
	ncclGroupStart();
	ncclGroupStart();
	job_done(job, ncclAllReduce(device, device, 1, type, ncclSum, comm, device_stream()), NULL,
		 "all-reduce in groups");
	ncclGroupEnd();
	job_done(job, ncclGroupEnd(), NULL, "inner end");
	job_done(job,
		 ncclReduce(device + 1, device + 1, 1, type, ncclMax, job->n - 1, comm,
			    device_stream()),
		 NULL, "reduce in a group");
	job_done(job, ncclGroupEnd(), NULL, "outer end");
	device_get(got, device, sizeof(got));
	job_check(job, got[0] == job->n, "nested: sum %d", got[0]);
	job_check(job, got[1] == (job->rank == job->n - 1 ? job->n - 1 : job->rank),
		  "nested: maximum %d", got[1]);
	device_free(device);
	end(job, comm);
}

/* A group that is only thought of does nothing. */
void life_simulate(struct job *job)
{
	ncclSimInfo_t info = {.size = sizeof(info), .magic = 0x74685283, .version = 22809};
	ncclComm_t comm = job_world(job);
	int *device = device_alloc(sizeof(int)), got, given = job->rank + 5;

	device_put(device, &given, sizeof(given));
	ncclGroupStart();
	job_done(job, ncclAllReduce(device, device, 1, ncclInt32, ncclSum, comm, device_stream()),
		 NULL, "all-reduce to be simulated");
	job_done(job, ncclGroupSimulateEnd(&info), NULL, "simulated end");
	device_get(&got, device, sizeof(got));
	job_check(job, got == given, "nothing was done: %d", got);
	device_free(device);
	life_works(job, comm, "after what was simulated");
	end(job, comm);
}

void life_nonblocking(struct job *job)
{
	ncclResult_t rc = ncclSuccess, state = ncclInternalError;
	ncclComm_t comm = life_begin(job, 1, &rc);

	job_check(job, comm && (rc == ncclInProgress || rc == ncclSuccess),
		  "made without waiting: %d", rc);
	job_done(job, rc, comm, "made without waiting");
	job_check(job, !ncclCommGetAsyncError(comm, &state) && !state, "and ready: %d", state);
	for (int i = 0; i < 3; i++)
		life_works(job, comm, "that does not block");
	end(job, comm);
}

void life_nonblocking_group(struct job *job)
{
	ncclResult_t rc = ncclSuccess;
	ncclComm_t comm[2];

	ncclGroupStart();
	for (int i = 0; i < 2; i++)
		comm[i] = life_begin(job, 1 + i, &rc);
	rc = ncclGroupEnd();
	job_check(job, rc == ncclInProgress || rc == ncclSuccess, "the group's end: %d", rc);
	for (int i = 0; i < 2; i++)
		job_done(job, ncclInProgress, comm[i], "both come about");
	for (int i = 0; i < 2; i++)
		life_works(job, comm[i], "made in a group that did not block");
	for (int i = 0; i < 2; i++)
		end(job, comm[i]);
}

/* One after the other, so many that none may leave something behind. */
void life_many(struct job *job)
{
	for (int i = 0; i < 20; i++) {
		ncclComm_t comm = NULL;
		ncclUniqueId id;

		if (!job_id(job, i, &id))
			return;
		job_done(job, ncclCommInitRank(&comm, job->n, id, job->rank), NULL, "one of many");
		life_sum(job, comm, i, i * job->n, "one of many");
		end(job, comm);
	}
}
