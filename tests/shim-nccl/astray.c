/* SPDX-License-Identifier: BSD-3-Clause */
/* astray.c - processes that do not fit together: what the double must find */
/*
 *     RANK=0 WORLD_SIZE=2 astray SUBJECT
 *
 * Exits 0 where its own calls fail as they should; what the double's log must hold is the caller's
 * to say.
 */
#include "config.h"

#include "tests/shim-nccl/job.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int data[64];

static ncclResult_t sum(ncclComm_t comm, size_t count)
{
	return ncclAllReduce(data, data, count, ncclInt32, ncclSum, comm, NULL);
}

static void fails(struct job *job, ncclResult_t rc, const char *what)
{
	job_check(job, rc != ncclSuccess, "%s goes well", what);
}

static void other_count(struct job *job, ncclComm_t comm)
{
	fails(job, sum(comm, 1 + (size_t)job->rank), "another count");
}

static void other_type(struct job *job, ncclComm_t comm)
{
	fails(job,
	      ncclAllReduce(data, data, 1, job->rank ? ncclInt32 : ncclUint32, ncclSum, comm, NULL),
	      "another type");
}

static void other_operator(struct job *job, ncclComm_t comm)
{
	fails(job,
	      ncclAllReduce(data, data, 1, ncclInt32, job->rank ? ncclMax : ncclMin, comm, NULL),
	      "another operator");
}

static void other_root(struct job *job, ncclComm_t comm)
{
	fails(job, ncclBcast(data, 1, ncclInt32, job->rank, comm, NULL), "another root");
}

static void other_function(struct job *job, ncclComm_t comm)
{
	fails(job, job->rank ? sum(comm, 1) : ncclAllGather(data, data, 1, ncclInt32, comm, NULL),
	      "another function");
}

/* Of two communicators each process begins with another one. */
static void crosswise(struct job *job, ncclComm_t comm)
{
	ncclComm_t other = NULL;

	ncclCommSplit(comm, 0, job->rank, &other, NULL);
	fails(job, sum(job->rank ? comm : other, 1), "crosswise");
}

/* The same within a group. */
static void crosswise_group(struct job *job, ncclComm_t comm)
{
	ncclComm_t other = NULL;

	ncclCommSplit(comm, 0, job->rank, &other, NULL);
	ncclGroupStart();
	sum(job->rank ? comm : other, 1);
	sum(job->rank ? other : comm, 1);
	fails(job, ncclGroupEnd(), "crosswise in a group");
}

static void no_split(struct job *job, ncclComm_t comm)
{
	ncclComm_t other = NULL;

	fails(job, job->rank ? ncclCommSplit(comm, 0, 0, &other, NULL) : sum(comm, 1),
	      "a split of one");
}

static void alone(struct job *job, ncclComm_t comm)
{
	if (job->rank)
		fails(job, sum(comm, 1), "an all-reduce of one");
	else
		sleep(2);
}

static void dead(struct job *job, ncclComm_t comm)
{
	if (!job->rank)
		_exit(0);
	fails(job, sum(comm, 1), "an all-reduce with the dead");
}

static void destroyed(struct job *job, ncclComm_t comm)
{
	ncclCommDestroy(comm);
	fails(job, sum(comm, 1), "a communicator that was destroyed");
	fails(job, ncclCommDestroy(comm), "destroyed twice");
	fails(job, ncclCommCount(comm, data), "asked when it was destroyed");
}

static void not_one(struct job *job, ncclComm_t comm)
{
	fails(job, sum((ncclComm_t)(void *)data, 1), "not a communicator");
	ncclCommDestroy(comm);
}

static void other_handle(struct job *job, ncclComm_t comm)
{
	ncclComm_t other = NULL;
	void *handle = NULL;

	ncclCommSplit(comm, 0, job->rank, &other, NULL);
	ncclCommRegister(comm, data, sizeof(data), &handle);
	fails(job, ncclCommDeregister(other, handle), "another's handle");
	job_check(job, !ncclCommDeregister(comm, handle), "its own handle");
	fails(job, ncclCommDeregister(comm, handle), "a handle that is gone");
}

static void unread(struct job *job, ncclComm_t comm)
{
	job_check(job, !ncclSend(data, 1, ncclInt32, 1 - job->rank, comm, NULL),
		  "a message nobody wants");
	ncclCommFinalize(comm);
	ncclCommDestroy(comm);
}

static void other_message(struct job *job, ncclComm_t comm)
{
	if (job->rank)
		ncclSend(data, 1, ncclInt32, 0, comm, NULL);
	else
		fails(job, ncclRecv(data, 2, ncclInt32, 1, comm, NULL), "a longer message");
}

/* A communicator that does not block, of a parent that does. */
static ncclComm_t nonblocking(ncclComm_t comm, int rank)
{
	ncclConfig_t config = {.size = sizeof(config), .magic = NCCL_API_MAGIC, .blocking = 0};
	ncclComm_t made = NULL;

	ncclCommSplit(comm, 0, rank, &made, &config);
	return made;
}

static void early(struct job *job, ncclComm_t comm)
{
	ncclComm_t other = nonblocking(comm, job->rank);
	int n;

	job_check(job, sum(other, 1) == ncclInProgress, "in progress");
	fails(job, ncclCommCount(other, &n), "asked too early");
	job_done(job, ncclInProgress, other, "in the end");
}

static void mixed_group(struct job *job, ncclComm_t comm)
{
	ncclComm_t other = nonblocking(comm, job->rank);

	ncclGroupStart();
	sum(comm, 1);
	sum(other, 1);
	fails(job, ncclGroupEnd(), "a group of both kinds");
}

static void same_rank(struct job *job, ncclComm_t comm)
{
	ncclUniqueId id;

	if (job_id(job, 1, &id))
		fails(job, ncclCommInitRank(&comm, job->n, id, 0), "rank 0 twice");
}

static const struct {
	const char *name;
	void (*run)(struct job *job, ncclComm_t comm);
} subjects[] = {
	{"other-count", other_count},
	{"other-type", other_type},
	{"other-operator", other_operator},
	{"other-root", other_root},
	{"other-function", other_function},
	{"other-message", other_message},
	{"crosswise", crosswise},
	{"crosswise-group", crosswise_group},
	{"no-split", no_split},
	{"alone", alone},
	{"dead", dead},
	{"destroyed", destroyed},
	{"not-one", not_one},
	{"other-handle", other_handle},
	{"unread", unread},
	{"early", early},
	{"mixed-group", mixed_group},
	{"same-rank", same_rank},
};

int main(int argc, char **argv)
{
	struct job job;
	ncclComm_t comm;

	job_begin(&job);
	comm = job_world(&job);
	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++)
		if (argc == 2 && comm && !strcmp(argv[1], subjects[i].name))
			subjects[i].run(&job, comm);
	return job_end(&job);
}
