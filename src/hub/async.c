/* SPDX-License-Identifier: BSD-3-Clause */
/* async.c - asynchronous calls: ranks that push and pull by themselves */
#include "config.h"

#include "src/hub/async.h"

#include "base/mem.h"
#include "engine/engine.h"
#include "engine/reduce.h"
#include "src/hub/team.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A rank, and the thread that serves it. */
struct client {
	struct phase *phase;
	uint32_t rank;
	bool is_here;
	uint64_t *n_pushed; /* [n_keys] */
	size_t n_keys;
	struct pl_rank_part part; /* what the hub does with this rank alone */
	struct pl_engine engine;
	float *buffer;
	size_t room; /* elements */
	/* the present push */
	struct pl_parameters *parameters;
	struct pl_update_step step;
	void (*apply)(struct pl_parameters *p, float *sum, size_t at, size_t n);
	pthread_t id;
};

struct phase {
	const struct hub_async *a;
	/* of the parameters, and of all below and in clients but for what carries chunks */
	pthread_mutex_t lock;
	pthread_cond_t moved; /* a rank has pushed, or goes */
	struct client *client;
	size_t n; /* of them */
	int stop; /* an eventfd: a thread has failed */
	bool failed;
	struct pl_err why;
	struct hub_done *done;
};

static uint64_t pushed(const struct client *c, uint32_t key)
{
	return key < c->n_keys ? c->n_pushed[key] : 0;
}

/* Too far ahead of any rank that still pushes? */
static bool is_ahead(const struct client *c, uint32_t key)
{
	const struct phase *phase = c->phase;
	const uint64_t bound = phase->a->ears->last.staleness;

	for (size_t i = 0; i < phase->n; i++)
		if (phase->client[i].is_here &&
		    pushed(c, key) > bound + pushed(&phase->client[i], key))
			return true;
	return false;
}

/* A chunk of the rank's gradients is there: parameters take its place. */
static void update(void *client, void *gradients, size_t at, size_t n)
{
	struct client *c = client;

	pthread_mutex_lock(&c->phase->lock);
	c->parameters->step = c->step;
	c->parameters->apply = c->apply;
	pl_parameters_update(c->parameters, gradients, at, n);
	pthread_mutex_unlock(&c->phase->lock);
}

static int check(const struct client *c, const struct pl_hub_call *told, struct pl_err *err)
{
	const struct hub_async *a = c->phase->a;

	if ((told->what != PL_HUB_PUSH_PULL && told->what != PL_HUB_PULL) ||
	    told->schedule >= a->part->schedules->n || told->count == 0 ||
	    told->count > SIZE_MAX / sizeof(float) ||
	    (told->what == PL_HUB_PUSH_PULL && told->update.rule == PL_UPDATE_SUM))
		return pl_err_set(err, PL_EINPUT,
				  "rank %u makes an asynchronous call that does not exist",
				  c->rank);
	/* (a new key would move all others) */
	if (told->key >= a->keys->n)
		return pl_err_set(err, PL_EUSAGE, "key %" PRIu32 " has no parameters yet",
				  told->key);
	return 0;
}

/* Room for the call's buffer, and for the count of the key. */
static int make_room(struct client *c, const struct pl_hub_call *told)
{
	if (c->room < told->count) {
		free(c->buffer);
		c->buffer = pl_array_create(told->count, sizeof(*c->buffer));
		c->room = c->buffer ? told->count : 0;
	}
	if (c->n_keys < c->phase->a->keys->n) {
		const size_t n = c->phase->a->keys->n;
		uint64_t *array = pl_array_create(n, sizeof(*array));

		if (!array)
			return -1;
		if (c->n_keys > 0)
			memcpy(array, c->n_pushed, c->n_keys * sizeof(*array));
		free(c->n_pushed);
		c->n_pushed = array;
		c->n_keys = n;
	}
	return c->buffer ? 0 : -1;
}

/* With the lock. */
static int prepare(struct client *c, const struct pl_hub_call *told, struct pl_allreduce_call *call,
		   struct pl_err *err)
{
	const struct hub_async *a = c->phase->a;
	struct pl_program *whole = &a->part->program[told->schedule];
	struct pl_program *own = &c->part.program[told->schedule];

	if (check(c, told, err) ||
	    pl_program_halve(whole, &a->part->schedules->schedule[told->schedule].slices, err) ||
	    (!own->act && pl_program_of_peer(own, whole, c->rank, err)))
		return -1;
	if (make_room(c, told))
		return pl_err_nomem(err);
	if (pl_keys_prepare(a->keys, told, true, call, &c->parameters, err))
		return -1;
	call->buffer = c->buffer;
	if (told->what == PL_HUB_PULL) {
		memcpy(c->buffer, c->parameters->value, told->count * sizeof(*c->buffer));
		return 0;
	}
	c->step = c->parameters->step;
	c->apply = c->parameters->apply;
	call->finish = update;
	call->finish_with = c;
	return 0;
}

/* Waits until the rank may make the call, and prepares it. */
static int begin(struct client *c, const struct pl_hub_call *told, struct pl_allreduce_call *call,
		 struct pl_err *err)
{
	struct phase *phase = c->phase;
	int rc;

	pthread_mutex_lock(&phase->lock);
	while (told->what == PL_HUB_PUSH_PULL && !phase->failed && is_ahead(c, told->key))
		pthread_cond_wait(&phase->moved, &phase->lock);
	rc = phase->failed ? pl_err_set(err, PL_ESYSTEM, "another rank failed")
			   : prepare(c, told, call, err);
	pthread_mutex_unlock(&phase->lock);
	return rc;
}

static void count(struct client *c, const struct pl_hub_call *told)
{
	struct phase *phase = c->phase;

	pthread_mutex_lock(&phase->lock);
	c->n_pushed[told->key] += told->what == PL_HUB_PUSH_PULL;
	phase->done->calls++;
	phase->done->bytes += told->count * sizeof(*c->buffer);
	pthread_cond_broadcast(&phase->moved);
	pthread_mutex_unlock(&phase->lock);
}

static int serve(struct client *c, struct pl_err *err)
{
	struct pl_hub_call told;
	int rc;

	while ((rc = pl_hub_hear_rank(c->phase->a->ears, c->rank, c->phase->stop, &told, err)) >
	       0) {
		struct pl_allreduce_call call = {
			.count = told.count,
			.adder = pl_reduce_adder(PL_REDUCE_FLOAT, PL_REDUCE_SUM)};

		if (begin(c, &told, &call, err))
			return -1;
		c->engine.call = pl_hub_async_call(&told);
		c->engine.patience_ns = (int64_t)told.patience_ns;
		if (pl_engine_allreduce(&c->engine, told.schedule, &call, err))
			return -1;
		count(c, &told);
	}
	return rc;
}

/* With the lock: the first failure ends all. */
static void fail(struct phase *phase, const struct pl_err *err)
{
	if (phase->failed)
		return;
	phase->failed = true;
	phase->why = *err;
	hub_fail(phase->a->mesh, &phase->why);
	eventfd_write(phase->stop, 1);
}

static void *work(void *arg)
{
	struct client *c = arg;
	struct phase *phase = c->phase;
	struct pl_err err = {0};
	const int rc = serve(c, &err);

	pthread_mutex_lock(&phase->lock);
	c->is_here = false;
	if (rc)
		fail(phase, &err);
	pthread_cond_broadcast(&phase->moved);
	pthread_mutex_unlock(&phase->lock);
	return NULL;
}

static int init_client(struct client *c, struct phase *phase, uint32_t rank, struct pl_err *err)
{
	const struct hub_async *a = phase->a;

	*c = (struct client){
		.phase = phase, .rank = rank, .part = {.schedules = a->part->schedules}};
	c->engine.part = &c->part;
	c->part.program = pl_array_create(a->part->schedules->n, sizeof(*c->part.program));
	if (!c->part.program)
		return pl_err_nomem(err);
	if (pl_mesh_view(&c->engine.mesh, a->mesh,
			 (struct pl_mesh_share){.one_peer = true, .peer = rank}, err) == 0) {
		c->is_here = true;
		return 0;
	}
	pl_rank_part_fini(&c->part);
	return -1;
}

static void fini_client(struct client *c)
{
	pl_engine_fini(&c->engine);
	pl_rank_part_fini(&c->part);
	free(c->n_pushed);
	free(c->buffer);
}

/* A client for each rank that the hub knows: all count from the beginning. */
static int init_clients(struct phase *phase, struct pl_err *err)
{
	const struct pl_mesh *mesh = phase->a->mesh;

	phase->client = pl_array_create(mesh->options.first_hub, sizeof(*phase->client));
	if (!phase->client)
		return pl_err_nomem(err);
	for (uint32_t r = 0; r < mesh->options.first_hub; r++) {
		if (mesh->watch[r] < 0)
			continue;
		if (init_client(&phase->client[phase->n], phase, r, err))
			return -1;
		phase->n++;
	}
	return 0;
}

/* A thread for each client, to the end of all. */
static void run(struct phase *phase)
{
	struct pl_err err = {0};
	size_t n = 0;

	for (; n < phase->n; n++) {
		struct client *c = &phase->client[n];

		errno = pthread_create(&c->id, NULL, work, c);
		if (errno == 0)
			continue;
		pl_err_errno(&err, "no thread for rank %u", c->rank);
		pthread_mutex_lock(&phase->lock);
		fail(phase, &err);
		pthread_cond_broadcast(&phase->moved);
		pthread_mutex_unlock(&phase->lock);
		break;
	}
	for (size_t i = 0; i < n; i++)
		pthread_join(phase->client[i].id, NULL);
}

int hub_async_serve(const struct hub_async *a, struct hub_done *done, struct pl_err *err)
{
	struct phase phase = {.a = a,
			      .done = done,
			      .lock = PTHREAD_MUTEX_INITIALIZER,
			      .moved = PTHREAD_COND_INITIALIZER,
			      .stop = eventfd(0, EFD_CLOEXEC)};
	struct pl_err why = {0};

	if (phase.stop < 0) {
		pl_err_errno(&why, "no eventfd");
		fail(&phase, &why);
	} else if (init_clients(&phase, &why)) {
		fail(&phase, &why);
	} else {
		run(&phase);
	}
	for (size_t i = 0; i < phase.n; i++)
		fini_client(&phase.client[i]);
	free(phase.client);
	if (phase.stop >= 0)
		close(phase.stop);
	if (phase.failed)
		*err = phase.why;
	return phase.failed ? -1 : 0;
}
