/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.c - all-reduces of one engine, in the caller or in the background */
#include "config.h"

#include "engine/queue.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define STEP_NS 1000000

int pl_engine_queue_init(struct pl_engine_queue *q, const struct pl_engine *engine,
			 struct pl_err *err)
{
	pthread_condattr_t attributes;
	int rc;

	*q = (struct pl_engine_queue){.engine = *engine, .last = &q->first};
	if (pthread_condattr_init(&attributes))
		return pl_err_nomem(err);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	rc = pthread_cond_init(&q->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (rc)
		return pl_err_nomem(err);
	pthread_mutex_init(&q->lock, NULL);
	return 0;
}

void pl_engine_queue_fini(struct pl_engine_queue *q)
{
	bool has_thread;

	pthread_mutex_lock(&q->lock);
	q->ends = true;
	has_thread = q->has_thread;
	pthread_cond_broadcast(&q->changed);
	pthread_mutex_unlock(&q->lock);
	if (has_thread)
		pthread_join(q->thread, NULL);
	pl_engine_fini(&q->engine);
	pthread_cond_destroy(&q->changed);
	pthread_mutex_destroy(&q->lock);
}

/* Runs a task, without the lock: nobody else touches the engine while q->runs.
 */
static void run(struct pl_engine_queue *q, struct pl_engine_task *task)
{
	const struct pl_allreduce_call *call = &task->call;

	if (q->failed.code) {
		task->rc = -1;
		task->err = q->failed;
		return;
	}
	if (task->in && task->in != call->buffer)
		memcpy(call->buffer, task->in, call->count * call->adder.element_bytes);
	task->rc = pl_engine_allreduce(&q->engine, task->schedule, call, &task->err);
	if (task->rc) {
		q->failed = task->err;
		pl_engine_fini(&q->engine);
	}
}

/* Both with the lock held. */
static void begin(struct pl_engine_queue *q, void (*idle)(void *with), void *with)
{
	q->runs = true;
	q->engine.idle = idle;
	q->engine.with = with;
}

static void end(struct pl_engine_queue *q, struct pl_engine_task *task)
{
	q->runs = false;
	task->is_done = true;
	pthread_cond_broadcast(&q->changed);
}

/* Waits with the lock held until something changes, or that time is over. */
static void wait_until(struct pl_engine_queue *q, int64_t ns)
{
	const struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};

	pthread_cond_timedwait(&q->changed, &q->lock, &t);
}

int pl_engine_queue_run(struct pl_engine_queue *q, struct pl_engine_task *task,
			void (*idle)(void *with), void *with)
{
	pthread_mutex_lock(&q->lock);
	while (q->first || q->runs) {
		wait_until(q, pl_clock_ns() + STEP_NS);
		pthread_mutex_unlock(&q->lock);
		if (idle)
			idle(with);
		pthread_mutex_lock(&q->lock);
	}
	begin(q, idle, with);
	pthread_mutex_unlock(&q->lock);
	run(q, task);
	pthread_mutex_lock(&q->lock);
	end(q, task);
	pthread_mutex_unlock(&q->lock);
	return task->rc;
}

/* Takes the first task out and runs it, with the lock held before and after. */
static void run_first(struct pl_engine_queue *q)
{
	struct pl_engine_task *task = q->first;

	q->first = task->next;
	if (!q->first)
		q->last = &q->first;
	begin(q, NULL, NULL);
	pthread_mutex_unlock(&q->lock);
	run(q, task);
	pthread_mutex_lock(&q->lock);
	end(q, task);
}

static void *run_all(void *queue)
{
	struct pl_engine_queue *q = queue;

	pthread_mutex_lock(&q->lock);
	while (q->first || !q->ends) {
		if (q->first && !q->runs)
			run_first(q);
		else
			pthread_cond_wait(&q->changed, &q->lock);
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

/* A thread that no signal of the program's goes to. */
static int start(struct pl_engine_queue *q, struct pl_err *err)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	errno = pthread_create(&q->thread, NULL, run_all, q);
	q->has_thread = errno == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return q->has_thread ? 0 : pl_err_errno(err, "cannot start a thread");
}

/* Adds a task for the thread. */
static void append(struct pl_engine_queue *q, struct pl_engine_task *task)
{
	task->next = NULL;
	*q->last = task;
	q->last = &task->next;
	pthread_cond_broadcast(&q->changed);
}

void pl_engine_queue_add(struct pl_engine_queue *q, struct pl_engine_task *task)
{
	pthread_mutex_lock(&q->lock);
	task->is_done = false;
	if (q->has_thread || start(q, &q->failed) == 0) {
		append(q, task);
	} else {
		q->engine.failed = true;
		pl_engine_fini(&q->engine);
		run(q, task);
		end(q, task);
	}
	pthread_mutex_unlock(&q->lock);
}

static bool is_done(const struct pl_engine_queue *q, const struct pl_engine_task *task)
{
	return task ? task->is_done : !q->first && !q->runs;
}

bool pl_engine_queue_wait(struct pl_engine_queue *q, const struct pl_engine_task *task,
			  int64_t most_ns)
{
	const int64_t end_ns = pl_clock_ns() + most_ns;
	bool done;

	pthread_mutex_lock(&q->lock);
	while (!(done = is_done(q, task)) && pl_clock_ns() < end_ns)
		wait_until(q, end_ns);
	pthread_mutex_unlock(&q->lock);
	return done;
}
