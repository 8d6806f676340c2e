/* SPDX-License-Identifier: BSD-3-Clause */
/* kineto-events.c - what a trace of PyTorch's profiler says of a training iteration */
#include "config.h"

#include "planner/srift/profile/kineto-events.h"

#include "base/json-stream.h"
#include "base/mem.h"
#include "base/text/element.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define US_MAX 1e19
#define BYTES_MAX ((uint64_t)1 << 40)

void pl_kineto_events_fini(struct pl_kineto_events *e)
{
	free(e->event);
	free(e->kernels.v);
	free(e->launches.v);
	memset(e, 0, sizeof(*e));
}

static bool begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static bool is_any(const char *s, const char *const *names)
{
	while (*names && strcmp(*names, s) != 0)
		names++;
	return *names != NULL;
}

/* 0: it is not known, which is noted if there is a type. */
static uint64_t element_bytes(struct pl_kineto_events *e, const json_t *type)
{
	const char *name = json_string_value(type);
	const uint64_t bytes = pl_tensor_element_bytes(name);

	if (name && *name && !bytes && !e->unknown[0])
		snprintf(e->unknown, sizeof(e->unknown), "%s", name);
	return bytes;
}

/* "Input Dims": [[512, 64], ...], "Input type": ["float", ...]: those of the first. */
static uint64_t shape_bytes(struct pl_kineto_events *e, const json_t *args)
{
	const json_t *dims = json_array_get(json_object_get(args, "Input Dims"), 0);
	const json_t *type = json_array_get(json_object_get(args, "Input type"), 0);
	uint64_t bytes = element_bytes(e, type);
	const size_t n = json_array_size(dims);

	for (size_t i = 0; bytes && i < n; i++) {
		const json_int_t dim = json_integer_value(json_array_get(dims, i));

		if (dim < 1 || (uint64_t)dim > BYTES_MAX / bytes)
			return 0;
		bytes *= (uint64_t)dim;
	}
	return n ? bytes : 0;
}

/* "In msg nelems": 2049000, "dtype": "Float" */
static uint64_t message_bytes(struct pl_kineto_events *e, const json_t *args)
{
	const json_int_t n = json_integer_value(json_object_get(args, "In msg nelems"));
	const uint64_t each = element_bytes(e, json_object_get(args, "dtype"));

	if (n < 1 || each == 0 || (uint64_t)n > BYTES_MAX / each)
		return 0;
	return (uint64_t)n * each;
}

static void classify_message(struct pl_kineto_events *e, const json_t *args,
			     struct pl_kineto_event *event)
{
	static const char *const others[] = {"reduce_scatter", "_reduce_scatter_base",
					     "allgather",      "_allgather_base",
					     "reduce",         NULL};
	const char *name = json_string_value(json_object_get(args, "Collective name"));

	event->kind = PL_KINETO_OP;
	if (!name)
		return;
	event->bytes = message_bytes(e, args);
	if (!strcmp(name, "allreduce") || !strcmp(name, "all_reduce") ||
	    !strcmp(name, "allreduce_coalesced"))
		event->kind = PL_KINETO_ALL_REDUCE;
	else if (is_any(name, others))
		event->kind = PL_KINETO_COLLECTIVE;
}

/* What an event of the processor is, by its name. */
static void classify(struct pl_kineto_events *e, const char *name, const json_t *args,
		     struct pl_kineto_event *event)
{
	static const struct {
		const char *begins;
		enum pl_kineto_kind kind;
	} kinds[] = {
		{"ProfilerStep#", PL_KINETO_STEP},
		{"Optimizer.step#", PL_KINETO_OPTIMIZER},
		{"Optimizer.zero_grad#", PL_KINETO_ZERO},
		{"enumerate(DataLoader)", PL_KINETO_LOADER},
		{"DistributedDataParallel.forward", PL_KINETO_FORWARD},
		{"## forward ##", PL_KINETO_FORWARD},
		{"autograd::engine::evaluate_function: ", PL_KINETO_BACKWARD},
		{"torch::autograd::AccumulateGrad", PL_KINETO_GRADIENT},
		{"nccl:all_reduce", PL_KINETO_ALL_REDUCE_NOTE},
		{"gloo:all_reduce", PL_KINETO_ALL_REDUCE_NOTE},
		{"", PL_KINETO_OP},
	};
	size_t i = 0;

	if (strcmp(name, "record_param_comms") == 0) {
		classify_message(e, args, event);
		return;
	}
	while (!begins(name, kinds[i].begins))
		i++;
	event->kind = kinds[i].kind;
	if (event->kind == PL_KINETO_GRADIENT || event->kind == PL_KINETO_ALL_REDUCE_NOTE)
		event->bytes = shape_bytes(e, args);
}

static int add_event(struct pl_kineto_events *e, const struct pl_kineto_event *event)
{
	if (pl_array_grow((void **)&e->event, &e->event_room, e->n_events, sizeof(*event)))
		return -1;
	e->event[e->n_events++] = *event;
	return 0;
}

static int add_link(struct pl_kineto_links *links, const json_t *correlation, double us)
{
	if (!json_is_integer(correlation))
		return 0;
	if (pl_array_grow((void **)&links->v, &links->room, links->n, sizeof(*links->v)))
		return -1;
	links->v[links->n++] = (struct pl_kineto_link){json_integer_value(correlation), us};
	return 0;
}

/* An event with a begin and an end. -1: no memory. */
static int add_span(struct pl_kineto_events *e, const char *category, const char *name,
		    const json_t *args, struct pl_kineto_event *event)
{
	static const char *const device[] = {"kernel", "gpu_memcpy", "gpu_memset", NULL};
	static const char *const launches[] = {"cuda_runtime", "cuda_driver", NULL};
	/* without Kineto there are no categories */
	static const char *const host[] = {"cpu_op", "user_annotation", "", NULL};
	const json_t *correlation = json_object_get(args, "correlation");

	if (is_any(category, device))
		return pl_is_nccl_kernel(name) ? 0
					       : add_link(&e->kernels, correlation, event->end_us);
	if (is_any(category, launches))
		return add_link(&e->launches, correlation, event->begin_us);
	if (!is_any(category, host))
		return 0;
	classify(e, name, args, event);
	if (event->kind == PL_KINETO_OP && !strcmp(category, "user_annotation"))
		return 0;
	return add_event(e, event);
}

static const char *string_of(const json_t *value, const char *key)
{
	const char *s = json_string_value(json_object_get(value, key));

	return s ? s : "";
}

static int take(struct pl_kineto_events *e, struct pl_json_stream *s, const json_t *value,
		struct pl_err *err)
{
	const json_t *ts = json_object_get(value, "ts");
	const json_t *dur = json_object_get(value, "dur");
	struct pl_kineto_event event = {.begin_us = json_number_value(ts)};

	e->n_read++;
	if (!json_is_object(value)) {
		pl_json_stream_blame(s, "an event is not an object");
		return 0;
	}
	if (strcmp(string_of(value, "ph"), "X") != 0)
		return 0;
	event.end_us = event.begin_us + json_number_value(dur);
	if (!json_is_number(ts) || !json_is_number(dur) || fabs(event.begin_us) > US_MAX ||
	    event.end_us > US_MAX || event.end_us < event.begin_us) {
		pl_json_stream_blame(s, "this event lacks valid times \"ts\" and \"dur\"");
		return 0;
	}
	if (add_span(e, string_of(value, "cat"), string_of(value, "name"),
		     json_object_get(value, "args"), &event))
		return pl_err_nomem(err);
	return 0;
}

static int compare_events(const void *a, const void *b)
{
	const struct pl_kineto_event *x = a, *y = b;

	if (x->begin_us != y->begin_us)
		return x->begin_us < y->begin_us ? -1 : 1;
	if (x->end_us != y->end_us)
		return x->end_us < y->end_us ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

static int compare_links(const void *a, const void *b)
{
	const struct pl_kineto_link *x = a, *y = b;

	return (x->correlation > y->correlation) - (x->correlation < y->correlation);
}

static void sort(void *array, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	if (n)
		qsort(array, n, size, compare);
}

int pl_kineto_events_read(struct pl_kineto_events *e, const char *path, struct pl_err *err)
{
	struct pl_json_stream *s = pl_json_stream_open(path, "traceEvents", err);
	json_t *value = NULL;
	int rc = s ? 1 : -1;

	*e = (struct pl_kineto_events){0};
	if (s)
		pl_json_stream_skip_damaged(s);
	while (rc > 0) {
		rc = pl_json_stream_next(s, &value, err);
		if (rc > 0 && take(e, s, value, err))
			rc = -1;
		json_decref(value);
		value = NULL;
	}
	if (rc == 0)
		pl_json_stream_damage(s, &e->damage);
	pl_json_stream_close(s);
	if (rc) {
		pl_kineto_events_fini(e);
		return -1;
	}
	sort(e->event, e->n_events, sizeof(*e->event), compare_events);
	sort(e->kernels.v, e->kernels.n, sizeof(*e->kernels.v), compare_links);
	sort(e->launches.v, e->launches.n, sizeof(*e->launches.v), compare_links);
	return 0;
}
