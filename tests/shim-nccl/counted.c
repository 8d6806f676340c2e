/* SPDX-License-Identifier: BSD-3-Clause */
/* counted.c - calls of which it is known how many there are */
/*
 *     RANK=0 WORLD_SIZE=4 counted SUBJECT
 *
 * For what libplink-nccl leaves with PLINK_STATS, and for what it says of waiting.
 */
#include "config.h"

#include "tests/shim-nccl/job.h"

#include "tests/shim-nccl/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM 4096 /* bytes of each buffer; more than any call needs */

/* What is sent does not matter here, nor who writes over it. */
static char *in, *out;

static void make_buffers(void)
{
	const char zero[2 * ROOM] = {0};

	in = device_alloc(sizeof(zero));
	device_put(in, zero, sizeof(zero));
	out = in + ROOM;
}

static void sum(struct job *job, ncclComm_t comm, size_t count)
{
	job_done(job, ncclAllReduce(in, out, count, ncclInt32, ncclSum, comm, device_stream()),
		 comm, "all-reduce");
}

static void destroy(struct job *job, ncclComm_t comm)
{
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
}

static void collectives(struct job *job, ncclComm_t comm)
{
	const cudaStream_t s = device_stream();

	job_done(job, ncclBcast(in, 3, ncclFloat64, 0, comm, s), comm, "b");
	job_done(job, ncclBroadcast(in, out, 4, ncclInt64, 1, comm, s), comm, "broadcast");
	job_done(job, ncclReduce(in, out, 100, ncclInt8, ncclMax, 1, comm, s), comm, "reduce");
	job_done(job, ncclAllGather(in, out, 5, ncclFloat16, comm, s), comm, "all-gather");
	job_done(job, ncclReduceScatter(in, out, 6, ncclInt32, ncclSum, comm, s), comm,
		 "reduce-scatter");
	job_done(job, ncclAlltoAll(in, out, 7, ncclUint8, comm, s), comm, "all-to-all");
	job_done(job, ncclGather(in, out, 8, ncclInt32, 0, comm, s), comm, "gather");
	job_done(job, ncclScatter(in, out, 9, ncclInt32, 0, comm, s), comm, "scatter");
}

/* Around the ring, in a group. */
static void messages(struct job *job, ncclComm_t comm)
{
	const cudaStream_t s = device_stream();

	ncclGroupStart();
	ncclSend(in, 50, ncclInt8, (job->rank + 1) % job->n, comm, s);
	ncclRecv(out, 50, ncclInt8, (job->rank + job->n - 1) % job->n, comm, s);
	job_done(job, ncclGroupEnd(), comm, "messages");
}

static void failing(struct job *job)
{
	ncclComm_t comm = job_world(job);
	char c;

	sum(job, comm, 10);
	job_check(job,
		  ncclAllReduce(&c, &c, 1, (ncclDataType_t)99, ncclSum, comm, NULL) != ncclSuccess,
		  "no such type");
	job_check(job, ncclReduce(&c, &c, 1, ncclInt8, ncclSum, 77, comm, NULL) != ncclSuccess,
		  "no such root");
	destroy(job, comm);
}

static void all(struct job *job)
{
	ncclComm_t comm = job_world(job);
	float two = 2;
	ncclRedOp_t op;

	for (int i = 0; i < 3; i++)
		sum(job, comm, 10);
	sum(job, comm, 0);
	collectives(job, comm);
	messages(job, comm);
	ncclGroupStart();
	ncclGroupStart();
	sum(job, comm, 100);
	ncclGroupEnd();
	sum(job, comm, 100);
	job_done(job, ncclGroupEnd(), comm, "nested");
	ncclGroupStart();
	job_done(job, ncclGroupEnd(), comm, "a group of nothing");
	ncclRedOpCreatePreMulSum(&op, &two, ncclFloat32, ncclScalarHostImmediate, comm);
	ncclRedOpDestroy(op, comm);
	destroy(job, comm);
}

/* As FSDP does. */
static void sharded(struct job *job)
{
	const cudaStream_t s = device_stream();
	ncclComm_t comm = job_world(job);

	job_done(job, ncclAllGather(in, out, 5, ncclFloat32, comm, s), comm, "all-gather");
	job_done(job, ncclReduceScatter(in, out, 5, ncclFloat32, ncclSum, comm, s), comm,
		 "reduce-scatter");
	sum(job, comm, 10);
	destroy(job, comm);
}

/* Halves, and each rank alone. */
static void parts(struct job *job)
{
	ncclComm_t comm = job_world(job), half = NULL, self = NULL;

	ncclCommSplit(comm, job->rank / 2, 0, &half, NULL);
	ncclCommSplit(comm, job->rank, 0, &self, NULL);
	sum(job, comm, 1);
	sum(job, half, 2);
	sum(job, half, 2);
	sum(job, self, 4);
	destroy(job, self);
	destroy(job, half);
	destroy(job, comm);
}

static void groups_of_two(struct job *job)
{
	ncclComm_t comm = job_world(job);

	for (int i = 0; i < 5; i++) {
		ncclGroupStart();
		sum(job, comm, 1);
		sum(job, comm, 1);
		job_done(job, ncclGroupEnd(), comm, "two at once");
	}
	destroy(job, comm);
}

static ncclComm_t nonblocking_of(struct job *job)
{
	ncclConfig_t config = {.size = sizeof(config),
			       .magic = NCCL_API_MAGIC,
			       .version = 22809,
			       .blocking = 0,
			       .cga_cluster_size = NCCL_CONFIG_UNDEF_INT,
			       .min_ctas = NCCL_CONFIG_UNDEF_INT,
			       .max_ctas = NCCL_CONFIG_UNDEF_INT,
			       .split_share = NCCL_CONFIG_UNDEF_INT};
	ncclComm_t comm = NULL;
	ncclUniqueId id;
	ncclResult_t rc;

	if (!job_id(job, 1, &id))
		return NULL;
	rc = ncclCommInitRankConfig(&comm, job->n, id, job->rank, &config);
	job_check(job, rc == ncclSuccess || rc == ncclInProgress, "made without waiting: %d", rc);
	return comm;
}

static void nonblocking(struct job *job)
{
	ncclComm_t comm = nonblocking_of(job);

	job_done(job, ncclInProgress, comm, "ready");
	for (int i = 0; i < 6; i++)
		sum(job, comm, 10);
	destroy(job, comm);
}

#define THREADS 4
struct thread {
	pthread_t id;
	struct job job;
	ncclUniqueId unique;
};

static void *thread_main(void *arg)
{
	struct thread *t = arg;
	ncclComm_t comm = NULL;

	job_done(&t->job, ncclCommInitRank(&comm, t->job.n, t->unique, t->job.rank), NULL,
		 "init in a thread");
	for (int i = 0; i < 50; i++)
		sum(&t->job, comm, 1);
	destroy(&t->job, comm);
	return NULL;
}

static void threads(struct job *job)
{
	struct thread thread[THREADS];

	memset(thread, 0, sizeof(thread));
	for (int i = 0; i < THREADS; i++) {
		thread[i].job = (struct job){.rank = job->rank, .n = job->n};
		if (!job_id(job, i, &thread[i].unique))
			return;
	}
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i].id, NULL, thread_main, &thread[i]);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i].id, NULL);
		job->n_checks += thread[i].job.n_checks;
		job->n_failed += thread[i].job.n_failed;
	}
}

/* All ranks in one process, for itself. */
static void devices(struct job *job)
{
	static const int device[] = {0, 1, 2};
	ncclComm_t comm[3];

	job_done(job, ncclCommInitAll(comm, 3, device), NULL, "all devices");
	ncclGroupStart();
	for (int i = 0; i < 3; i++)
		sum(job, comm[i], 10);
	job_done(job, ncclGroupEnd(), NULL, "all at once");
	for (int i = 0; i < 3; i++)
		destroy(job, comm[i]);
}

/* Ends the process as a program does that is broken off. */
static void break_off(const struct job *job)
{
	const int rc = job_end(job);

	fflush(NULL);
	_exit(rc);
}

static void aborted(struct job *job)
{
	ncclComm_t comm = job_world(job);

	sum(job, comm, 10);
	job_done(job, ncclCommAbort(comm), NULL, "abort");
	break_off(job);
}

static void left(struct job *job)
{
	ncclComm_t comm = job_world(job);

	sum(job, comm, 10);
	break_off(job);
}

static void in_child(void (*run)(struct job *), struct job *job)
{
	const pid_t pid = fork();
	int status = 1;

	if (pid == 0) {
		struct job own = {.n = 1};

		run(&own);
		exit(own.n_failed > 0);
	}
	waitpid(pid, &status, 0);
	job_check(job, status == 0, "a child's status: %d", status);
}

static void nothing(struct job *job)
{
	(void)job;
}

/* Children that call nothing, and that have NCCL for themselves, while this process has counted
 * already. */
static void forks(struct job *job)
{
	ncclComm_t comm = job_world(job);

	sum(job, comm, 10);
	in_child(nothing, job);
	in_child(devices, job);
	sum(job, comm, 10);
	destroy(job, comm);
}

static void alone(struct job *job)
{
	ncclComm_t comm = job_world(job);

	sum(job, comm, 10);
	destroy(job, comm);
}

static void elsewhere(struct job *job)
{
	ncclComm_t comm = job_world(job);

	job_check(job, chdir("/") == 0, "another directory");
	sum(job, comm, 10);
	destroy(job, comm);
}

/* Rank 0 has its communicator, and then nothing for a while. */
static void idle(struct job *job)
{
	ncclComm_t comm = job_world(job);

	if (job->rank == 0)
		sleep(3);
	ncclCommAbort(comm);
}

static void idle_nonblocking(struct job *job)
{
	ncclComm_t comm = nonblocking_of(job);
	ncclResult_t rc, state = ncclInProgress;

	if (job->rank == 0)
		sleep(3);
	do {
		usleep(1000);
		rc = ncclCommGetAsyncError(comm, &state);
	} while (rc == ncclSuccess && state == ncclInProgress);
	ncclCommAbort(comm);
}

static const struct {
	const char *name;
	void (*run)(struct job *job);
} subjects[] = {
	{"all", all},
	{"failing", failing},
	{"alone", alone},
	{"sharded", sharded},
	{"parts", parts},
	{"groups", groups_of_two},
	{"nonblocking", nonblocking},
	{"threads", threads},
	{"devices", devices},
	{"aborted", aborted},
	{"left", left},
	{"forks", forks},
	{"elsewhere", elsewhere},
	{"idle", idle},
	{"idle-nonblocking", idle_nonblocking},
};

int main(int argc, char **argv)
{
	struct job job;

	job_begin(&job);
	make_buffers();
	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++)
		if (argc == 2 && !strcmp(argv[1], subjects[i].name)) {
			subjects[i].run(&job);
			return job_end(&job);
		}
	fprintf(stderr, "counted: no such subject\n");
	return 2;
}
