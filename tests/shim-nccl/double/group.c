/* SPDX-License-Identifier: BSD-3-Clause */
/* group.c - calls between ncclGroupStart and ncclGroupEnd, and those alone */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

#include <stdlib.h>
#include <time.h>

/* Of a thread, as groups are. */
static __thread struct {
	int depth;
	ncclResult_t failed;
	struct job *first, **end;
	struct ncclComm *stopped;
} group;

ncclResult_t group_start(void)
{
	group.depth++;
	return ncclSuccess;
}

ncclResult_t group_fail(ncclResult_t rc)
{
	if (group.depth && !group.failed)
		group.failed = rc;
	return rc;
}

static void free_jobs(struct job *job)
{
	struct job *next;

	for (; job; job = next) {
		next = job->next;
		free(job);
	}
}

int group_drop(void)
{
	int n = 0;

	if (group.depth > 1) {
		group.depth--;
		return 0;
	}
	for (struct job *job = group.first; job; job = job->next)
		n++;
	free_jobs(group.first);
	group.first = NULL;
	group.depth = 0;
	group.failed = ncclSuccess;
	return n;
}

/* The communicator whose state tells how a job goes: of a split, the parent. */
static struct ncclComm *teller(const struct job *job)
{
	return job->parent ? job->parent : job->comm;
}

static ncclResult_t check_blocking(const struct job *first)
{
	for (const struct job *job = first; job; job = job->next)
		if (teller(job)->blocking != teller(first)->blocking)
			return log_fault(
				ncclInvalidArgument,
				"a group of communicators that block and some that do not");
	return ncclSuccess;
}

/* Time in which a program must see ncclInProgress. */
static void lag(void)
{
	const char *s = getenv("PLINK_TEST_NCCL_LAG_MS");
	const long ms = s && *s ? strtol(s, NULL, 10) : 3;
	const struct timespec wait = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&wait, NULL);
}

/* What a job is about must stay until it is done. */
static void begin(struct job *first)
{
	pthread_mutex_lock(&process_lock);
	for (struct job *job = first; job; job = job->next)
		teller(job)->n_running++;
	pthread_mutex_unlock(&process_lock);
}

/* An error stays; else what was in progress is no longer. */
static void set_state(struct ncclComm *comm, ncclResult_t rc)
{
	if (comm && (rc || (!comm->n_running && atomic_load(&comm->state) == ncclInProgress)))
		atomic_store(&comm->state, (int)rc);
}

static void end(struct job *first)
{
	pthread_mutex_lock(&process_lock);
	for (struct job *job = first; job; job = job->next) {
		teller(job)->n_running--;
		set_state(job->comm, job->rc);
		set_state(teller(job), job->rc);
	}
	pthread_cond_broadcast(&process_changed);
	pthread_mutex_unlock(&process_lock);
	free_jobs(first);
}

static void *run_in_background(void *arg)
{
	struct job *first = arg;
	const int device = teller(first)->device;
	const uint64_t ticket = first->ticket;

	lag();
	if (ticket)
		stream_wait(device, ticket);
	jobs_run(first);
	if (ticket)
		stream_leave(device);
	end(first);
	return NULL;
}

/* What makes communicators needs no stream. */
static bool needs_stream(const struct job *first)
{
	for (; first; first = first->next)
		if (first->func >= FUNC_ALLREDUCE)
			return true;
	return false;
}

static ncclResult_t run_later(struct job *first)
{
	pthread_attr_t attr;
	pthread_t thread;
	int rc;

	begin(first);
	for (struct job *job = first; job; job = job->next)
		atomic_store(&teller(job)->state, ncclInProgress);
	if (needs_stream(first))
		first->ticket = stream_enter(teller(first)->device);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	rc = pthread_create(&thread, &attr, run_in_background, first);
	pthread_attr_destroy(&attr);
	return rc ? ncclSystemError : ncclInProgress;
}

static ncclResult_t run_now(struct job *first)
{
	ncclResult_t rc;

	begin(first);
	rc = jobs_run(first);
	end(first);
	return rc;
}

static void finish_stop(struct ncclComm *comm)
{
	if (!comm->revoking) {
		comm_release(comm, "abort");
		return;
	}
	comm_idle(comm);
	atomic_store(&comm->stop, false);
	atomic_store(&comm->state, ncclSuccess);
}

void group_stop(struct ncclComm *comm, bool revoke)
{
	atomic_store(&comm->stop, true);
	comm->revoking = revoke;
	if (!group.depth) {
		finish_stop(comm);
		return;
	}
	comm->next_stopped = group.stopped;
	group.stopped = comm;
}

static void finish_stops(void)
{
	while (group.stopped) {
		struct ncclComm *comm = group.stopped;

		group.stopped = comm->next_stopped;
		finish_stop(comm);
	}
}

ncclResult_t group_end(void)
{
	struct job *first = group.first;
	ncclResult_t rc = group.failed;

	if (!group.depth)
		return log_fault(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
	if (--group.depth)
		return ncclSuccess;
	finish_stops();
	group.first = NULL;
	group.failed = ncclSuccess;
	if (!first)
		return rc;
	if (!rc)
		rc = check_blocking(first);
	if (rc) {
		free_jobs(first);
		return rc;
	}
	return teller(first)->blocking ? run_now(first) : run_later(first);
}

ncclResult_t group_add(struct job *job, const char *caller)
{
	(void)caller;
	if (!group.first)
		group.end = &group.first;
	*group.end = job;
	group.end = &job->next;
	if (group.depth)
		return ncclSuccess;
	group.depth = 1;
	return group_end();
}

ncclResult_t group_add_child(struct job *job, const char *caller)
{
	const ncclResult_t rc = group_add(job, caller);

	return rc == ncclInProgress ? ncclSuccess : rc;
}
