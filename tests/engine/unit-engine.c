/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-engine.c - ranks, a thread each, that all-reduce over loopback; and what goes wrong */
#include "config.h"

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/hello.h"
#include "tests/engine/loopback.h"
#include "tests/engine/two-level.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define N 5
#define COUNT 400000

/* 0 if the milliseconds were an int */
#define PATIENCE_NS ((int64_t)1000000 << 32)

static struct pl_schedule schedule;
static const struct pl_schedules schedules = {.schedule = &schedule, .n = 1};
static struct sockaddr_storage address[N];
static struct pl_mesh mesh[N];

/* What is made to go wrong on rank 1. */
enum fault { NO_FAULT, LEAVES, HANGS, OTHER_COUNT, OTHER_DIGEST, FAULTS };

struct rank {
	uint32_t rank;
	size_t n_lanes, window, chunk_bytes;
	bool shares_memory, has_shared;
	enum fault fault;
	bool good; /* all sums were right */
	struct pl_err err;
	pthread_t thread;
};

static int n_ended; /* ranks; atomic */

/* Until the others have given up, however slow they are. */
static void hang(void)
{
	for (int i = 0; i < 1200 && __atomic_load_n(&n_ended, __ATOMIC_RELAXED) < N - 1; i++)
		poll(NULL, 0, 50);
}

/* Calls of several lengths, some of fewer elements than slices. */
static int run_calls(struct rank *rank, struct pl_engine *e)
{
	static const size_t counts[] = {1, COUNT, 7, 1000, COUNT, 300};
	int *data = malloc(COUNT * sizeof(*data));
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < 6; i++) {
		struct pl_allreduce_call call = {.buffer = data,
						 .count = counts[i],
						 .adder = {add_ints, NULL, sizeof(*data)}};

		if (rank->rank == 1 && i == 1 && rank->fault == OTHER_COUNT)
			call.count /= 3;
		if (rank->rank == 1 && i == 3 && rank->fault == LEAVES)
			break;
		if (rank->rank == 1 && i == 3 && rank->fault == HANGS)
			hang();
		for (size_t k = 0; k < counts[i]; k++)
			data[k] = (int)(k + i + rank->rank);
		rc = pl_engine_allreduce(e, 0, &call, &rank->err);
		for (size_t k = 0; k < counts[i]; k++)
			rank->good &= data[k] == (int)(N * (k + i) + N * (N - 1) / 2);
	}
	free(data);
	return rc;
}

static void *run_rank(void *arg)
{
	const bool is_peer[N] = {true, true, true, true, true};
	struct rank *rank = arg;
	struct pl_rank_part part = {0};
	struct pl_engine e;

	rank->good = true;
	if (rank->rank == 1 && rank->fault == OTHER_DIGEST)
		mesh[rank->rank].options.digest++;
	if (pl_rank_part_init(&part, &schedules, rank->rank, &rank->err))
		return NULL;
	e = (struct pl_engine){.mesh = mesh[rank->rank],
			       .part = &part,
			       .patience_ns = rank->fault == HANGS ? 500000000 : PATIENCE_NS};
	if (pl_mesh_connect(&e.mesh, is_peer, address, &rank->err) || run_calls(rank, &e))
		rank->good = false;
	for (size_t i = 0; i < N * rank->n_lanes; i++)
		rank->has_shared |= e.mesh.lane[i].out.at > 0;
	pl_engine_fini(&e);
	pl_rank_part_fini(&part);
	__atomic_fetch_add(&n_ended, 1, __ATOMIC_RELAXED);
	return NULL;
}

static bool listen_all(const struct rank *all)
{
	for (uint32_t i = 0; i < N; i++) {
		const struct pl_mesh_options o = {.rank = i,
						  .n_ranks = N,
						  .n_lanes = all->n_lanes,
						  .shares_memory = all->shares_memory,
						  .digest = 7};

		if (!loopback_listen(&mesh[i], o, &address[i]))
			return false;
	}
	return true;
}

/* Connections to all ranks, more than there are seconds of patience, which stay open: some have the
 * wrong key, some say too little, and some nothing. */
#define STRANGERS 30
static void come_as_strangers(int fd[N][STRANGERS])
{
	static const char hello[60] = "nlip of another job";
	static const size_t bytes[] = {sizeof(hello), 10, 0};

	for (int r = 0; r < N; r++)
		for (int i = 0; i < STRANGERS; i++) {
			fd[r][i] = socket(AF_INET, SOCK_STREAM, 0);
			if (connect(fd[r][i], (struct sockaddr *)&address[r],
				    sizeof(struct sockaddr_in)) ||
			    write(fd[r][i], hello, bytes[i % 3]) != (ssize_t)bytes[i % 3])
				ok(false, "a stranger cannot connect");
		}
}

static void check_strangers(int fd[N][STRANGERS])
{
	int n_answered = 0;
	char c;

	for (int r = 0; r < N; r++)
		for (int i = 0; i < STRANGERS; i++) {
			n_answered += recv(fd[r][i], &c, 1, MSG_DONTWAIT) > 0;
			close(fd[r][i]);
		}
	is_int(n_answered, 0, "no stranger is answered");
}

static void run(struct rank *rank, struct rank all, bool strangers)
{
	int fd[N][STRANGERS];

	schedule.chunk_bytes = all.chunk_bytes;
	schedule.window = all.window;
	if (!listen_all(&all))
		return;
	if (strangers)
		come_as_strangers(fd);
	for (uint32_t i = 0; i < N; i++) {
		rank[i] = all;
		rank[i].rank = i;
		pthread_create(&rank[i].thread, NULL, run_rank, &rank[i]);
	}
	for (uint32_t i = 0; i < N; i++)
		pthread_join(rank[i].thread, NULL);
	if (strangers)
		check_strangers(fd);
}

static void check_sums(void)
{
	struct rank rank[N];

	for (size_t lanes = 1; lanes <= 3; lanes++)
		for (size_t window = 0; window <= 4; window += 2) {
			const struct rank all = {.n_lanes = lanes,
						 .window = window,
						 .chunk_bytes = window == 4 ? 1 << 20 : 4096,
						 .shares_memory = window != 2};

			run(rank, all, lanes == 2);
			for (size_t i = 0; i < N; i++)
				ok(rank[i].good && rank[i].has_shared == all.shares_memory,
				   "%zu lanes, window %zu: rank %zu has the sums, by shared memory "
				   "where it is allowed %s",
				   lanes, window, i, rank[i].err.text);
		}
}

static void *connect_alone(void *arg)
{
	const bool is_peer[N] = {true, true, true};
	struct pl_err err;

	if (pl_mesh_connect(arg, is_peer, address, &err) == 0)
		abort();
	return NULL;
}

/* Rank 1 waits for rank 0, which listens and does no more, and answers rank 2 meanwhile. */
static void check_waiting(void)
{
	struct pl_mesh_options o = {.n_ranks = 3, .n_lanes = 1};
	struct pl_mesh waits[3];
	struct pl_hello h, answer;
	pthread_t thread;
	int fd;

	for (o.rank = 0; o.rank < 3; o.rank++)
		if (!loopback_listen(&waits[o.rank], o, &address[o.rank]))
			return;
	pthread_create(&thread, NULL, connect_alone, &waits[1]);
	h = pl_hello_of(&waits[2].options, 0);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(fd, (struct sockaddr *)&address[1], sizeof(struct sockaddr_in)))
		return;
	ok(pl_hello_send(fd, &h) &&
		   recv(fd, &answer, sizeof(answer), MSG_WAITALL) == (ssize_t)sizeof(answer) &&
		   pl_hello_has_key(&answer, &waits[1].options),
	   "a rank that waits for another one answers who comes");
	close(fd);
	for (int r = 0; r < 3; r += 2)
		pl_mesh_fini(&waits[r]);
	pthread_join(thread, NULL);
	pl_mesh_fini(&waits[1]);
}

static void check_faults(void)
{
	static const char *const says[FAULTS] = {
		[LEAVES] = "has closed its connection",
		[HANGS] = "nothing has come from rank",
		[OTHER_COUNT] = "the ranks' buffers differ",
		[OTHER_DIGEST] = "has another schedule than",
	};
	struct rank rank[N];

	for (enum fault f = LEAVES; f < FAULTS; f++) {
		size_t named = 0;

		n_ended = 0;
		run(rank,
		    (struct rank){
			    .n_lanes = 1, .chunk_bytes = 4096, .fault = f, .shares_memory = true},
		    false);
		for (size_t i = 0; i < N; i++) {
			named += strstr(rank[i].err.text, says[f]) != NULL;
			if (i == 1)
				continue;
			ok(!rank[i].good && rank[i].err.text[0], "fault %d: rank %zu: %s", f, i,
			   rank[i].err.text);
		}
		ok(named > 0, "a rank says what was wrong: %s", says[f]);
	}
}

int main(void)
{
	static const uint32_t group[N] = {0, 0, 0, 1, 1};
	const struct pl_two_level t = {.n_ranks = N, .n_groups = 2, .group = group};
	struct pl_err err;

	if (pl_two_level_slices(&schedule.slices, &t, &err))
		return ok(false, "%s", err.text), done_testing();
	for (size_t i = 0; i < schedule.slices.n; i++)
		ok(pl_slice_check(&schedule.slices.slice[i], N, 0, PL_SLICE_ALL, &err) == 0,
		   "two levels: slice %zu adds up", i);
	check_sums();
	check_waiting();
	check_faults();
	pl_slices_fini(&schedule.slices);
	return done_testing();
}
