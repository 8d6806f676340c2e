/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.c - where the time of a step went, from a trace of PyTorch's profiler */
#include "config.h"

#include "planner/stalls/timeline.h"

#include "base/json-stream.h"
#include "base/mem.h"
#include "base/text/element.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define US_MAX 1e19
#define SECOND_US 1e6

struct span {
	double begin_us, end_us;
};

/* After join(): ascending, none touches another. */
struct spans {
	struct span *v;
	size_t n, room;
};

/* What the events of a trace are. */
struct events {
	struct spans steps, loads, kernels, exchanges, operators, calls;
	double call_bytes;
	double first_us, last_us; /* of all */
};

static bool begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static int add(struct spans *s, struct span span)
{
	if (pl_array_grow((void **)&s->v, &s->room, s->n, sizeof(*s->v)))
		return -1;
	s->v[s->n++] = span;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->begin_us > y->begin_us) - (x->begin_us < y->begin_us);
}

static void join(struct spans *s)
{
	size_t n = 0;

	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), compare);
	for (size_t i = 0; i < s->n; i++) {
		if (n > 0 && s->v[i].begin_us <= s->v[n - 1].end_us)
			s->v[n - 1].end_us = fmax(s->v[n - 1].end_us, s->v[i].end_us);
		else
			s->v[n++] = s->v[i];
	}
	s->n = n;
}

/* The time that is in both. */
static double both_us(const struct spans *a, const struct spans *b)
{
	double sum = 0;

	for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
		const double from = fmax(a->v[i].begin_us, b->v[j].begin_us);
		const double to = fmin(a->v[i].end_us, b->v[j].end_us);

		sum += fmax(0, to - from);
		if (a->v[i].end_us < b->v[j].end_us)
			i++;
		else
			j++;
	}
	return sum;
}

/* What is in both, as spans of its own. */
static int cut(struct spans *to, const struct spans *a, const struct spans *b)
{
	for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
		const struct span common = {fmax(a->v[i].begin_us, b->v[j].begin_us),
					    fmin(a->v[i].end_us, b->v[j].end_us)};

		if (common.begin_us < common.end_us && add(to, common))
			return -1;
		if (a->v[i].end_us < b->v[j].end_us)
			i++;
		else
			j++;
	}
	return 0;
}

static double length_us(const struct spans *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += s->v[i].end_us - s->v[i].begin_us;
	return sum;
}

static const char *string_of(const json_t *value, const char *key)
{
	const char *s = json_string_value(json_object_get(value, key));

	return s ? s : "";
}

/* An all-reduce as the processor asks for it, and its bytes. */
static int take_call(struct events *e, struct pl_json_stream *s, const json_t *args,
		     struct span span)
{
	const char *name = string_of(args, "Collective name");
	const json_t *size = json_object_get(args, "In msg nelems");
	const double n = json_number_value(size);
	const uint64_t each = pl_tensor_element_bytes(string_of(args, "dtype"));

	if (!begins(name, "allreduce") && !begins(name, "all_reduce"))
		return 0;
	if (size && !json_is_integer(size)) {
		pl_json_stream_blame(s, "the size of this all-reduce is no whole number");
		return 0;
	}
	if (n > 0 && each == 0) {
		pl_json_stream_blame(s,
				     "an all-reduce: the size of elements \"%.64s\" is not known",
				     string_of(args, "dtype"));
		return 0;
	}
	if (n > 0 && n < 1e15)
		e->call_bytes += n * (double)each;
	return add(&e->calls, span);
}

static int take_span(struct events *e, struct pl_json_stream *s, const json_t *event,
		     struct span span)
{
	const char *category = string_of(event, "cat");
	const char *name = string_of(event, "name");

	if (strcmp(category, "kernel") == 0)
		return add(pl_is_nccl_kernel(name) ? &e->exchanges : &e->kernels, span);
	if (begins(category, "gpu_") || begins(category, "cuda_"))
		return 0;
	if (begins(name, "ProfilerStep#"))
		return add(&e->steps, span);
	if (begins(name, "enumerate(DataLoader)"))
		return add(&e->loads, span);
	if (strcmp(name, "record_param_comms") == 0)
		return take_call(e, s, json_object_get(event, "args"), span);
	if (begins(name, "gloo:"))
		return add(&e->exchanges, span);
	if (strcmp(category, "cpu_op") == 0)
		return add(&e->operators, span);
	return 0;
}

static int take(struct events *e, struct pl_json_stream *s, const json_t *event, struct pl_err *err)
{
	const json_t *ts = json_object_get(event, "ts");
	const json_t *dur = json_object_get(event, "dur");
	struct span span = {.begin_us = json_number_value(ts)};

	if (!json_is_object(event)) {
		pl_json_stream_blame(s, "an event is not an object");
		return 0;
	}
	if (strcmp(string_of(event, "ph"), "X") != 0 ||
	    strcmp(string_of(event, "cat"), "Trace") == 0)
		return 0;
	span.end_us = span.begin_us + json_number_value(dur);
	if (!json_is_number(ts) || !json_is_number(dur) || fabs(span.begin_us) > US_MAX ||
	    span.end_us > US_MAX || span.end_us < span.begin_us) {
		pl_json_stream_blame(s, "this event lacks valid times \"ts\" and \"dur\"");
		return 0;
	}
	e->first_us = fmin(e->first_us, span.begin_us);
	e->last_us = fmax(e->last_us, span.end_us);
	return take_span(e, s, event, span) ? pl_err_nomem(err) : 0;
}

static int read_events(struct events *e, struct pl_stall_timeline *t, const char *path,
		       struct pl_err *err)
{
	static const char *const keys[] = {"traceEvents", NULL};
	struct pl_json_stream *s = pl_json_stream_open_any(path, keys, err);
	json_t *event = NULL;
	int rc = s ? 1 : -1;

	if (s)
		pl_json_stream_skip_damaged(s);
	while (rc > 0) {
		rc = pl_json_stream_next(s, &event, err);
		if (rc > 0 && take(e, s, event, err))
			rc = -1;
		json_decref(event);
		event = NULL;
	}
	if (rc == 0) {
		const json_int_t ranks = json_integer_value(json_object_get(
			json_object_get(pl_json_stream_beside(s), "distributedInfo"),
			"world_size"));

		t->ranks = ranks > 0 ? (uint64_t)ranks : 0;
		pl_json_stream_damage(s, &t->damage);
	}
	if (rc == 0 && e->kernels.n + e->operators.n + e->calls.n == 0)
		rc = pl_err_at(
			err, (struct pl_place){.file = path, .line = 1, .col = 1},
			"there are neither kernels nor operators: this is no trace of a training");
	if (rc && t->damage.code && err)
		*err = t->damage; /* which may be why */
	pl_json_stream_close(s);
	return rc;
}

/* The spans of steps, and of all that lies within them. -1: out of memory. */
static int measure(struct events *e, struct pl_stall_timeline *t)
{
	struct spans *const computing = e->kernels.n ? &e->kernels : &e->operators;
	struct spans exchanges = {0}, loads = {0};
	double n;
	int rc;

	t->gpu = e->kernels.n > 0;
	if (e->steps.n == 0 && add(&e->steps, (struct span){e->first_us, e->last_us}))
		return -1;
	t->n_steps = e->steps.n;
	n = (double)t->n_steps;
	t->calls = (double)e->calls.n / n;
	t->bytes = e->call_bytes / n;
	join(&e->steps);
	join(&e->loads);
	join(&e->exchanges);
	join(computing);
	rc = cut(&exchanges, &e->exchanges, &e->steps) || cut(&loads, &e->loads, &e->steps);
	t->step_s = length_us(&e->steps) / n / SECOND_US;
	t->collectives_s = length_us(&exchanges) / n / SECOND_US;
	t->data_s = length_us(&loads) - both_us(&loads, &exchanges);
	if (t->gpu)
		t->data_s -= both_us(&loads, computing);
	t->data_s = fmax(0, t->data_s) / n / SECOND_US;
	t->exchange_s = t->collectives_s - both_us(&exchanges, computing) / n / SECOND_US;
	t->compute_s = t->step_s - t->data_s - t->exchange_s;
	free(exchanges.v);
	free(loads.v);
	return rc ? -1 : 0;
}

int pl_stall_timeline_read(struct pl_stall_timeline *t, const char *path, struct pl_err *err)
{
	struct events e = {.first_us = INFINITY, .last_us = -INFINITY};
	int rc;

	*t = (struct pl_stall_timeline){.n_steps = 0};
	rc = read_events(&e, t, path, err);
	if (rc == 0 && measure(&e, t))
		rc = pl_err_nomem(err);
	if (rc == 0 && !(t->step_s > 0))
		rc = pl_err_at(err, (struct pl_place){.file = path, .line = 1, .col = 1},
			       "the steps of the trace take no time");
	free(e.steps.v);
	free(e.loads.v);
	free(e.kernels.v);
	free(e.exchanges.v);
	free(e.operators.v);
	free(e.calls.v);
	return rc;
}
