/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-queue.c - all-reduces in the background, by ranks that are threads */
#include "config.h"

#include "engine/queue.h"
#include "tests/engine/loopback.h"
#include "tests/engine/two-level.h"

#include <pthread.h>
#include <stdlib.h>

#define N 4
#define N_QUEUES 2
#define N_TASKS 8
#define COUNT 20000

static struct pl_schedule schedule = {.chunk_bytes = 4096, .window = 2};
static const struct pl_schedules schedules = {.schedule = &schedule, .n = 1};
static struct sockaddr_storage address[N_QUEUES][N];
static struct pl_mesh mesh[N_QUEUES][N];

struct rank {
	uint32_t rank;
	bool leaves; /* rank 1, after the first task */
	bool good;   /* all sums were right */
	int n_failed, n_idle;
	struct pl_err err;
	pthread_t thread;
};

/* A task and its buffers. */
struct work {
	struct pl_engine_task task;
	int in[COUNT], out[COUNT];
};

static struct work *work_create(uint32_t rank, size_t number)
{
	struct work *w = malloc(sizeof(*w));

	for (size_t i = 0; i < COUNT; i++) {
		w->in[i] = (int)(i * number + rank);
		w->out[i] = -1;
	}
	w->task = (struct pl_engine_task){.in = w->in,
					  .call = {.buffer = w->out,
						   .count = COUNT - 1 - 1000 * number,
						   .adder = {add_ints, NULL, sizeof(int)}}};
	return w;
}

static bool is_right(const struct work *w, size_t number)
{
	const size_t n = w->task.call.count;

	for (size_t i = 0; i < n; i++)
		if (w->out[i] != (int)(N * i * number) + N * (N - 1) / 2)
			return false;
	return w->out[n] == -1 && w->task.rc == 0;
}

static void count_idle(void *with)
{
	((struct rank *)with)->n_idle++;
}

/* Every second rank begins with the last queue. The last task of each queue is run in the caller's
 * thread, while others may still be in the background. */
static void run_tasks(struct rank *rank, struct pl_engine_queue *q)
{
	struct work *w[N_QUEUES][N_TASKS];

	for (size_t k = 0; k < N_QUEUES; k++)
		for (size_t i = 0; i < N_TASKS; i++)
			w[k][i] = work_create(rank->rank, k + i);
	for (size_t i = 0; i < N_TASKS - 1; i++)
		for (size_t k = 0; k < N_QUEUES; k++) {
			const size_t at = rank->rank % 2 ? N_QUEUES - 1 - k : k;

			if (!rank->leaves || i == 0)
				pl_engine_queue_add(&q[at], &w[at][i]->task);
		}
	for (size_t k = 0; k < N_QUEUES && !rank->leaves; k++)
		pl_engine_queue_run(&q[k], &w[k][N_TASKS - 1]->task, count_idle, rank);
	for (size_t k = 0; k < N_QUEUES; k++)
		while (!pl_engine_queue_wait(&q[k], NULL, 10000000))
			;
	for (size_t k = 0; k < N_QUEUES; k++)
		for (size_t i = 0; i < N_TASKS; i++) {
			rank->good &= is_right(w[k][i], k + i);
			rank->n_failed += w[k][i]->task.rc != 0;
			if (w[k][i]->task.rc)
				rank->err = w[k][i]->task.err;
			free(w[k][i]);
		}
}

static void *run_rank(void *arg)
{
	const bool is_peer[N] = {true, true, true, true};
	struct rank *rank = arg;
	struct pl_rank_part part = {0};
	struct pl_engine_queue q[N_QUEUES];

	rank->good = pl_rank_part_init(&part, &schedules, rank->rank, &rank->err) == 0;
	for (size_t k = 0; k < N_QUEUES; k++) {
		struct pl_engine e = {.mesh = mesh[k][rank->rank], .part = &part};

		rank->good &= pl_mesh_connect(&e.mesh, is_peer, address[k], &rank->err) == 0 &&
			      pl_engine_queue_init(&q[k], &e, &rank->err) == 0;
	}
	if (rank->good)
		run_tasks(rank, q);
	for (size_t k = 0; k < N_QUEUES; k++)
		pl_engine_queue_fini(&q[k]);
	pl_rank_part_fini(&part);
	return NULL;
}

static void run(struct rank *rank, bool leaves)
{
	for (size_t k = 0; k < N_QUEUES; k++)
		for (uint32_t i = 0; i < N; i++)
			if (!loopback_listen(
				    &mesh[k][i],
				    (struct pl_mesh_options){.rank = i, .n_ranks = N, .n_lanes = 1},
				    &address[k][i]))
				return;
	for (uint32_t i = 0; i < N; i++) {
		rank[i] = (struct rank){.rank = i, .leaves = leaves && i == 1};
		pthread_create(&rank[i].thread, NULL, run_rank, &rank[i]);
	}
	for (uint32_t i = 0; i < N; i++)
		pthread_join(rank[i].thread, NULL);
}

static void check_sums(void)
{
	struct rank rank[N];

	run(rank, false);
	for (size_t i = 0; i < N; i++)
		ok(rank[i].good, "rank %zu has all sums %s", i, rank[i].err.text);
}

/* The tasks that rank 1 took no part in fail on all others, though not all of them exchange
 * anything with it, and nothing hangs. */
static void check_fault(void)
{
	struct rank rank[N];

	run(rank, true);
	for (size_t i = 0; i < N; i++)
		if (i != 1)
			ok(rank[i].n_failed == N_QUEUES * (N_TASKS - 1),
			   "rank %zu: all tasks but the first fail: %s", i, rank[i].err.text);
}

/* Without a thread for it, a task fails. */
static void check_no_engine(void)
{
	const struct pl_engine none = {.mesh = {.listener = -1, .epoll = -1}};
	struct pl_engine_task task = {.rc = 0};
	struct pl_engine_queue q;
	struct pl_err err;

	ok(pl_engine_queue_init(&q, &none, &err) == 0 && pl_engine_queue_wait(&q, NULL, 0),
	   "a queue with no tasks is done with all of them");
	q.failed = (struct pl_err){.code = PL_ESYSTEM, .text = "has failed"};
	pl_engine_queue_add(&q, &task);
	while (!pl_engine_queue_wait(&q, &task, 1000000000))
		;
	ok(task.rc == -1 && strcmp(task.err.text, "has failed") == 0,
	   "after a failure all tasks fail alike");
	pl_engine_queue_fini(&q);
}

int main(void)
{
	static const uint32_t group[N] = {0, 0, 1, 1};
	const struct pl_two_level t = {.n_ranks = N, .n_groups = 2, .group = group};
	struct pl_err err;

	if (pl_two_level_slices(&schedule.slices, &t, &err))
		return ok(false, "%s", err.text), done_testing();
	check_sums();
	check_fault();
	check_no_engine();
	pl_slices_fini(&schedule.slices);
	return done_testing();
}
