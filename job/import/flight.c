/* SPDX-License-Identifier: BSD-3-Clause */
/* flight.c - dumps of PyTorch's Flight Recorder, as JSON */
/*
 *   "entries": [{"process_group": ["1", "tensor"], "profiling_name":
 *                "nccl:all_reduce", "input_sizes": [[10000]], "input_dtypes":
 *                ["Float"], "output_sizes": ..., "output_dtypes": ...}, ...],
 *   "pg_config": {"1": {"name": "1", "desc": "tensor", "ranks": "[0, 1]"}}
 *
 * It keeps the last entries alone, and has no steps. Messages are named "nccl:send 0->1" and
 * "nccl:recv 0<-1", by ranks in their group. Gloo records its groups before they have a name
 * (PyTorch 2.14): a trace has their ranks.
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/mem.h"
#include "base/text/element.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX (INT64_MAX / 2)

struct entry {
	char *group, *name;
	char *type;       /* of its elements if their size is not known; NULL: it is */
	uint64_t in, out; /* bytes */
};

struct reader {
	struct pl_recording *r;
	struct pl_json_stream *s;
	struct entry *entry;
	size_t n, room;
	struct pl_err *err;
};

static uint64_t tensor_bytes(const json_t *sizes, const json_t *type)
{
	uint64_t bytes = pl_tensor_element_bytes(json_string_value(type));

	for (size_t i = 0; bytes > 0 && i < json_array_size(sizes); i++) {
		const json_int_t n = json_integer_value(json_array_get(sizes, i));

		bytes = n > 0 && (uint64_t)n <= BYTES_MAX / bytes ? bytes * (uint64_t)n : 0;
	}
	return bytes;
}

/* "input" or "output": all its tensors. */
static uint64_t side_bytes(const json_t *entry, const char *sizes_key, const char *types_key)
{
	const json_t *sizes = json_object_get(entry, sizes_key);
	const json_t *types = json_object_get(entry, types_key);
	uint64_t sum = 0;

	for (size_t i = 0; i < json_array_size(sizes); i++) {
		const uint64_t bytes =
			tensor_bytes(json_array_get(sizes, i), json_array_get(types, i));

		sum = bytes <= BYTES_MAX - sum ? sum + bytes : BYTES_MAX;
	}
	return sum;
}

/* The first type whose elements have no known size; NULL: there is none. */
static const char *unknown_type(const json_t *entry)
{
	static const char *const keys[] = {"input_dtypes", "output_dtypes"};

	for (size_t side = 0; side < 2; side++) {
		const json_t *types = json_object_get(entry, keys[side]);

		for (size_t i = 0; i < json_array_size(types); i++) {
			const char *type = json_string_value(json_array_get(types, i));

			if (!pl_tensor_element_bytes(type))
				return type ? type : "";
		}
	}
	return NULL;
}

static int add_entry(struct reader *f, const json_t *json)
{
	const char *type = unknown_type(json);
	const json_t *group = json_object_get(json, "process_group");
	const char *group_name = json_string_value(json_array_get(group, 0));
	const char *name = json_string_value(json_object_get(json, "profiling_name"));
	struct entry *e;

	if (!group_name || !name)
		return pl_err_at(f->err, pl_json_stream_place(f->s),
				 "no entry of a Flight Recorder: process_group and profiling_name "
				 "are wanted");
	if (pl_array_grow((void **)&f->entry, &f->room, f->n, sizeof(*f->entry)))
		return pl_err_nomem(f->err);
	e = &f->entry[f->n++];
	e->group = pl_string_copy(group_name, strlen(group_name));
	e->name = pl_string_copy(name, strlen(name));
	e->type = type ? pl_string_copy(type, strlen(type)) : NULL;
	e->in = side_bytes(json, "input_sizes", "input_dtypes");
	e->out = side_bytes(json, "output_sizes", "output_dtypes");
	return e->group && e->name && !e->type == !type ? 0 : pl_err_nomem(f->err);
}

static int read_entries(struct reader *f)
{
	json_t *json;
	int rc;

	while ((rc = pl_json_stream_next(f->s, &json, f->err)) > 0) {
		rc = add_entry(f, json);
		json_decref(json);
		if (rc)
			return -1;
	}
	return rc;
}

/* The members of a group of pg_config: like pl_import_members. */
static int config_members(const json_t *config, uint32_t **member, size_t *n)
{
	const json_t *ranks = json_object_get(config, "ranks");
	json_t *parsed =
		json_is_string(ranks) ? json_loads(json_string_value(ranks), 0, NULL) : NULL;
	const int rc = pl_import_members(parsed ? parsed : ranks, member, n);

	json_decref(parsed);
	return rc;
}

/* The number of ranks that the groups need: that of the job, as one has all. */
static int count_ranks(const json_t *config, size_t *n_ranks)
{
	const char *name;
	json_t *group;

	*n_ranks = 0;
	json_object_foreach((json_t *)config, name, group)
	{
		uint32_t *member;
		size_t n;

		if (config_members(group, &member, &n) < 0)
			return -1;
		for (size_t i = 0; i < n; i++)
			if (member[i] >= *n_ranks)
				*n_ranks = (size_t)member[i] + 1;
		free(member);
	}
	return 0;
}

/* "nccl:send 0->1", "nccl:recv 0<-1", in a group: false if it is none. */
static bool parse_message(const struct entry *e, const struct pl_recorded_group *group,
			  struct pl_recorded_message *message)
{
	const char *blank = strchr(e->name, ' ');
	unsigned self, other;
	char from, to;

	if (!blank || sscanf(blank, "%u%c%c%u", &self, &from, &to, &other) != 4 ||
	    self >= group->n_members || other >= group->n_members)
		return false;
	*message = (struct pl_recorded_message){
		.src = group->member[from == '<' ? other : self],
		.dst = group->member[from == '<' ? self : other],
		.bytes = (double)(from == '<' ? e->out : e->in),
		.messages = 1,
		.received = from == '<',
	};
	return true;
}

/* An entry of a known group. -1: out of memory. */
static int add_call(struct reader *f, const struct entry *e, size_t group)
{
	const struct pl_operation op = pl_operation_parse(e->name);
	const struct pl_recorded_group *g = &f->r->group[group];
	struct pl_recorded_message message;

	if (e->type && op.form != PL_OPERATION_NONE && op.form != PL_OPERATION_LOST &&
	    op.collective != PL_BARRIER)
		return pl_import_lose_type(f->r, e->name, g->name, e->type);
	switch (op.form) {
	case PL_OPERATION_COLLECTIVE:
		return pl_recording_calls(
			f->r, group, op.collective,
			pl_operation_bytes(op.collective, e->in, e->out, g->n_members), 1);
	case PL_OPERATION_SEND:
	case PL_OPERATION_RECEIVE:
		if (parse_message(e, g, &message))
			return pl_recording_message(f->r, &message);
		break;
	case PL_OPERATION_NONE:
		return 0;
	case PL_OPERATION_LOST:
		break;
	}
	return pl_recording_lose(f->r, "%s in group \"%s\" is left out: no call of a job", e->name,
				 g->name);
}

/* The group of that name: by pg_config, or where that lacks its ranks, by the traces before this
 * dump. SIZE_MAX: it is not known. */
static int find_group(struct reader *f, const json_t *config, const char *name, size_t *group)
{
	const json_t *here = json_object_get(config, name);
	uint32_t *member;
	size_t n;
	int rc = config_members(here, &member, &n);

	if (rc == 0)
		rc = pl_recording_group(f->r, pl_json_stream_place(f->s), name,
					json_string_value(json_object_get(here, "desc")), member, n,
					group, f->err);
	else if (rc > 0)
		*group = pl_recording_find(f->r, name);
	else
		return pl_err_nomem(f->err);
	free(member);
	return rc < 0 ? -1 : 0;
}

static int add_entries(struct reader *f, const json_t *config)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct entry *e = &f->entry[i];
		size_t group;

		if (find_group(f, config, e->group, &group))
			return -1;
		if (group != SIZE_MAX
			    ? add_call(f, e, group)
			    : pl_recording_lose(f->r,
						"a call of group \"%s\" is left out: its ranks are "
						"not in the file, nor in a trace before it",
						e->group))
			return pl_err_nomem(f->err);
	}
	return 0;
}

static int add_all(struct reader *f, double n_steps)
{
	const json_t *config = json_object_get(pl_json_stream_beside(f->s), "pg_config");
	struct pl_place place = pl_json_stream_place(f->s);
	struct pl_recorded_file file = {.at_least = true, .rank = PL_RECORDED_NO_RANK};

	file.place = (struct pl_place){.file = place.file};
	if (!json_is_object(config))
		return pl_err_at(f->err, file.place, "no groups (\"pg_config\") in this dump");
	if (count_ranks(config, &file.n_ranks) || pl_import_steps(f->r, &n_steps))
		return pl_err_nomem(f->err);
	file.n_steps = n_steps;
	if (pl_recording_begin(f->r, &file, f->err))
		return -1;
	if (add_entries(f, config))
		return -1;
	return pl_recording_end(f->r) ? pl_err_nomem(f->err) : 0;
}

int pl_import_flight(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		     struct pl_err *err)
{
	struct reader f = {.r = r, .s = s, .err = err};
	int rc = read_entries(&f);

	if (rc == 0)
		rc = add_all(&f, n_steps);
	for (size_t i = 0; i < f.n; i++) {
		free(f.entry[i].group);
		free(f.entry[i].name);
		free(f.entry[i].type);
	}
	free(f.entry);
	return rc;
}
