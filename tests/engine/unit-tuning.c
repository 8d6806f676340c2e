/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-tuning.c - schedules that change again and again while ranks, a thread each, all-reduce:
 * every sum is right, and all change */
#include "config.h"

#include "base/rng.h"
#include "engine/engine.h"
#include "engine/tune/retune.h"
#include "engine/tune/tuning.h"
#include "tests/engine/loopback.h"
#include "tests/failalloc.h"

#include <pthread.h>
#include <stdlib.h>

#define N 5
#define N_NODES (N + 3)
#define COUNT 3000

static uint32_t parent[N_NODES] = {5, 5, 5, 6, 6, 7, 7};
static struct pl_schedule schedule = {.algorithm = (char *)"two-level",
				      .chunk_bytes = 1000,
				      .window = 3,
				      .size_max = UINT64_MAX,
				      .parent = parent,
				      .n_nodes = N_NODES};
static struct pl_schedules schedules = {.schedule = &schedule, .n = 1, .is_tuned = true};
static struct sockaddr_storage address[N];
static struct pl_mesh mesh[N];
static unsigned n_calls = 400;

struct rank {
	uint32_t rank;
	bool good;
	struct pl_err err;
	pthread_t thread;
};

/* Of rank 0's thread. */
static struct pl_rng rng;
static double value[N_NODES + N];
static bool is_first; /* the plan is the schedule as it was */
static unsigned n_steps, n_changes, n_wrong;
static uint32_t silent = N; /* a rank that is asked and does not answer */

/* A new plan at each opportunity; every seventh is the first one. */
static bool draw_plan(struct pl_tuner *t, const struct pl_tuner_sight *s)
{
	(void)t;
	for (size_t i = 0; i < N * N; i++)
		n_wrong += i % (N + 1) == 0 && s->traffic.bytes[i] > 0;
	is_first = ++n_steps % 7 == 0;
	for (size_t i = 0; i < N_NODES + N; i++)
		value[i] = 0.1 + pl_rng_double(&rng);
	return true;
}

static const double *plan(const struct pl_tuner *t)
{
	(void)t;
	return is_first ? NULL : value;
}

static void count_change(const char *why)
{
	(void)why;
	n_changes++;
}

static const struct pl_tuning_rules rules = {
	.step = draw_plan, .plan = plan, .calls_min = 1, .changed = count_change};

static bool run_call(struct rank *rank, struct pl_engine *e, unsigned i)
{
	int data[COUNT];
	const struct pl_allreduce_call call = {.buffer = data,
					       .count = 1 + i * 37 % COUNT,
					       .adder = {add_ints, NULL, sizeof(int)}};

	for (size_t k = 0; k < call.count; k++)
		data[k] = (int)(k + i + rank->rank);
	if (pl_engine_allreduce(e, 0, &call, &rank->err))
		return false;
	for (size_t k = 0; k < call.count; k++)
		if (data[k] != (int)(N * (k + i) + N * (N - 1) / 2))
			return false;
	return true;
}

static void *run_rank(void *arg)
{
	bool is_peer[N] = {false};
	struct rank *rank = arg;
	struct pl_rank_part part = {0};
	struct pl_engine e = {.mesh = mesh[rank->rank], .part = &part};

	rank->good = pl_rank_part_init(&part, &schedules, rank->rank, &rank->err) == 0;
	if (rank->good) {
		pl_rank_part_peers(&part, is_peer);
		rank->good = pl_mesh_connect(&e.mesh, is_peer, address, &rank->err) == 0 &&
			     (rank->rank == silent || pl_engine_tune(&e, &rules, &rank->err) == 0);
	}
	for (unsigned i = 0; rank->good && i < n_calls; i++)
		rank->good = run_call(rank, &e, i);
	pl_engine_fini(&e);
	pl_rank_part_fini(&part);
	return NULL;
}

/* Ranks that no schedule joins may exchange bytes later. */
static void check_peers(void)
{
	bool is_peer[N] = {false};
	struct pl_schedules none = schedules;
	struct pl_rank_part part = {.schedules = &none};
	size_t n = 0;

	none.n = 0;
	pl_rank_part_peers(&part, is_peer);
	for (size_t p = 0; p < N; p++)
		n += is_peer[p];
	ok(n == N, "with tuning all ranks are peers");
}

/* Without memory there is no tuning. */
static void check_no_memory(void)
{
	int fd[2] = {-1, -1};
	const struct pl_mesh alone = {.options = {.n_ranks = 2}, .watch = fd};
	struct pl_rank_part part = {0};
	struct pl_err err = {0};
	bool refused = true, made = false;
	size_t k, live = 0, n_made = 0;

	ok(pl_rank_part_init(&part, &schedules, 0, &err) == 0, "a part: %s", err.text);
	for (k = 0; refused && live == 0; k++) {
		struct pl_tuning *t;

		failalloc_begin(k);
		t = pl_tuning_create(&alone, &part, &rules);
		made = t != NULL;
		pl_tuning_destroy(t);
		refused = failalloc_end(&live);
		n_made += made && refused;
	}
	ok(k > 5 && live == 0 && made && n_made == 0, "%zu allocations, each refused once", k - 1);
	pl_rank_part_fini(&part);
}

/* All ranks, until all have made their calls. false: they could not begin. */
static bool run_all(void)
{
	struct rank rank[N];

	for (uint32_t i = 0; i < N; i++)
		if (!loopback_listen(
			    &mesh[i],
			    (struct pl_mesh_options){.rank = i, .n_ranks = N, .n_lanes = 1},
			    &address[i]))
			return false;
	for (uint32_t i = 0; i < N; i++) {
		rank[i] = (struct rank){.rank = i};
		pthread_create(&rank[i].thread, NULL, run_rank, &rank[i]);
	}
	for (uint32_t i = 0; i < N; i++)
		pthread_join(rank[i].thread, NULL);
	for (uint32_t i = 0; i < N; i++)
		ok(rank[i].good, "rank %u has all sums %s", i, rank[i].err.text);
	return true;
}

/* Whose statistics are missing, as of one whose tuning has ended. */
static void check_silent(void)
{
	silent = N - 1;
	n_calls = 100;
	n_steps = n_changes = 0;
	ok(run_all() && n_steps + n_changes == 0,
	   "a rank that does not answer: the schedules stay");
}

/* unit-tuning [CALLS] */
int main(int argc, char **argv)
{
	const struct pl_rank_tree tree = {.n_ranks = N, .n_nodes = N_NODES, .parent = parent};
	struct pl_err err;

	if (argc > 1)
		n_calls = (unsigned)atoi(argv[1]);
	pl_rng_init(&rng, 11, 1);
	for (size_t i = 0; i < N; i++)
		pl_hosts_add(&schedules.job.hosts, &(struct pl_host){.name = "h", .slots = 1});
	if (pl_levels_slices(&schedule.slices, &tree, &err))
		return ok(false, "%s", err.text), done_testing();
	if (!run_all())
		return done_testing();
	ok(n_changes > n_calls / 20,
	   "%u plans, %u changes in %u calls: in all ranks at the same call", n_steps, n_changes,
	   n_calls);
	ok(n_wrong == 0, "no rank has sent to itself");
	check_silent();
	check_peers();
	check_no_memory();
	pl_slices_fini(&schedule.slices);
	pl_hosts_fini(&schedules.job.hosts);
	return done_testing();
}
