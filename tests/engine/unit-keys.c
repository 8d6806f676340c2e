/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-keys.c - parameters on a hub and on a rank, a thread each: pushes and pulls; a rank that
 * dies within a chunk */
#include "config.h"

#include "engine/engine.h"
#include "engine/keys.h"
#include "engine/reduce.h"
#include "tests/engine/loopback.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#define N 2 /* ranks, and a hub behind them */
#define COUNT 1000
#define HOSTS "# plink-schedule 1\nhost 0 a\nhost 1 b\naggregator h\n"

/* Half is the hub's, a quarter is rank 1's, and of a quarter rank 0 adds up what the hub then has:
 * the step is made once. */
static const char text[] = HOSTS "schedule hub 0- chunk=64 window=2\n"
				 "slice 2\nround add 0>2 1>2\n"
				 "round store 2>0 2>1\n"
				 "slice 1\nround add 0>1\nround store 1>0\n"
				 "slice 1\nround add 1>0\nround add 0>2\n"
				 "round store 2>0\nround store 0>1\n";
static struct pl_schedules schedules;
static struct sockaddr_storage address[N + 1];
static pthread_barrier_t all_done;

struct member {
	uint32_t rank;
	bool dies; /* within the first chunk of the second call */
	struct pl_engine engine;
	struct pl_rank_part part;
	struct pl_keys keys;
	float data[COUNT], before; /* a parameter of the hub's */
	int n_done;
	struct pl_err err;
	pthread_t thread;
};

/* Parameters are put, changed twice, and pulled in between and at the end. */
static const struct pl_hub_call calls[] = {
	{.what = PL_HUB_PUSH_PULL, .update = {.scale = 1}},
	{.what = PL_HUB_PUSH, .update = {.rule = PL_UPDATE_SGD, .scale = 0.5, .rate = 0.25}},
	{.what = PL_HUB_PULL},
	{.what = PL_HUB_PUSH_PULL, .update = {.rule = PL_UPDATE_SGD, .scale = 0.5, .rate = 0.25}},
	{.what = PL_HUB_PULL},
};
#define N_CALLS ((int)(sizeof(calls) / sizeof(calls[0])))

/* What parameter i is after a call: rank 0 brings i, the gradients of both are 2 and 4, of which
 * the mean is 3. */
static const float change[N_CALLS] = {0, 0, -0.75F, -1.5F, -1.5F};

static void bring(struct member *m, int call)
{
	for (int i = 0; i < COUNT; i++)
		m->data[i] = call > 0 ? 2.0F * (float)(m->rank + 1) : (float)(m->rank ? 0 : i);
}

static int make(struct member *m, int k)
{
	struct pl_hub_call told = calls[k];
	struct pl_allreduce_call call = {.buffer = m->data,
					 .count = COUNT,
					 .adder = pl_reduce_adder(PL_REDUCE_FLOAT, PL_REDUCE_SUM)};
	struct pl_parameters *p;

	told.count = COUNT;
	bring(m, k);
	if (pl_keys_prepare(&m->keys, &told, pl_program_owns(&m->part.program[0]), &call, &p,
			    &m->err))
		return -1;
	if (told.what == PL_HUB_PULL && p->value)
		memcpy(m->data, p->value, sizeof(m->data));
	if (pl_engine_allreduce(&m->engine, 0, &call, &m->err))
		return -1;
	for (int i = 0; i < COUNT && m->rank < N; i++)
		if (told.what != PL_HUB_PUSH && m->data[i] != (float)i + change[k])
			return pl_err_set(&m->err, PL_EINPUT, "parameter %d is %g after call %d", i,
					  (double)m->data[i], k);
	return 0;
}

/* As the head of a chunk of 64 bytes says, and half of these. */
static void send_half(struct member *m)
{
	unsigned char half[8 + 32] = {[0] = 2, [7] = 64};

	send(m->engine.mesh.lane[N].fd, half, sizeof(half), MSG_NOSIGNAL);
}

static void *run(void *arg)
{
	struct member *m = arg;
	bool is_peer[N + 1] = {false};

	m->engine.part = &m->part;
	if (pl_rank_part_init(&m->part, &schedules, m->rank, &m->err) == 0 &&
	    pl_program_halve(&m->part.program[0], &schedules.schedule[0].slices, &m->err) == 0) {
		pl_rank_part_peers(&m->part, is_peer);
		if (pl_mesh_connect(&m->engine.mesh, is_peer, address, &m->err) == 0)
			while (m->n_done < (m->dies ? 1 : N_CALLS) && make(m, m->n_done) == 0)
				m->n_done++;
	}
	if (m->dies)
		send_half(m);
	else
		pthread_barrier_wait(&all_done);
	pl_engine_fini(&m->engine);
	return NULL;
}

static bool begin(struct member m[N + 1])
{
	static char *const hub[] = {(char *)"h"};
	bool good = true;

	pthread_barrier_init(&all_done, NULL, N + !m[0].dies);
	for (uint32_t i = 0; i <= N; i++) {
		const struct pl_mesh_options o = {
			.rank = i, .n_ranks = N + 1, .first_hub = N, .hub = hub, .n_lanes = 1};

		m[i].rank = i;
		good = good && loopback_listen(&m[i].engine.mesh, o, &address[i]);
	}
	for (int i = 0; good && i <= N; i++)
		pthread_create(&m[i].thread, NULL, run, &m[i]);
	for (int i = 0; good && i <= N; i++)
		pthread_join(m[i].thread, NULL);
	pthread_barrier_destroy(&all_done);
	return good;
}

static void end(struct member m[N + 1])
{
	for (int i = 0; i <= N; i++) {
		pl_keys_fini(&m[i].keys);
		pl_rank_part_fini(&m[i].part);
	}
}

static void test_calls(void)
{
	static struct member m[N + 1];

	if (begin(m))
		for (int i = 0; i <= N; i++)
			ok(m[i].n_done == N_CALLS, "member %d: %s", i, m[i].err.text);
	end(m);
}

static void test_death(void)
{
	static struct member m[N + 1] = {{.dies = true}};
	bool changed = false;

	if (!begin(m))
		return;
	is_int(m[N].n_done, 1, "a rank dies within a chunk of the second call");
	has_str(m[N].err.text, "rank 0 has closed", "the hub names it");
	for (int i = 0; i < COUNT / 2; i++)
		changed |= m[N].keys.v[0].value[i] != (float)i;
	ok(!changed, "and no parameter has changed");
	end(m);
}

static void test_refusals(void)
{
	static const char doubling[] = HOSTS "schedule doubling 0- chunk=64 window=2\n"
					     "slice 1\nround add 0>1 1>0\n";
	struct pl_rank_part part = {0};
	struct pl_schedules s = {0};
	struct pl_keys keys = {0};
	struct pl_hub_call told = {.what = PL_HUB_PUSH, .key = 3, .count = COUNT};
	struct pl_allreduce_call call = {.count = 0};
	struct pl_parameters *p;
	struct pl_err err = {0};
	struct pl_text of;

	pl_text_copy(&of, "schedule", doubling, strlen(doubling), NULL);
	ok(pl_schedules_parse(&s, &of, &err) == 0 && pl_rank_part_init(&part, &s, 0, &err) == 0,
	   "recursive doubling: %s", err.text);
	ok(pl_program_halve(&part.program[0], &s.schedule[0].slices, &err) && err.code == PL_EUSAGE,
	   "has no halves: %s", err.text);
	ok(pl_keys_prepare(&keys, &told, true, &call, &p, &err) && err.code == PL_EUSAGE,
	   "a push of what is not there: %s", err.text);
	told.what = PL_HUB_PUSH_PULL;
	ok(pl_keys_prepare(&keys, &told, true, &call, &p, &err) == 0 &&
		   call.half == PL_BOTH_HALVES && call.finish,
	   "a sum makes parameters");
	told.count++;
	ok(pl_keys_prepare(&keys, &told, true, &call, &p, &err) && err.code == PL_EUSAGE,
	   "another number of them: %s", err.text);
	told.count--;
	told.update.rule = PL_UPDATE_RULES;
	ok(pl_keys_prepare(&keys, &told, true, &call, &p, &err) && err.code == PL_EINPUT,
	   "a rule that does not exist: %s", err.text);
	told.key = PL_KEYS_MAX;
	ok(pl_keys_prepare(&keys, &told, true, &call, &p, &err) && err.code == PL_EUSAGE,
	   "a key that is too high: %s", err.text);
	pl_keys_fini(&keys);
	pl_text_fini(&of);
	pl_rank_part_fini(&part);
	pl_schedules_fini(&s);
}

/* One parameter, 1 at first, in doubles; its gradient, after scaling, is the parameter itself. */
static double by_formula(const struct pl_update *u, int steps)
{
	double x = 1, m = 0, v = 0;

	for (int t = 1; t <= steps; t++) {
		const double g = x + u->weight_decay * x;

		if (u->rule == PL_UPDATE_ADAM) {
			m = u->beta1 * m + (1 - u->beta1) * g;
			v = u->beta2 * v + (1 - u->beta2) * g * g;
			x -= u->rate * (m / (1 - pow(u->beta1, t))) /
			     (sqrt(v / (1 - pow(u->beta2, t))) + u->epsilon);
		} else {
			m = t == 1 ? g : u->momentum * m + (1 - u->dampening) * g;
			x -= u->rate * (u->nesterov ? g + u->momentum * m : m);
		}
	}
	return x;
}

static void test_rules(void)
{
	static const struct pl_update rule[] = {
		{.rule = PL_UPDATE_SGD,
		 .rate = 0.1,
		 .momentum = 0.9,
		 .dampening = 0.2,
		 .weight_decay = 0.01},
		{.rule = PL_UPDATE_SGD, .rate = 0.1, .momentum = 0.8, .nesterov = true},
		{.rule = PL_UPDATE_ADAM,
		 .rate = 0.1,
		 .beta1 = 0.8,
		 .beta2 = 0.95,
		 .epsilon = 1e-3,
		 .weight_decay = 0.01},
	};

	for (size_t i = 0; i < sizeof(rule) / sizeof(rule[0]); i++) {
		struct pl_update u = rule[i];
		struct pl_parameters p = {0};
		struct pl_err err;
		bool good = pl_parameters_init(&p, 1) == 0;
		double want;

		u.scale = 0.5;
		p.value[0] = 1;
		for (int t = 0; good && t < 9; t++) {
			float g = 2 * p.value[0];

			good = pl_parameters_begin(&p, &u, &err) == 0;
			pl_parameters_update(&p, &g, 0, 1);
			good &= g == p.value[0];
		}
		want = by_formula(&u, 9);
		ok(good && fabs((double)p.value[0] - want) < 1e-6,
		   "rule %zu: %g, by the formula %g", i, (double)p.value[0], want);
		pl_parameters_fini(&p);
	}
}

int main(void)
{
	struct pl_err err = {0};
	struct pl_text of;

	pl_text_copy(&of, "schedule", text, strlen(text), NULL);
	ok(pl_schedules_parse(&schedules, &of, &err) == 0 &&
		   pl_schedules_add_up(&schedules, &err) == 0,
	   "a schedule with a hub: %s", err.text);
	pl_text_fini(&of);
	test_calls();
	test_death();
	test_refusals();
	test_rules();
	pl_schedules_fini(&schedules);
	return done_testing();
}
