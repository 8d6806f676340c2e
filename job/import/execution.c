/* SPDX-License-Identifier: BSD-3-Clause */
/* execution.c - PyTorch's execution traces */
/*
 *   "schema": "1.1.1-chakra.0.0.4", "nodes": [
 *     {"name": "## process_group:init ##", "inputs": {"values":
 *      ["[{\"pg_name\": \"1\", \"pg_desc\": \"tensor\", \"ranks\": [0, 1],
 *      \"group_size\": 2}, ...]"]}},
 *     {"name": "record_param_comms", "inputs": {"values": [[...], 7, ["1",
 *      "tensor"], 0, "allreduce", ...]}, "attrs": [{"name":
 *      "collective_name", "value": "allreduce"}, {"name": "in_msg_nelems",
 *      "value": 1000}, {"name": "dtype", "value": "Float"}, {"name":
 *      "pg_name", "value": "1"}, ...]}, ...]
 *
 * A group without ranks has all. Before the name of a call, its inputs have a rank in the group: of
 * the process; of the root, if there is one; of a message, that of its other end.
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/mem.h"
#include "base/text/element.h"
#include "costmodels/catalogue.h"
#include "job/import/blocks.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_MAX (INT64_MAX / 2)

struct trace_group {
	char *name, *description;
	uint32_t *member;
	size_t n;
	size_t number; /* in the recording */
};

struct trace_call {
	char *name, *group;
	char *type;       /* of its elements if their size is not known; NULL: it is */
	uint64_t in, out; /* bytes */
	json_int_t rank;  /* in the group; < 0: not there */
	json_t *split;    /* of an all-to-all's input, as they tell it */
};

/* The groups and the calls of one process, before it is known which ranks they have. */
struct trace {
	size_t rank; /* of the process in the job, or PL_RECORDED_NO_RANK */
	struct trace_group *group;
	struct trace_call *call;
	size_t n_groups, group_room, n_calls, call_room;
};

static char *copy(const char *s)
{
	return pl_string_copy(s ? s : "", s ? strlen(s) : 0);
}

static void trace_fini(struct trace *t)
{
	for (size_t i = 0; i < t->n_groups; i++) {
		free(t->group[i].name);
		free(t->group[i].description);
		free(t->group[i].member);
	}
	for (size_t i = 0; i < t->n_calls; i++) {
		free(t->call[i].name);
		free(t->call[i].group);
		free(t->call[i].type);
		json_decref(t->call[i].split);
	}
	free(t->group);
	free(t->call);
	memset(t, 0, sizeof(*t));
}

/* Adds copies of the call's strings, and takes its split. -1: out of memory. */
static int add_call(struct trace *t, const struct trace_call *call)
{
	struct trace_call *own;

	if (pl_array_grow((void **)&t->call, &t->call_room, t->n_calls, sizeof(*t->call))) {
		json_decref(call->split);
		return -1;
	}
	own = &t->call[t->n_calls++];
	*own = *call;
	own->name = copy(call->name);
	own->group = copy(call->group);
	own->type = call->type ? copy(call->type) : NULL;
	return own->name && own->group && !own->type == !call->type ? 0 : -1;
}

/* The ranks of a group: all, if it names none. Like pl_import_members. */
static int members_of(const json_t *config, uint32_t **member, size_t *n)
{
	const json_int_t size = json_integer_value(json_object_get(config, "group_size"));
	const int rc = pl_import_members(json_object_get(config, "ranks"), member, n);

	if (rc <= 0 || json_array_size(json_object_get(config, "ranks")) > 0 || size < 1 ||
	    size > (json_int_t)PL_JOB_RANKS_MAX)
		return rc;
	*n = (size_t)size;
	*member = pl_array_create(*n, sizeof(**member));
	for (size_t i = 0; *member && i < *n; i++)
		(*member)[i] = (uint32_t)i;
	return *member ? 0 : -1;
}

static struct trace_group *find_group(const struct trace *t, const char *name)
{
	for (size_t i = 0; i < t->n_groups; i++)
		if (strcmp(t->group[i].name, name) == 0)
			return &t->group[i];
	return NULL;
}

/* A group of the first list that has one of its name. */
static int add_group(struct trace *t, const json_t *config)
{
	const char *name = json_string_value(json_object_get(config, "pg_name"));
	struct trace_group g = {0};
	int rc;

	if (!name || find_group(t, name))
		return 0;
	rc = members_of(config, &g.member, &g.n);
	if (rc)
		return rc < 0 ? -1 : 0;
	g.name = copy(name);
	g.description = copy(json_string_value(json_object_get(config, "pg_desc")));
	if (g.name && g.description &&
	    pl_array_grow((void **)&t->group, &t->group_room, t->n_groups, sizeof(*t->group)) ==
		    0) {
		t->group[t->n_groups++] = g;
		return 0;
	}
	free(g.name);
	free(g.description);
	free(g.member);
	return -1;
}

/* PyTorch's list, which is JSON or else ignored. -1: out of memory. */
static int add_groups(struct trace *t, const char *text)
{
	json_t *list = text ? json_loads(text, 0, NULL) : NULL, *config;
	size_t i;
	int rc = 0;

	json_array_foreach(list, i, config)
	{
		rc = rc ? rc : add_group(t, config);
	}
	json_decref(list);
	return rc;
}

/* ---- nodes */

static const char *string_in(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* The value of the node's attribute, or NULL. */
static const json_t *attribute(const json_t *node, const char *name)
{
	const json_t *attrs = json_object_get(node, "attrs"), *attr;
	size_t i;

	json_array_foreach(attrs, i, attr)
	{
		const char *here = string_in(attr, "name");

		if (here && strcmp(here, name) == 0)
			return json_object_get(attr, "value");
	}
	return NULL;
}

static uint64_t side_bytes(const json_t *node, const char *key)
{
	const uint64_t each = pl_tensor_element_bytes(json_string_value(attribute(node, "dtype")));
	const json_int_t n = json_integer_value(attribute(node, key));

	return n > 0 && each > 0 && (uint64_t)n <= BYTES_MAX / each ? (uint64_t)n * each : 0;
}

static const json_t *inputs_of(const json_t *node)
{
	return json_object_get(json_object_get(node, "inputs"), "values");
}

/* The number before the name of the call. */
static json_int_t rank_before(const json_t *inputs, const char *name)
{
	const json_t *last = NULL, *value;
	size_t i;

	json_array_foreach(inputs, i, value)
	{
		if (json_is_string(value) && strcmp(json_string_value(value), name) == 0)
			return json_is_integer(last) ? json_integer_value(last) : -1;
		last = value;
	}
	return -1;
}

static int take_call(struct trace *t, const json_t *node)
{
	const char *name = json_string_value(attribute(node, "collective_name"));
	const char *type = json_string_value(attribute(node, "dtype"));
	struct trace_call call;

	if (!name || pl_operation_parse(name).form == PL_OPERATION_NONE)
		return 0;
	call = (struct trace_call){
		.name = (char *)name,
		.group = (char *)json_string_value(attribute(node, "pg_name")),
		.type = pl_tensor_element_bytes(type) ? NULL : (char *)(type ? type : ""),
		.in = side_bytes(node, "in_msg_nelems"),
		.out = side_bytes(node, "out_msg_nelems"),
		.rank = rank_before(inputs_of(node), name),
	};
	if (pl_operation_parse(name).collective == PL_ALLTOALL)
		call.split = pl_import_list(attribute(node, "in_split_size"));
	return add_call(t, &call);
}

/* Most nodes are of no interest. -1: out of memory. */
static int take_node(struct trace *t, const json_t *node)
{
	const char *name = string_in(node, "name");

	if (name && strcmp(name, "## process_group:init ##") == 0)
		return add_groups(t, json_string_value(json_array_get(inputs_of(node), 0)));
	if (name && strcmp(name, "record_param_comms") == 0)
		return take_call(t, node);
	return 0;
}

static int read_nodes(struct trace *t, struct pl_json_stream *s, struct pl_err *err)
{
	json_t *node;
	int rc;

	while ((rc = pl_json_stream_next(s, &node, err)) > 0) {
		rc = take_node(t, node);
		json_decref(node);
		if (rc)
			return pl_err_nomem(err);
	}
	return rc;
}

/* ---- when all are read */

/* The member that a call names, or PL_RECORDED_NO_RANK. */
static size_t member_in(const struct trace_group *g, const struct trace_call *call)
{
	return g && call->rank >= 0 && (size_t)call->rank < g->n ? g->member[call->rank]
								 : PL_RECORDED_NO_RANK;
}

/* Is the rank that the call names that of the process? */
static bool is_own(const struct trace_call *call)
{
	const struct pl_operation op = pl_operation_parse(call->name);

	return op.form == PL_OPERATION_COLLECTIVE && !pl_collective_has_root(op.collective);
}

/* The number of ranks that the groups need, and whose file it is. */
static void find_ranks(struct trace *t, struct pl_recorded_file *file)
{
	for (size_t i = 0; i < t->n_groups; i++)
		for (size_t k = 0; k < t->group[i].n; k++)
			if (t->group[i].member[k] >= file->n_ranks)
				file->n_ranks = (size_t)t->group[i].member[k] + 1;
	for (size_t i = 0; t->rank == PL_RECORDED_NO_RANK && i < t->n_calls; i++)
		if (is_own(&t->call[i]))
			t->rank = member_in(find_group(t, t->call[i].group), &t->call[i]);
	file->rank = t->rank;
}

static int put_message(struct pl_recording *r, const struct trace *t, const struct trace_call *call,
		       const struct trace_group *g, bool received)
{
	const size_t peer = member_in(g, call);
	struct pl_recorded_message message = {
		.bytes = (double)(received ? call->out : call->in),
		.messages = 1,
		.received = received,
	};

	if (peer == PL_RECORDED_NO_RANK || t->rank == PL_RECORDED_NO_RANK)
		return pl_recording_lose(
			r, "%s in group \"%s\" is left out: its ranks are not in the trace",
			call->name, call->group);
	message.src = (uint32_t)(received ? peer : t->rank);
	message.dst = (uint32_t)(received ? t->rank : peer);
	return pl_recording_message(r, &message);
}

static int put_call(struct pl_recording *r, const struct trace *t, const struct trace_call *call)
{
	const struct pl_operation op = pl_operation_parse(call->name);
	const struct trace_group *g = find_group(t, call->group);

	if (!g)
		return pl_recording_lose(
			r, "a call of group \"%s\" is left out: its ranks are not in the trace",
			call->group);
	if (call->type && op.form != PL_OPERATION_LOST && op.collective != PL_BARRIER)
		return pl_import_lose_type(r, call->name, call->group, call->type);
	switch (op.form) {
	case PL_OPERATION_COLLECTIVE:
		if (op.collective == PL_ALLTOALL &&
		    pl_recording_split(r, g->number, t->rank, call->in, call->split))
			return -1;
		return pl_recording_calls(
			r, g->number, op.collective,
			pl_operation_bytes(op.collective, call->in, call->out, g->n), 1);
	case PL_OPERATION_SEND:
	case PL_OPERATION_RECEIVE:
		return put_message(r, t, call, g, op.form == PL_OPERATION_RECEIVE);
	default:
		return pl_recording_lose(r, "%s in group \"%s\" is left out: no call of a job",
					 call->name, call->group);
	}
}

/* Adds all to the recording. */
static int put(struct pl_recording *r, struct trace *t, struct pl_recorded_file *file,
	       struct pl_err *err)
{
	find_ranks(t, file);
	if (pl_import_steps(r, &file->n_steps))
		return pl_err_nomem(err);
	if (pl_recording_begin(r, file, err))
		return -1;
	for (size_t i = 0; i < t->n_groups; i++) {
		struct trace_group *g = &t->group[i];

		if (pl_recording_group(r, file->place, g->name, g->description, g->member, g->n,
				       &g->number, err))
			return -1;
	}
	for (size_t i = 0; i < t->n_calls; i++)
		if (put_call(r, t, &t->call[i]))
			return pl_err_nomem(err);
	return pl_recording_end(r) ? pl_err_nomem(err) : 0;
}

int pl_import_execution(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
			struct pl_err *err)
{
	struct trace t = {.rank = PL_RECORDED_NO_RANK};
	struct pl_recorded_file file = {.place = {.file = pl_json_stream_place(s).file},
					.at_least = true,
					.n_steps = n_steps};
	int rc = read_nodes(&t, s, err);

	if (rc == 0 && t.n_groups == 0)
		rc = pl_err_at(err, file.place,
			       "no groups in this trace (\"## process_group:init ##\")");
	if (rc == 0)
		rc = put(r, &t, &file, err);
	trace_fini(&t);
	return rc;
}
