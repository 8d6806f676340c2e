/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c - nonblocking and persistent all-reduces */
/*
 * The request that the program gets is the library's: a message of no bytes that this process is to
 * receive from itself, on a communicator of its own. The shim sends it when the all-reduce is done
 * and the program asks for a request (complete.c). So the library needs no help with arrays of
 * requests, and with inactive ones, and no thread of the shim's calls it.
 *
 * A persistent all-reduce has its own connections: persistent ones may be started in another order
 * on each process.
 */
#include "config.h"

#include "shim/mpi/engine/parts.h"

#include "shim/mpi/refuse.h"
#include "shim/mpi/shadow/shadow.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define SLOTS 256
#define REST_NS 1000000

enum state {
	IS_INACTIVE, /* persistent, and not started */
	IS_ACTIVE,
	HAS_FAILED, /* and the library knows that it is done */
	IS_DONE,    /* the same; persistent, because others are forgotten */
};

struct request {
	struct pl_engine_task task;
	struct pl_engine_local local;
	struct pl_engine_queue *queue; /* NULL: gone, the task being done */
	MPI_Comm comm;                 /* to raise errors on */
	MPI_Request request;
	int tag;
	bool is_persistent;
	enum state state;
	int n_resting; /* threads that use the queue to wait */
	struct request *next;
};

int pl_engine_mode_n_requests;
static struct request *requests[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_tag; /* atomic */

static size_t slot_of(MPI_Request request)
{
	return (size_t)((uint64_t)(uintptr_t)request * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

/* With the lock held: where it hangs. */
static struct request **find(MPI_Request request)
{
	struct request **r = &requests[slot_of(request)];

	while (*r && (*r)->request != request)
		r = &(*r)->next;
	return r;
}

static void insert(struct request *r)
{
	pthread_mutex_lock(&lock);
	r->next = requests[slot_of(r->request)];
	requests[slot_of(r->request)] = r;
	pthread_mutex_unlock(&lock);
	__atomic_add_fetch(&pl_engine_mode_n_requests, 1, __ATOMIC_RELAXED);
}

/* With the lock held. */
static struct request *take(struct request **at)
{
	struct request *r = *at;

	*at = r->next;
	__atomic_sub_fetch(&pl_engine_mode_n_requests, 1, __ATOMIC_RELAXED);
	return r;
}

static struct request *create(const struct pl_engine_mode_call *call, const struct pl_schedule *s,
			      struct pl_engine_queue *q)
{
	struct request *r = calloc(1, sizeof(*r));

	if (!r)
		pl_mpi_no_memory();
	pl_engine_mode_task(&r->task, &r->local, call, s);
	r->queue = q;
	r->comm = call->comm;
	r->tag = (int)((unsigned)__atomic_fetch_add(&next_tag, 1, __ATOMIC_RELAXED) %
		       ((unsigned)pl_engine_mode.tag_max + 1));
	return r;
}

bool pl_engine_mode_starts(const struct pl_engine_mode_call *call, MPI_Request *request, int *rc)
{
	const struct pl_schedule *s = pl_engine_mode_schedule(call, false);
	struct pl_engine_queue *q = s ? pl_engine_mode_queue_of(call->comm, false) : NULL;
	struct request *r;

	if (!q) {
		if (s && pl_engine_mode_is_world(call->comm))
			pl_engine_mode_say_aside("that do not block, on a communicator without a "
						 "blocking one before,");
		return false;
	}
	r = create(call, s, q);
	PL_MPI_NEXT(PMPI_Irecv)
	(NULL, 0, MPI_BYTE, 0, r->tag, pl_shadow_alone, &r->request);
	r->state = IS_ACTIVE;
	*request = r->request;
	insert(r);
	pl_engine_queue_add(q, &r->task);
	*rc = MPI_SUCCESS;
	return true;
}

bool pl_engine_mode_prepares(const struct pl_engine_mode_call *call, MPI_Request *request, int *rc)
{
	const struct pl_schedule *s = pl_engine_mode_schedule(call, false);
	struct pl_engine_queue *q;
	struct request *r;

	if (!s || !pl_engine_mode_is_world(call->comm))
		return false;
	q = pl_engine_mode_queue_create(call->comm, true);
	if (!q)
		return false;
	r = create(call, s, q);
	r->is_persistent = true;
	PL_MPI_NEXT(PMPI_Recv_init)
	(NULL, 0, MPI_BYTE, 0, r->tag, pl_shadow_alone, &r->request);
	*request = r->request;
	insert(r);
	*rc = MPI_SUCCESS;
	return true;
}

void pl_engine_mode_started(MPI_Request request)
{
	struct request *r;

	pthread_mutex_lock(&lock);
	r = *find(request);
	if (r)
		r->state = IS_ACTIVE;
	pthread_mutex_unlock(&lock);
	if (r)
		pl_engine_queue_add(r->queue, &r->task);
}

static bool is_done(const struct request *r)
{
	return !r->queue || pl_engine_queue_wait(r->queue, &r->task, 0);
}

/* With the lock held: a request has been found done. What is to be known of it no longer is in
 * *over. */
static void note_done(struct request **at, struct request **over)
{
	struct request *r = *at;

	r->state = r->task.rc ? HAS_FAILED : IS_DONE;
	if (!r->is_persistent && r->state == IS_DONE)
		*over = take(at);
}

static void send_to_itself(int tag)
{
	PL_MPI_NEXT(PMPI_Send)(NULL, 0, MPI_BYTE, 0, tag, pl_shadow_alone);
}

/* One request of an array. */
static void look_at(MPI_Request request, struct pl_engine_look *look, int i)
{
	struct request **at, *over = NULL;
	int tag = -1;

	pthread_mutex_lock(&lock);
	at = find(request);
	if (*at && (*at)->state == IS_ACTIVE) {
		if (is_done(*at)) {
			tag = (*at)->tag;
			note_done(at, &over);
		} else {
			look->is_pending = true;
		}
	}
	if (!over && *at && (*at)->state == HAS_FAILED && look->failed < 0)
		look->failed = i;
	pthread_mutex_unlock(&lock);
	free(over);
	if (tag >= 0)
		send_to_itself(tag);
}

struct pl_engine_look pl_engine_mode_look(int n, const MPI_Request *request)
{
	struct pl_engine_look look = {.failed = -1};

	for (int i = 0; request && i < n; i++)
		look_at(request[i], &look, i);
	return look;
}

/* The first that is pending, kept from losing its queue; NULL if there are other requests that the
 * library may have to do something for. */
static struct request *begin_rest(int n, const MPI_Request *request)
{
	struct request *pending = NULL;
	int n_others = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < n; i++) {
		struct request *r = *find(request[i]);

		if (r && r->state == IS_ACTIVE && r->queue)
			pending = r;
		else
			n_others += request[i] != MPI_REQUEST_NULL;
	}
	if (n_others > 0)
		pending = NULL;
	if (pending)
		pending->n_resting++;
	pthread_mutex_unlock(&lock);
	return pending;
}

void pl_engine_mode_rest(int n, const MPI_Request *request)
{
	struct request *r = begin_rest(n, request);

	if (r) {
		pl_engine_queue_wait(r->queue, &r->task, REST_NS);
		pthread_mutex_lock(&lock);
		r->n_resting--;
		pthread_mutex_unlock(&lock);
	} else {
		sched_yield();
	}
	pl_engine_mode_let_library_work(NULL);
}

bool pl_engine_mode_has_failed(MPI_Request request)
{
	const struct request *r;
	bool failed;

	pthread_mutex_lock(&lock);
	r = *find(request);
	failed = r && r->state == HAS_FAILED;
	pthread_mutex_unlock(&lock);
	return failed;
}

int pl_engine_mode_end_failed(MPI_Request *request)
{
	struct request **at, *over = NULL;
	struct pl_err err;
	MPI_Comm comm;

	pthread_mutex_lock(&lock);
	at = find(*request);
	err = (*at)->task.err;
	comm = (*at)->comm;
	if ((*at)->is_persistent)
		(*at)->state = IS_INACTIVE;
	else
		over = take(at);
	pthread_mutex_unlock(&lock);
	free(over);
	PL_MPI_NEXT(PMPI_Wait)(request, MPI_STATUS_IGNORE);
	return pl_engine_mode_raise(comm, &err);
}

bool pl_engine_mode_may_end(MPI_Request request, int *rc)
{
	MPI_Comm comm = MPI_COMM_NULL;
	const struct request *r;

	pl_engine_mode_look(1, &request);
	pthread_mutex_lock(&lock);
	r = *find(request);
	if (r && r->state == IS_ACTIVE)
		comm = r->comm;
	pthread_mutex_unlock(&lock);
	if (comm == MPI_COMM_NULL)
		return true;
	*rc = MPI_ERR_REQUEST;
	PMPI_Comm_call_errhandler(comm, *rc);
	return false;
}

void pl_engine_mode_forget(MPI_Request request)
{
	struct request **at, *r = NULL;

	pthread_mutex_lock(&lock);
	at = find(request);
	if (*at)
		r = take(at);
	pthread_mutex_unlock(&lock);
	if (r && r->is_persistent)
		pl_engine_mode_queue_destroy(r->queue, true);
	free(r);
}

/* False: a thread still waits by the queue. */
static bool leave_queue(const struct pl_engine_queue *q)
{
	bool left = true;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < SLOTS; i++)
		for (struct request *r = requests[i]; r; r = r->next) {
			if (r->queue == q && r->n_resting == 0)
				r->queue = NULL;
			left &= r->queue != q;
		}
	pthread_mutex_unlock(&lock);
	return left;
}

void pl_engine_mode_leave(MPI_Comm comm, const struct pl_engine_queue *q)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < SLOTS; i++)
		for (struct request *r = requests[i]; r; r = r->next)
			if (r->comm == comm)
				r->comm = MPI_COMM_WORLD;
	pthread_mutex_unlock(&lock);
	while (q && !leave_queue(q))
		sched_yield();
}

void pl_engine_mode_requests_fini(void)
{
	for (size_t i = 0; i < SLOTS; i++)
		while (requests[i]) {
			struct request *r = take(&requests[i]);

			if (r->is_persistent)
				pl_engine_mode_queue_destroy(r->queue, true);
			free(r);
		}
}
