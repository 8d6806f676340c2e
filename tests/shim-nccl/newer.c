/* SPDX-License-Identifier: BSD-3-Clause */
/* newer.c - communicators that grow, rest and are revoked, as NCCL 2.30 has them */
/*
 *     RANK=0 WORLD_SIZE=4 newer SUBJECT
 *
 * Every subject is right with and without a library in between, but for what shared-rest says.
 */
#include "config.h"

#include "tests/shim-nccl/life.h"

#include "tests/shim-nccl/device.h"

#include <stdio.h>
#include <string.h>

static void end(struct job *job, ncclComm_t comm)
{
	job_done(job, ncclCommFinalize(comm), comm, "finalize");
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
}

static void fails(struct job *job, ncclResult_t rc, ncclResult_t want, const char *what)
{
	job_check(job, rc == want, "%s: %d, not %d", what, rc, want);
}

/* All but the last; it gets none. */
static ncclComm_t make_small(struct job *job, bool blocking)
{
	struct life_config config;
	ncclComm_t small = NULL;
	ncclUniqueId id;
	ncclResult_t rc;

	life_config(&config);
	config.nccl.blocking = blocking;
	if (!job_id(job, 1, &id) || job->rank == job->n - 1)
		return NULL;
	rc = ncclCommInitRankConfig(&small, job->n - 1, id, job->rank, &config.nccl);
	job_done(job, rc, small, "one without the last");
	life_is(job, small, job->n - 1, job->rank, "one without the last");
	life_sum(job, small, job->rank + 1, life_total(job->n - 1), "one without the last");
	return small;
}

/* The id comes from the rank @giver of those that are there. */
static ncclResult_t grow(struct job *job, ncclComm_t small, int giver, bool blocking,
			 ncclComm_t *grown)
{
	const bool gives = job->rank == giver, comes = !small;
	struct life_config config;
	ncclUniqueId id;

	life_config(&config);
	config.nccl.blocking = blocking;
	if (gives)
		job_done(job, ncclCommGetUniqueId(small, &id), NULL, "an id to grow by");
	if ((gives || comes) && !job_pass(job, 2 + giver, &id, gives))
		return ncclSystemError;
	return ncclCommGrow(small, job->n, gives || comes ? &id : NULL, comes ? job->rank : -1,
			    grown, &config.nccl);
}

static void newer_grow(struct job *job)
{
	ncclComm_t small = make_small(job, true), grown = NULL, same = NULL;

	job_done(job, grow(job, small, 0, true, &grown), NULL, "grow");
	life_works(job, grown, "grown");
	if (small) {
		life_sum(job, small, 1, job->n - 1, "what it grew from");
		end(job, small);
	}
	life_works(job, grown, "grown, and the other is gone");
	job_done(job, ncclCommSplit(grown, 0, 0, &same, NULL), grown, "what has grown is split");
	life_works(job, same, "part of what has grown");
	end(job, same);
	end(job, grown);
}

/* In a group, by an id of the last but one, with the state of the old one asked for first, as that
 * is ready all the time. */
static void newer_grow_group(struct job *job)
{
	ncclComm_t small = make_small(job, true), grown = NULL;

	ncclGroupStart();
	job_done(job, grow(job, small, job->n - 2, true, &grown), NULL, "grow in a group");
	job_done(job, ncclGroupEnd(), NULL, "its end");
	life_works(job, grown, "grown in a group");
	if (small)
		end(job, small);
	end(job, grown);
}

/* What it grew from is ready all the time, and may go before the new one is there. */
static void newer_grow_nonblocking(struct job *job)
{
	ncclComm_t small = make_small(job, false), grown = NULL;
	ncclResult_t state = ncclInternalError;

	job_check(job, !grow(job, small, 0, false, &grown), "grow without waiting");
	if (!job_check(job, grown != NULL, "its handle is there"))
		return;
	if (small) {
		job_check(job, !ncclCommGetAsyncError(small, &state) && !state,
			  "the old one is ready: %d", state);
		job_done(job, ncclCommAbort(small), NULL, "the old one goes");
	}
	job_made(job, ncclSuccess, grown, "the new one comes");
	life_works(job, grown, "grown without waiting");
	end(job, grown);
}

static void newer_grow_wrong(struct job *job)
{
	ncclComm_t world = job_world(job), none = NULL;
	ncclUniqueId id, other;

	fails(job, ncclCommGrow(world, job->n, NULL, -1, &none, NULL), ncclInvalidArgument,
	      "not larger");
	fails(job, ncclCommGrow(world, job->n + 1, NULL, 0, &none, NULL), ncclInvalidArgument,
	      "a rank that it has already");
	fails(job, ncclCommGrow(NULL, job->n + 1, NULL, job->n, &none, NULL), ncclInvalidArgument,
	      "no id");
	if (job->rank == 0) {
		job_done(job, ncclCommGetUniqueId(world, &id), NULL, "an id");
		fails(job, ncclCommGetUniqueId(world, &other), ncclInvalidUsage, "one more");
	}
	life_works(job, world, "after wrong calls");
	end(job, world);
}

static bool rests(struct job *job, ncclComm_t comm)
{
	uint64_t value = 9;

	job_done(job, ncclCommMemStats(comm, ncclStatGpuMemSuspended, &value), NULL, "memory");
	job_check(job, value < 2, "suspended: %d", (int)value);
	return value == 1;
}

static void newer_rest(struct job *job)
{
	ncclComm_t comm = job_world(job);

	life_works(job, comm, "before it rests");
	job_check(job, !rests(job, comm), "it does not rest");
	fails(job, ncclCommResume(comm), ncclInvalidUsage, "nothing to resume");
	for (int i = 0; i < 2; i++) {
		job_done(job, ncclCommSuspend(comm, 1), comm, "suspend");
		job_check(job, rests(job, comm), "it rests");
		fails(job, ncclCommSuspend(comm, 1), ncclInvalidUsage, "suspended twice");
		job_done(job, ncclCommResume(comm), comm, "resume");
		job_check(job, !rests(job, comm), "it rests no more");
		life_works(job, comm, "after it has rested");
	}
	job_done(job, ncclCommSuspend(comm, 0), comm, "suspend of nothing");
	life_works(job, comm, "nothing was suspended");
	end(job, comm);
}

/* Two of them in a group. */
static void newer_rest_group(struct job *job)
{
	ncclComm_t comm[2] = {job_world(job), NULL};

	job_done(job, ncclCommSplit(comm[0], 0, 0, &comm[1], NULL), comm[0], "split");
	ncclGroupStart();
	for (int i = 0; i < 2; i++)
		job_done(job, ncclCommSuspend(comm[i], 1), NULL, "suspend");
	job_done(job, ncclGroupEnd(), NULL, "both rest");
	job_check(job, rests(job, comm[0]) && rests(job, comm[1]), "they do");
	ncclGroupStart();
	for (int i = 2; i-- > 0;)
		job_done(job, ncclCommResume(comm[i]), NULL, "resume");
	job_done(job, ncclGroupEnd(), NULL, "both go on");
	for (int i = 0; i < 2; i++)
		life_works(job, comm[i], "after both have rested");
	end(job, comm[1]);
	end(job, comm[0]);
}

static ncclComm_t make_with(struct job *job, int blocking, int split_share)
{
	struct life_config config;
	ncclComm_t comm = NULL;
	ncclUniqueId id;
	ncclResult_t rc;

	life_config(&config);
	config.nccl.blocking = blocking;
	config.nccl.split_share = split_share;
	if (!job_id(job, 1, &id))
		return NULL;
	rc = ncclCommInitRankConfig(&comm, job->n, id, job->rank, &config.nccl);
	job_done(job, rc, comm, "init");
	return comm;
}

static void newer_rest_nonblocking(struct job *job)
{
	ncclComm_t comm = make_with(job, 0, 0);

	life_works(job, comm, "before it rests");
	job_done(job, ncclCommSuspend(comm, 1), comm, "suspend");
	job_check(job, rests(job, comm), "it rests");
	job_done(job, ncclCommResume(comm), comm, "resume");
	life_works(job, comm, "after it has rested");
	end(job, comm);
}

/* NCCL suspends nothing that shares its memory; with a library in between that may be so earlier
 * than the program knows. */
static void newer_rest_shared(struct job *job)
{
	ncclComm_t comm = make_with(job, 1, 1), part = NULL;
	const ncclResult_t rc = ncclCommSuspend(comm, 1);

	printf("rank %d: suspend: %d\n", job->rank, rc);
	if (!rc)
		job_done(job, ncclCommResume(comm), NULL, "resume");
	life_works(job, comm, "one that may share");
	job_done(job, ncclCommSplit(comm, 0, 0, &part, NULL), NULL, "split");
	fails(job, ncclCommSuspend(comm, 1), ncclInvalidUsage, "suspend of one that shares");
	life_works(job, comm, "one that shares");
	life_works(job, part, "what it shares with");
	end(job, part);
	end(job, comm);
}

/* Blocking, and more than once; what is made of it is as good as any. */
static void newer_revoke(struct job *job)
{
	ncclComm_t comm = job_world(job), rest = NULL;
	int gone[] = {0};

	life_works(job, comm, "before it is revoked");
	job_done(job, ncclCommRevoke(comm, 0), NULL, "revoke");
	job_done(job, ncclCommRevoke(NULL, 0), NULL, "revoke of none");
	fails(job, ncclCommRevoke(comm, 0), ncclInvalidArgument, "once more");
	fails(job, ncclCommFinalize(comm), ncclInvalidArgument, "finalize");
	if (job->rank > 0) {
		job_done(job, ncclCommShrink(comm, gone, 1, &rest, NULL, 0), NULL, "all but one");
		life_is(job, rest, job->n - 1, job->rank - 1, "the rest");
		life_sum(job, rest, 1, job->n - 1, "the rest");
		end(job, rest);
	}
	job_done(job, ncclCommDestroy(comm), NULL, "destroy");
}

/* Into the slot that is its own, of every rank's window, by the program's ranks. */
static void put_all(struct job *job, ncclComm_t comm, ncclWindow_t window, int *from)
{
	int given[64];

	for (int peer = 0; peer < job->n; peer++)
		given[peer] = 100 * job->rank + peer;
	device_put(from, given, sizeof(given));
	ncclGroupStart();
	for (int peer = 0; peer < job->n; peer++)
		job_done(job,
			 ncclPutSignal(from + peer, 1, ncclInt32, peer, window,
				       (size_t)job->rank * sizeof(int), 0, 0, 0, comm,
				       device_stream()),
			 NULL, "put");
	job_done(job, ncclGroupEnd(), NULL, "all are put");
}

static void wait_for_all(struct job *job, ncclComm_t comm, int count)
{
	ncclWaitSignalDesc_t signals[64];

	for (int peer = 0; peer < job->n; peer++)
		signals[peer] = (ncclWaitSignalDesc_t){.op_cnt = count, .peer = peer};
	job_done(job, ncclWaitSignal(job->n, signals, comm, device_stream()), NULL,
		 "all have come");
}

static void newer_signals(struct job *job)
{
	ncclComm_t comm = job_world(job);
	ncclWindow_t window = NULL;
	void *memory = NULL, *from = NULL;
	int got[64];

	job_done(job, ncclMemAlloc(&memory, sizeof(got)), NULL, "memory");
	job_done(job, ncclMemAlloc(&from, sizeof(got)), NULL, "memory");
	job_done(job, ncclCommWindowRegister(comm, memory, sizeof(got), &window, 0), comm,
		 "a window");
	put_all(job, comm, window, from);
	wait_for_all(job, comm, 1);
	device_get(got, memory, sizeof(got));
	for (int r = 0; r < job->n; r++)
		job_check(job, got[r] == 100 * r + job->rank, "of %d: %d", r, got[r]);
	for (int i = 0; i < 2; i++)
		for (int peer = 0; peer < job->n; peer++)
			job_done(job, ncclSignal(peer, 0, 0, 0, comm, device_stream()), NULL,
				 "a signal");
	wait_for_all(job, comm, 2);
	life_works(job, comm, "with signals");
	fails(job,
	      ncclPutSignal(from, 1, ncclInt32, job->n, window, 0, 0, 0, 0, comm, device_stream()),
	      ncclInvalidArgument, "put to nobody");
	fails(job, ncclSignal(-1, 0, 0, 0, comm, device_stream()), ncclInvalidArgument,
	      "a signal to nobody");
	job_done(job, ncclCommWindowDeregister(comm, window), NULL, "no longer a window");
	job_done(job, ncclMemFree(memory), NULL, "memory is freed");
	job_done(job, ncclMemFree(from), NULL, "memory is freed");
	end(job, comm);
}

static const struct {
	const char *name;
	life_fn *run;
} subjects[] = {
	{"grow", newer_grow},
	{"grow-group", newer_grow_group},
	{"grow-nonblocking", newer_grow_nonblocking},
	{"grow-wrong", newer_grow_wrong},
	{"rest", newer_rest},
	{"rest-group", newer_rest_group},
	{"rest-nonblocking", newer_rest_nonblocking},
	{"rest-shared", newer_rest_shared},
	{"revoke", newer_revoke},
	{"signals", newer_signals},
};

int main(int argc, char **argv)
{
	const size_t n = sizeof(subjects) / sizeof(*subjects);
	struct job job;

	if (argc != 2)
		return 2;
	for (size_t i = 0; i < n && !strcmp(argv[1], "--list"); i++)
		printf("%s\n", subjects[i].name);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(subjects[i].name, argv[1])) {
			job_begin(&job);
			subjects[i].run(&job);
			return job_end(&job);
		}
	return strcmp(argv[1], "--list") ? 2 : 0;
}
