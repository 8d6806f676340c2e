/* SPDX-License-Identifier: BSD-3-Clause */
/* jobs.c - what a group holds is done: first new communicators, then
 * the data */
#include "config.h"

#include "tests/shim-nccl/double/double.h"
#include "tests/shim-nccl/types.h"

#include <stdio.h>
#include <stdlib.h>

/* Jobs that one thread does, one after the other. */
struct strand {
	struct job **job;
	size_t n;
	pthread_t thread;
	bool has_thread;
	const void *key;
};

static ncclResult_t do_init(struct job *job)
{
	return comm_seat(job->comm, job->id, job->n, job->rank,
			 job->func == FUNC_GROW ? "grow" : "init");
}

/* Members of @job's color, by key and, of equal keys, by rank of the parent. */
static void place_in_split(struct job *job)
{
	const struct board_place *at = &job->parent->place;
	const struct board_call *other;

	job->n = 0;
	job->rank = 0;
	for (int r = 0; r < at->n; r++) {
		other = board_call(at, r);
		if (other->color != job->color)
			continue;
		job->n++;
		job->rank += other->key < job->key || (other->key == job->key && r < at->rank);
	}
}

static ncclResult_t do_split(struct job *job)
{
	struct ncclComm *parent = job->parent;
	ncclResult_t rc;

	rc = board_meet(&parent->place, &job->call, NULL, 0);
	if (rc)
		return rc;
	place_in_split(job);
	board_part(&parent->place);
	if (!job->comm)
		return ncclSuccess;
	rc = comm_seat(job->comm, job->id, job->n, job->rank, "split");
	if (!rc)
		__atomic_store_n(job->result, job->comm, __ATOMIC_RELEASE);
	return rc;
}

static ncclResult_t do_shrink(struct job *job)
{
	const ncclResult_t rc = comm_seat(job->comm, job->id, job->n, job->rank, "shrink");

	if (!rc)
		__atomic_store_n(job->result, job->comm, __ATOMIC_RELEASE);
	return rc;
}

/* What all members do together, with nothing to move. */
static ncclResult_t do_together(struct job *job)
{
	const ncclResult_t rc = board_meet(&job->comm->place, &job->call, NULL, 0);

	if (rc)
		return rc;
	board_part(&job->comm->place);
	if (job->func == FUNC_SUSPEND || job->func == FUNC_RESUME)
		job->comm->suspended = job->func == FUNC_SUSPEND;
	return ncclSuccess;
}

static size_t bytes_of(const struct job *job)
{
	return job->call.count * type_size(job->call.type);
}

static ncclResult_t do_send(const struct job *job)
{
	const struct board_head head = {
		.type = job->call.type, .count = job->call.count, .len = bytes_of(job)};

	return board_send(&job->comm->place, BOARD_MESSAGES, job->call.root, &head, job->send);
}

static ncclResult_t do_receive(const struct job *job)
{
	struct board_place *place = &job->comm->place;
	const int src = job->call.root;
	struct board_head head;
	ncclResult_t rc = board_next(place, BOARD_MESSAGES, src, &head);

	if (rc)
		return rc;
	if (head.type != job->call.type || head.count != job->call.count)
		return log_fault(ncclInvalidUsage,
				 "%s: rank %d sent %llu of type %d, rank %d wants %llu of %d",
				 place->name, src, (unsigned long long)head.count, head.type,
				 place->rank, (unsigned long long)job->call.count, job->call.type);
	return board_take(place, BOARD_MESSAGES, src, &head, job->recv);
}

static void log_call(const struct job *job)
{
	const struct board_call *call = &job->call;

	log_line("call %s %d %s count=%llu type=%d op=%d root=%d", job->comm->name, job->comm->rank,
		 func_name(call->func), (unsigned long long)call->count, call->type, call->op,
		 call->root);
}

static ncclResult_t do_job(struct job *job)
{
	switch (job->func) {
	case FUNC_INIT:
	case FUNC_GROW:
		return do_init(job);
	case FUNC_SPLIT:
		return do_split(job);
	case FUNC_SHRINK:
		return do_shrink(job);
	case FUNC_FINALIZE:
	case FUNC_SUSPEND:
	case FUNC_RESUME:
	case FUNC_WINDOW:
		return do_together(job);
	default:
		break;
	}
	log_call(job);
	if (atomic_load(&job->comm->stop))
		return ncclInternalError;
	switch (job->func) {
	case FUNC_SEND:
		return do_send(job);
	case FUNC_RECV:
		return do_receive(job);
	case FUNC_PUT:
		return signal_put(job);
	case FUNC_WAIT:
		return signal_wait(job);
	default:
		return move_collective(job);
	}
}

static void *run_strand(void *arg)
{
	struct strand *strand = arg;

	for (size_t i = 0; i < strand->n; i++)
		strand->job[i]->rc = do_job(strand->job[i]);
	return NULL;
}

static bool makes_comm(const struct job *job)
{
	return job->func <= FUNC_WINDOW;
}

/* A member takes part in one thing at a time; other new communicators come into being side by side,
 * and so does what different devices do. */
static const void *strand_key(const struct job *job)
{
	static const char devices[256];

	if (makes_comm(job))
		return job->parent ? job->parent : job->comm;
	return &devices[job->comm->device & 255];
}

/* What is begun before what: a message is sent before anything is
 * waited for. */
static int order_of(const struct job *job)
{
	if (job->func == FUNC_SEND || job->func == FUNC_PUT)
		return 0;
	return job->func == FUNC_RECV || job->func == FUNC_WAIT ? 2 : 1;
}

static void add_to_strand(struct strand *strands, size_t *n, struct job *job, size_t room)
{
	const void *key = strand_key(job);
	struct strand *s = strands;

	while (s < strands + *n && s->key != key)
		s++;
	if (s == strands + *n) {
		(*n)++;
		s->key = key;
		s->job = calloc(room, sizeof(struct job *));
	}
	if (s->job)
		s->job[s->n++] = job;
}

static void run_strands(struct strand *strands, size_t n)
{
	for (size_t i = 1; i < n; i++)
		strands[i].has_thread =
			!pthread_create(&strands[i].thread, NULL, run_strand, &strands[i]);
	run_strand(&strands[0]);
	for (size_t i = 1; i < n; i++)
		if (strands[i].has_thread)
			pthread_join(strands[i].thread, NULL);
		else
			run_strand(&strands[i]);
}

/* Of one device: communicators in the order in which the group met them. */
static void run_phase(struct job *first, size_t n_jobs, bool making)
{
	struct strand *strands = calloc(n_jobs, sizeof(*strands));
	size_t n = 0;

	for (struct job *a = first; strands && a; a = a->next) {
		const struct job *b = first;

		while (b != a && (b->comm != a->comm || makes_comm(b)))
			b = b->next;
		if (makes_comm(a) != making || (!making && b != a))
			continue;
		if (making) {
			add_to_strand(strands, &n, a, n_jobs);
			continue;
		}
		for (int order = 0; order < 3; order++)
			for (struct job *j = a; j; j = j->next)
				if (j->comm == a->comm && !makes_comm(j) && order_of(j) == order)
					add_to_strand(strands, &n, j, n_jobs);
	}
	if (n)
		run_strands(strands, n);
	for (size_t i = 0; i < n; i++)
		free(strands[i].job);
	free(strands);
}

ncclResult_t jobs_run(struct job *first)
{
	size_t n = 0;

	for (const struct job *job = first; job; job = job->next)
		n++;
	run_phase(first, n, true);
	run_phase(first, n, false);
	for (const struct job *job = first; job; job = job->next)
		if (job->rc)
			return job->rc;
	return ncclSuccess;
}
