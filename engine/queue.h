/* SPDX-License-Identifier: BSD-3-Clause */
/* queue.h - all-reduces of one engine, in the caller or in the background */
/*
 * Tasks run one after the other, in the order in which they were begun, which is the same on all
 * ranks. Those that are added run in a thread of the queue, which starts with the first one. Any
 * thread may wait for a task; two threads may not begin tasks at the same time, because other ranks
 * could not know which comes first.
 */
#ifndef PLINK_ENGINE_QUEUE_H
#define PLINK_ENGINE_QUEUE_H

#include "base/err.h"
#include "engine/engine.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* One all-reduce; zeros but for the first three. It stays where it is until it is done, and may be
 * begun again then. */
struct pl_engine_task {
	size_t schedule;
	struct pl_allreduce_call call; /* buffer, count, adder */
	const void *in;                /* this rank's contribution; NULL: in call.buffer */
	int rc;                        /* 0, or -1 with @err set */
	struct pl_err err;
	struct pl_engine_task *next;
	bool is_done;
};

/* Start with init, end with fini. */
struct pl_engine_queue {
	struct pl_engine engine;
	struct pl_engine_task *first, **last;
	pthread_mutex_t lock; /* of all below, and of the tasks' is_done */
	pthread_cond_t changed;
	bool runs; /* a task, in whatever thread */
	bool ends, has_thread;
	pthread_t thread;
	struct pl_err failed; /* code 0: no task has failed so far */
};

/* Takes @engine, whose idle is to be NULL, when it succeeds. 0, or -1 with PL_ESYSTEM. */
int pl_engine_queue_init(struct pl_engine_queue *q, const struct pl_engine *engine,
			 struct pl_err *err);

/* Returns when all tasks are done; ends the engine. */
void pl_engine_queue_fini(struct pl_engine_queue *q);

/* Runs the task in this thread, after all others. @idle is called, with @with, every millisecond or
 * more often while there is nothing to do. The result is task->rc: as pl_engine_allreduce(); after
 * a failure the queue closes its connections, so that no rank waits for this one, and all tasks
 * fail. */
int pl_engine_queue_run(struct pl_engine_queue *q, struct pl_engine_task *task,
			void (*idle)(void *with), void *with);

/* Has the task run in the background. Where there can be no thread, it fails with PL_ESYSTEM, as
 * any other. */
void pl_engine_queue_add(struct pl_engine_queue *q, struct pl_engine_task *task);

/* Waits for the task, at most so long, 0 not at all. Is it done? NULL: for all that have been
 * begun. */
bool pl_engine_queue_wait(struct pl_engine_queue *q, const struct pl_engine_task *task,
			  int64_t most_ns);

#endif
