/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-hub.c - a hub and its ranks, a thread each: what ranks tell it does not end its watch over
 * them */
#include "config.h"

#include "engine/engine.h"
#include "engine/hub.h"
#include "tests/engine/loopback.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>

#define N 2        /* ranks, and a hub behind them */
#define LATE_MS 50 /* rank 1 comes when the hub waits for it */

static const char text[] = "# plink-schedule 1\nhost 0 a\nhost 1 b\n"
			   "aggregator h\nconnections 1\n"
			   "schedule hub 0- chunk=64 window=2\n"
			   "slice 1\nround add 0>2 1>2\nround store 2>0 2>1\n";
static struct pl_schedules schedules;
static struct sockaddr_storage address[N + 1];
static pthread_barrier_t all_done;

struct member {
	uint32_t rank;
	struct pl_engine engine;
	int data[100], n_watched;
	bool good;
	struct pl_err err;
	pthread_t thread;
};

static int call(struct member *m, const struct pl_hub_call *told)
{
	const struct pl_allreduce_call call = {
		.buffer = m->data, .count = told->count, .adder = {add_ints, NULL, sizeof(int)}};

	return pl_engine_allreduce(&m->engine, 0, &call, &m->err);
}

static int run_rank(struct member *m)
{
	const struct pl_hub_call told = {.number = 1, .count = 100};

	for (int i = 0; i < 100; i++)
		m->data[i] = i + (int)m->rank;
	poll(NULL, 0, m->rank == 1 ? LATE_MS : 0);
	return pl_hub_tell(&m->engine.mesh, m->engine.part, &told, &m->err) || call(m, &told);
}

/* Of how many ranks would epoll say that they are lost? */
static int count_watched(const struct pl_mesh *mesh)
{
	struct epoll_event event = {.events = EPOLLRDHUP};
	int n = 0;

	for (int p = 0; p < N; p++)
		n += epoll_ctl(mesh->epoll, EPOLL_CTL_ADD, mesh->watch[p], &event) < 0 &&
		     errno == EEXIST;
	return n;
}

static int run_hub(struct member *m)
{
	struct pl_hub_ears ears;
	int rc = pl_hub_ears_init(&ears, &m->engine.mesh, &m->err);

	if (rc == 0)
		rc = pl_hub_hear(&ears, &m->err) != 1 || call(m, &ears.last);
	m->n_watched = count_watched(&m->engine.mesh);
	pl_hub_ears_fini(&ears);
	return rc;
}

static void *run(void *arg)
{
	struct member *m = arg;
	struct pl_rank_part part = {0};
	bool is_peer[N + 1] = {false};

	m->engine.part = &part;
	if (pl_rank_part_init(&part, &schedules, m->rank, &m->err) == 0) {
		pl_rank_part_peers(&part, is_peer);
		m->good = pl_mesh_connect(&m->engine.mesh, is_peer, address, &m->err) == 0 &&
			  (m->rank == N ? run_hub(m) : run_rank(m)) == 0;
	}
	pthread_barrier_wait(&all_done);
	pl_engine_fini(&m->engine);
	pl_rank_part_fini(&part);
	return NULL;
}

int main(void)
{
	static char *const hub[] = {(char *)"h"};
	struct member m[N + 1] = {{.rank = 0}, {.rank = 1}, {.rank = 2}};
	struct pl_err err = {0};
	struct pl_text of;
	bool good = true;

	pl_text_copy(&of, "schedule", text, strlen(text), NULL);
	ok(pl_schedules_parse(&schedules, &of, &err) == 0 &&
		   pl_schedules_add_up(&schedules, &err) == 0,
	   "a schedule with a hub: %s", err.text);
	pl_text_fini(&of);
	for (uint32_t i = 0; i <= N; i++)
		if (!loopback_listen(&m[i].engine.mesh,
				     (struct pl_mesh_options){.rank = i,
							      .n_ranks = N + 1,
							      .first_hub = N,
							      .hub = hub,
							      .n_lanes = 1},
				     &address[i]))
			return done_testing();
	pthread_barrier_init(&all_done, NULL, N + 1);
	for (int i = 0; i <= N; i++)
		pthread_create(&m[i].thread, NULL, run, &m[i]);
	for (int i = 0; i <= N; i++) {
		pthread_join(m[i].thread, NULL);
		ok(m[i].good, "member %d: %s", i, m[i].err.text);
	}
	for (int i = 0; i < 100; i++)
		good &= m[0].data[i] == 2 * i + 1 && m[1].data[i] == 2 * i + 1;
	ok(good, "the sums");
	is_int(m[N].n_watched, N, "the hub still watches all ranks");
	pthread_barrier_destroy(&all_done);
	pl_schedules_fini(&schedules);
	return done_testing();
}
