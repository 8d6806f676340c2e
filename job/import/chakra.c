/* SPDX-License-Identifier: BSD-3-Clause */
/* chakra.c - PyTorch's execution traces, which Chakra calls host traces */
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
 * A group without ranks has all. Before the name of a call, its inputs have a
 * rank in the group: of the process; of the root, if there is one; of a
 * message, that of its other end.
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/text/element.h"
#include "job/import/trace.h"

#include <string.h>

#define BYTES_MAX (INT64_MAX / 2)

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

static int add_call(struct pl_job_trace *t, const json_t *node)
{
	const char *name = json_string_value(attribute(node, "collective_name"));
	struct pl_job_trace_call call;

	if (!name || pl_operation_parse(name).form == PL_OPERATION_NONE)
		return 0;
	call = (struct pl_job_trace_call){
		.name = (char *)name,
		.group = (char *)json_string_value(attribute(node, "pg_name")),
		.in = side_bytes(node, "in_msg_nelems"),
		.out = side_bytes(node, "out_msg_nelems"),
		.rank = rank_before(inputs_of(node), name),
	};
	if (pl_operation_parse(name).collective == PL_ALLTOALL)
		call.split = pl_import_list(attribute(node, "in_split_size"));
	return pl_job_trace_add_call(t, &call);
}

/* Most nodes are of no interest. -1: out of memory. */
static int take_node(struct pl_job_trace *t, const json_t *node)
{
	const char *name = string_in(node, "name");

	if (name && strcmp(name, "## process_group:init ##") == 0)
		return pl_job_trace_add_groups(
			t, json_string_value(json_array_get(inputs_of(node), 0)));
	if (name && strcmp(name, "record_param_comms") == 0)
		return add_call(t, node);
	return 0;
}

static int read_nodes(struct pl_job_trace *t, struct pl_json_stream *s, struct pl_err *err)
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

int pl_import_chakra(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		     struct pl_err *err)
{
	struct pl_job_trace t = {.rank = PL_RECORDED_NO_RANK};
	struct pl_recorded_file file = {.place = {.file = pl_json_stream_place(s).file},
					.at_least = true,
					.n_steps = n_steps};
	int rc = read_nodes(&t, s, err);

	if (rc == 0 && t.n_groups == 0)
		rc = pl_err_at(err, file.place,
			       "no groups in this trace (\"## "
			       "process_group:init ##\")");
	if (rc == 0)
		rc = pl_job_trace_put(r, &t, &file, err);
	pl_job_trace_fini(&t);
	return rc;
}
