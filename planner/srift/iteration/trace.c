/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c - an iteration as a timeline that Perfetto and chrome://tracing
 * open */
#include "config.h"

#include "planner/srift/iteration/iteration.h"

#include "base/mem.h"

#include <jansson.h>
#include <stdlib.h>

enum { COMPUTE = 1, EXCHANGE = 2 }; /* what the format calls processes */
enum { PASSES = 1, LAYERS = 2 };    /* what it calls threads of the first */

#define US 1e6

/* jansson's own failures are no memory: append gives -1 for a NULL, too. */
static int add(json_t *events, json_t *event)
{
	return json_array_append_new(events, event);
}

static int add_name(json_t *events, const char *what, int pid, int tid, const char *name)
{
	return add(events, json_pack("{ss ss si si s{ss}}", "ph", "M", "name", what, "pid", pid,
				     "tid", tid, "args", "name", name));
}

static int add_span(json_t *events, const char *name, int pid, int tid, double begin_s,
		    double end_s, json_t *args)
{
	return add(events, json_pack("{ss ss si si sf sf so}", "ph", "X", "name", name, "pid", pid,
				     "tid", tid, "ts", begin_s * US, "dur", (end_s - begin_s) * US,
				     "args", args ? args : json_object()));
}

static int add_compute(json_t *events, const struct pl_iteration *it,
		       const struct pl_profile *profile)
{
	const double from_s = it->forward_s;
	double last_s = 0;

	if (add_name(events, "process_name", COMPUTE, 0, "slowest machine") ||
	    add_name(events, "thread_name", COMPUTE, PASSES, "passes") ||
	    add_name(events, "thread_name", COMPUTE, LAYERS, "gradients of") ||
	    add_span(events, "forward", COMPUTE, PASSES, 0, from_s, NULL) ||
	    add_span(events, "backward", COMPUTE, PASSES, from_s, from_s + it->backward_s, NULL))
		return -1;
	for (size_t k = 0; k < it->buckets.n_layers; k++) {
		const size_t l = it->buckets.order[k];

		if (add_span(events, profile->layer[l].name, COMPUTE, LAYERS, from_s + last_s,
			     from_s + it->ready_s[l],
			     json_pack("{sI}", "bytes", (json_int_t)profile->layer[l].bytes)))
			return -1;
		last_s = it->ready_s[l];
	}
	return 0;
}

/* "conv1 + 3" for a bucket of four. */
static void name_bucket(char *name, size_t size, const struct pl_iteration *it,
			const struct pl_profile *profile, size_t k)
{
	const struct pl_bucket *bucket = &it->buckets.bucket[k];
	const char *first = profile->layer[it->buckets.order[bucket->first]].name;

	if (bucket->n == 1)
		snprintf(name, size, "%s", first);
	else
		snprintf(name, size, "%s + %zu", first, bucket->n - 1);
}

/* Each goes to the first line that is free when it begins; free_s[n]. They begin in order. */
static int add_transfers(json_t *events, const struct pl_iteration *it,
			 const struct pl_profile *profile, double *free_s)
{
	size_t n_lines = 0;
	char name[300];

	for (size_t k = 0; k < it->buckets.n; k++) {
		const struct pl_transfer *t = &it->transfer[k];
		size_t line = 0;

		while (line < n_lines && free_s[line] > t->begin_s)
			line++;
		n_lines += line == n_lines;
		free_s[line] = t->end_s;
		name_bucket(name, sizeof(name), it, profile, k);
		if (add_span(events, name, EXCHANGE, (int)line + 1, it->forward_s + t->begin_s,
			     it->forward_s + t->end_s,
			     json_pack("{sI sf}", "bytes", (json_int_t)it->buckets.bucket[k].bytes,
				       "bus_bytes_per_s_alone", t->bytes_per_s)))
			return -1;
	}
	return 0;
}

static json_t *build(const struct pl_iteration *it, const struct pl_profile *profile)
{
	double *free_s = pl_array_create(it->buckets.n, sizeof(*free_s));
	json_t *events = json_array(), *all = NULL;

	if (free_s && events && add_compute(events, it, profile) == 0 &&
	    add_name(events, "process_name", EXCHANGE, 0, "all-reduces") == 0 &&
	    add_transfers(events, it, profile, free_s) == 0)
		all = json_pack("{sO ss}", "traceEvents", events, "displayTimeUnit", "ms");
	json_decref(events);
	free(free_s);
	return all;
}

int pl_iteration_trace(const struct pl_iteration *it, const struct pl_profile *profile, FILE *out,
		       struct pl_err *err)
{
	json_t *all = build(it, profile);
	int rc;

	if (!all)
		return pl_err_nomem(err);
	rc = json_dumpf(all, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	json_decref(all);
	if (rc || fputc('\n', out) == EOF)
		return pl_err_errno(err, "cannot write the trace");
	return 0;
}
