/* SPDX-License-Identifier: BSD-3-Clause */
/* parameters.c - parameters that live where gradients are added up */
#include "config.h"

#include "lib/communicator.h"

#include <string.h>

#define WAITS_MAX 4096

/* So many that each slice has one, unless that would be too many. */
static size_t elements_of_all(const struct pl_program *p)
{
	const uint64_t total = p->before[p->n_slices];
	uint64_t n = 1;

	for (size_t i = 0; i < p->n_slices; i++) {
		const uint64_t weight = p->before[i + 1] - p->before[i];

		if (weight > 0 && total / weight >= n)
			n = total / weight + 1;
	}
	return n < WAITS_MAX ? (size_t)n : WAITS_MAX;
}

/* All wait for all, hubs included: an all-reduce of a few zeros by each schedule that has
 * parameters. */
static int wait_for_all(struct pl_communicator *c)
{
	float zeros[WAITS_MAX] = {0};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < c->file->schedules.n; i++) {
		struct pl_hub_call told = {.what = PL_HUB_ALLREDUCE,
					   .schedule = (uint32_t)i,
					   .type = PL_REDUCE_FLOAT,
					   .op = PL_REDUCE_SUM};
		const struct pl_allreduce_call call = {
			.buffer = zeros,
			.count = elements_of_all(&c->part.program[i]),
			.adder = pl_reduce_adder(PL_REDUCE_FLOAT, PL_REDUCE_SUM)};

		if (c->part.program[i].stores)
			rc = pl_communicator_run(c, &told, &call);
	}
	return rc;
}

/* No process may be too many calls ahead of another. */
static int stay_close(struct pl_communicator *c, const struct pl_hub_call *told)
{
	if (told->what == PL_HUB_PUSH_PULL || ++c->n_ahead < PL_HUB_AHEAD_MAX)
		return 0;
	c->n_ahead = 1;
	return wait_for_all(c);
}

/* The schedule for the parameters, with its halves. 0, or -1 with @err set. */
static int choose_schedule(struct pl_communicator *c, struct pl_hub_call *told, struct pl_err *err)
{
	const struct pl_schedules *all = &c->file->schedules;
	const struct pl_schedule *s = NULL;
	struct pl_err why;

	if (told->count > 0 && told->count <= SIZE_MAX / sizeof(float))
		s = pl_schedules_find(all, told->count * sizeof(float));
	if (!s)
		return pl_err_set(err, PL_EUSAGE, "no schedule for %zu parameters",
				  (size_t)told->count);
	if (all->is_tuned)
		return pl_err_set(err, PL_EUSAGE,
				  "the schedules change while the job runs (tune): parameters "
				  "would have no place");
	told->schedule = (uint32_t)(s - all->schedule);
	if (pl_program_halve(&c->part.program[told->schedule], &s->slices, &why) == 0)
		return 0;
	return pl_err_set(err, why.code, "schedule %s cannot have parameters: %s", s->algorithm,
			  why.text);
}

/* What the call is told to hubs as, and how it is made here. 0, or -1 with @error filled; nothing
 * has been sent. */
static int prepare(struct pl_communicator *c, float *buffer, struct pl_hub_call *told,
		   struct pl_allreduce_call *call, struct pl_error *error)
{
	struct pl_parameters *p;
	struct pl_err err;
	bool keeps;

	if (c->failed)
		return pl_lib_fail(error, &c->why);
	if (choose_schedule(c, told, &err))
		return pl_lib_fail(error, &err);
	told->type = PL_REDUCE_FLOAT;
	told->op = PL_REDUCE_SUM;
	*call = (struct pl_allreduce_call){.buffer = buffer,
					   .count = told->count,
					   .adder =
						   pl_reduce_adder(PL_REDUCE_FLOAT, PL_REDUCE_SUM)};
	keeps = pl_program_owns(&c->part.program[told->schedule]);
	if (pl_keys_prepare(&c->keys, told, keeps, call, &p, &err))
		return pl_lib_fail(error, &err);
	if (told->what == PL_HUB_PULL && keeps)
		memcpy(buffer, p->value, p->count * sizeof(*buffer));
	return 0;
}

static int make(struct pl_communicator *c, struct pl_hub_call *told,
		const struct pl_allreduce_call *call, struct pl_error *error)
{
	if (stay_close(c, told) || pl_communicator_run(c, told, call))
		return pl_lib_fail(error, &c->why);
	return 0;
}

_Static_assert((int)PL_OPTIMIZER_ADAM == PL_UPDATE_ADAM && (int)PL_OPTIMIZER_SGD == PL_UPDATE_SGD,
	       "both lists have the same order");

static struct pl_update update_of(const struct pl_optimizer *o)
{
	return (struct pl_update){.rule = (enum pl_update_rule)o->kind,
				  .scale = o->scale,
				  .rate = o->rate,
				  .weight_decay = o->weight_decay,
				  .momentum = o->momentum,
				  .dampening = o->dampening,
				  .nesterov = o->nesterov != 0,
				  .beta1 = o->beta1,
				  .beta2 = o->beta2,
				  .epsilon = o->epsilon};
}

int pl_hub_put(struct pl_communicator *communicator, uint32_t key, float *parameters, size_t count,
	       struct pl_error *error)
{
	struct pl_hub_call told = {.what = PL_HUB_PUSH_PULL,
				   .count = count,
				   .key = key,
				   .update = {.rule = PL_UPDATE_SUM, .scale = 1}};
	struct pl_allreduce_call call;

	if (prepare(communicator, parameters, &told, &call, error))
		return -1;
	if (communicator->rank > 0)
		memset(parameters, 0, count * sizeof(*parameters));
	return make(communicator, &told, &call, error);
}

static int call_hubs(struct pl_communicator *c, struct pl_hub_call told, float *buffer,
		     struct pl_error *error)
{
	struct pl_allreduce_call call;

	if (prepare(c, buffer, &told, &call, error))
		return -1;
	return make(c, &told, &call, error);
}

int pl_hub_push(struct pl_communicator *communicator, uint32_t key, float *gradients, size_t count,
		const struct pl_optimizer *optimizer, struct pl_error *error)
{
	return call_hubs(communicator,
			 (struct pl_hub_call){.what = PL_HUB_PUSH,
					      .count = count,
					      .key = key,
					      .update = update_of(optimizer)},
			 gradients, error);
}

int pl_hub_pull(struct pl_communicator *communicator, uint32_t key, float *parameters, size_t count,
		struct pl_error *error)
{
	return call_hubs(communicator,
			 (struct pl_hub_call){.what = PL_HUB_PULL, .count = count, .key = key},
			 parameters, error);
}

int pl_hub_push_pull(struct pl_communicator *communicator, uint32_t key, float *buffer,
		     size_t count, const struct pl_optimizer *optimizer, struct pl_error *error)
{
	return call_hubs(communicator,
			 (struct pl_hub_call){.what = PL_HUB_PUSH_PULL,
					      .count = count,
					      .key = key,
					      .update = update_of(optimizer)},
			 buffer, error);
}

int pl_hub_async(struct pl_communicator *communicator, uint32_t staleness, struct pl_error *error)
{
	struct pl_communicator *c = communicator;
	struct pl_hub_call told = {.what = PL_HUB_ASYNC,
				   .type = PL_REDUCE_FLOAT,
				   .op = PL_REDUCE_SUM,
				   .staleness = staleness};

	if (c->failed)
		return pl_lib_fail(error, &c->why);
	if (!c->engine.mesh.options.hub)
		return pl_lib_refuse(error, "asynchronous pushes need schedules with hubs");
	if (stay_close(c, &told))
		return pl_lib_fail(error, &c->why);
	told.number = ++c->n_calls;
	if (pl_communicator_exchange(c, &told, NULL))
		return pl_lib_fail(error, &c->why);
	c->is_async = true;
	c->n_steps = 0;
	return 0;
}

/* Does one hub add up the whole slice, and none but the hub? */
static bool is_of_a_hub(const struct pl_slice *s, size_t n_ranks)
{
	for (size_t k = 0; k < s->n_transfers; k++) {
		const struct pl_slice_transfer *t = &s->transfer[k];
		const uint32_t hub = s->transfer[0].dst;

		if (hub < n_ranks || (t->adds ? t->dst : t->src) != hub)
			return false;
	}
	return true;
}

/* An asynchronous call has the number of what began it. */
static int call_by_itself(struct pl_communicator *c, struct pl_hub_call told, float *buffer,
			  struct pl_error *error)
{
	struct pl_allreduce_call call;
	const struct pl_slices *slices;

	if (!c->failed && !c->is_async)
		return pl_lib_refuse(error, "pl_hub_async() must come before");
	if (told.what == PL_HUB_PUSH_PULL && told.update.rule == PL_UPDATE_SUM)
		return pl_lib_refuse(error, "pl_hub_put() stores parameters");
	if (prepare(c, buffer, &told, &call, error))
		return -1;
	slices = &c->file->schedules.schedule[told.schedule].slices;
	for (size_t i = 0; i < slices->n; i++)
		if (!is_of_a_hub(&slices->slice[i], c->engine.mesh.options.first_hub))
			return pl_lib_refuse(
				error, "slice %zu of the schedule is not added up by one hub alone",
				i + 1);
	told.number = c->n_calls;
	told.step = ++c->n_steps;
	c->engine.call = pl_hub_async_call(&told);
	if (pl_communicator_exchange(c, &told, &call))
		return pl_lib_fail(error, &c->why);
	return 0;
}

int pl_hub_async_push_pull(struct pl_communicator *communicator, uint32_t key, float *buffer,
			   size_t count, const struct pl_optimizer *optimizer,
			   struct pl_error *error)
{
	return call_by_itself(communicator,
			      (struct pl_hub_call){.what = PL_HUB_PUSH_PULL,
						   .count = count,
						   .key = key,
						   .update = update_of(optimizer)},
			      buffer, error);
}

int pl_hub_async_pull(struct pl_communicator *communicator, uint32_t key, float *parameters,
		      size_t count, struct pl_error *error)
{
	return call_by_itself(communicator,
			      (struct pl_hub_call){.what = PL_HUB_PULL, .count = count, .key = key},
			      parameters, error);
}
