/* SPDX-License-Identifier: BSD-3-Clause */
/* kineto.c - the communication in a trace of PyTorch's profiler */
/*
 *   "distributedInfo": {"rank": 0, "world_size": 4, "pg_config": [{"pg_name":
 *                       "1", "ranks": [0, 1], ...}, ...]},
 *   "traceEvents": [{"name": "record_param_comms", "ts": ..., "args":
 *     {"Collective name": "allreduce", "In msg nelems": 2049000, "dtype":
 *     "Float", "Process Group Name": "1", "Process Group Ranks": "[0, 1]",
 *     ...}}, ...]
 *
 * Calls count within "ProfilerStep#N" only, if there are such. Lists of more than 30 ranks are cut:
 * pg_config has them, or else the first rank and the stride. The calls of Gloo have no arguments
 * and are not read; their groups are, for dumps of the Flight Recorder that follow.
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/mem.h"
#include "base/text/element.h"
#include "base/text/number.h"
#include "job/import/blocks.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_MAX (INT64_MAX / 2)
#define NO_GROUP SIZE_MAX

/* A process group, as calls describe it. */
struct group {
	char *name, *description;
	char *ranks; /* "[0, 1]", perhaps with "..." in it */
	json_int_t first, stride, size;
	size_t number; /* in the recording, or NO_GROUP */
};

struct call {
	double us;    /* of the trace */
	size_t group; /* index in reader.group, or NO_GROUP */
	char *name;
	char *type;       /* of its elements if their size is not known; NULL: it is */
	uint64_t in, out; /* bytes */
	json_int_t peer;  /* of a message: a rank of the job; < 0: not there */
	json_t *split;    /* of an all-to-all's input, as they tell it */
};

struct step {
	double begin_us, end_us;
};

struct reader {
	struct pl_recording *r;
	struct pl_json_stream *s;
	struct group *group;
	struct call *call;
	struct step *step;
	size_t n_groups, group_room, n_calls, call_room, n_steps, step_room;
	size_t rank;
	struct pl_err *err;
};

static const char *string_in(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static json_int_t whole_in(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_integer(value) ? json_integer_value(value) : -1;
}

static char *copy(const char *s)
{
	return pl_string_copy(s ? s : "", s ? strlen(s) : 0);
}

static int add_group(struct reader *k, const json_t *args, const char *name)
{
	struct group *g;

	if (pl_array_grow((void **)&k->group, &k->group_room, k->n_groups, sizeof(*k->group)))
		return -1;
	g = &k->group[k->n_groups++];
	*g = (struct group){
		.name = copy(name),
		.description = copy(string_in(args, "Process Group Description")),
		.ranks = copy(string_in(args, "Process Group Ranks")),
		.first = whole_in(args, "Global rank start"),
		.stride = whole_in(args, "Global rank stride"),
		.size = whole_in(args, "Group size"),
		.number = NO_GROUP,
	};
	return g->name && g->description && g->ranks ? 0 : -1;
}

/* The index of a call's group; NO_GROUP if it names none. */
static int find_group(struct reader *k, const json_t *args, size_t *group)
{
	const char *name = string_in(args, "Process Group Name");

	*group = NO_GROUP;
	if (!name)
		return 0;
	for (*group = 0; *group < k->n_groups; ++*group)
		if (strcmp(k->group[*group].name, name) == 0)
			return 0;
	return add_group(k, args, name);
}

static uint64_t side_bytes(const json_t *args, const char *key)
{
	const uint64_t each = pl_tensor_element_bytes(string_in(args, "dtype"));
	const json_int_t n = whole_in(args, key);

	return n > 0 && each > 0 && (uint64_t)n <= BYTES_MAX / each ? (uint64_t)n * each : 0;
}

/* "1", or 1 */
static json_int_t peer_in(const json_t *args, const char *key)
{
	const char *s = string_in(args, key);
	uint64_t rank;

	if (!s)
		return whole_in(args, key);
	return pl_uint_parse(s, strlen(s), PL_JOB_RANKS_MAX - 1, &rank) ? -1 : (json_int_t)rank;
}

/* Are the sizes whole numbers, where there are any? */
static bool has_sizes(const json_t *args)
{
	static const char *const keys[] = {"In msg nelems", "Out msg nelems"};

	for (size_t i = 0; i < 2; i++) {
		const json_t *n = json_object_get(args, keys[i]);

		if (n && !json_is_integer(n))
			return false;
	}
	return true;
}

static int add_call(struct reader *k, const json_t *args, double us)
{
	const char *name = string_in(args, "Collective name");
	const char *type = string_in(args, "dtype");
	struct call *call;

	if (name && pl_operation_parse(name).form == PL_OPERATION_NONE)
		return 0;
	if (!has_sizes(args)) {
		pl_json_stream_blame(k->s, "the size of this call is no whole number");
		return 0;
	}
	if (pl_array_grow((void **)&k->call, &k->call_room, k->n_calls, sizeof(*k->call)))
		return -1;
	call = &k->call[k->n_calls++];
	*call = (struct call){
		.us = us,
		.name = copy(name),
		.type = pl_tensor_element_bytes(type) ? NULL : copy(type),
		.in = side_bytes(args, "In msg nelems"),
		.out = side_bytes(args, "Out msg nelems"),
		.peer = peer_in(args, json_object_get(args, "Src Rank") ? "Src Rank" : "Dst Rank"),
	};
	if (name && pl_operation_parse(name).collective == PL_ALLTOALL)
		call->split = pl_import_list(json_object_get(args, "In split size"));
	return call->name ? find_group(k, args, &call->group) : -1;
}

static int add_step(struct reader *k, double begin_us, double us)
{
	if (pl_array_grow((void **)&k->step, &k->step_room, k->n_steps, sizeof(*k->step)))
		return -1;
	k->step[k->n_steps++] = (struct step){begin_us, begin_us + us};
	return 0;
}

/* An event of the trace; most are of no interest. -1: out of memory. */
static int take_event(struct reader *k, const json_t *event)
{
	static const char step[] = "ProfilerStep#";
	const char *name = string_in(event, "name");
	const char *category = string_in(event, "cat");
	const json_t *ts = json_object_get(event, "ts");
	const json_t *dur = json_object_get(event, "dur");

	const bool is_call = name && strcmp(name, "record_param_comms") == 0;
	const bool is_step = name && strncmp(name, step, sizeof(step) - 1) == 0;

	if ((!is_call && !is_step) || (category && strcmp(category, "cpu_op") != 0 &&
				       strcmp(category, "user_annotation") != 0))
		return 0;
	if (!json_is_number(ts) || !json_is_number(dur)) {
		pl_json_stream_blame(k->s, "this event lacks valid times \"ts\" and \"dur\"");
		return 0;
	}
	return is_call ? add_call(k, json_object_get(event, "args"), json_number_value(ts))
		       : add_step(k, json_number_value(ts), json_number_value(dur));
}

static int read_events(struct reader *k)
{
	struct pl_err damage = {0};
	json_t *event;
	int rc;

	pl_json_stream_skip_damaged(k->s);
	while ((rc = pl_json_stream_next(k->s, &event, k->err)) > 0) {
		rc = take_event(k, event);
		json_decref(event);
		if (rc)
			return pl_err_nomem(k->err);
	}
	pl_json_stream_damage(k->s, &damage);
	if (rc == 0 && damage.code &&
	    pl_recording_lose(k->r, "%s:%ld:%ld: %s", damage.file, damage.line, damage.col,
			      damage.text))
		return pl_err_nomem(k->err);
	return rc;
}

/* The entry of a group in pg_config, or NULL. */
static const json_t *config_of(const json_t *info, const char *name)
{
	const json_t *all = json_object_get(info, "pg_config");

	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *config = json_array_get(all, i);
		const char *here = string_in(config, "pg_name");

		if (here && strcmp(here, name) == 0)
			return config;
	}
	return NULL;
}

/* first, first + stride, ...: like pl_import_members. */
static int strided_members(const struct group *g, uint32_t **member, size_t *n)
{
	const json_int_t max = (json_int_t)PL_JOB_RANKS_MAX;

	if (g->first < 0 || g->stride < 1 || g->size < 1 || g->first >= max || g->size > max ||
	    g->stride > (max - g->first) / g->size)
		return 1;
	*n = (size_t)g->size;
	*member = pl_array_create(*n, sizeof(**member));
	for (size_t i = 0; *member && i < *n; i++)
		(*member)[i] = (uint32_t)((size_t)g->first + i * (size_t)g->stride);
	return *member ? 0 : -1;
}

/* Like pl_import_members. */
static int members_of(const struct group *g, const json_t *info, uint32_t **member, size_t *n)
{
	json_t *list = json_loads(g->ranks, 0, NULL);
	int rc = pl_import_members(json_object_get(config_of(info, g->name), "ranks"), member, n);

	if (rc > 0)
		rc = pl_import_members(list, member, n);
	if (rc > 0)
		rc = strided_members(g, member, n);
	json_decref(list);
	return rc;
}

static int add_groups(struct reader *k, struct pl_place place, const json_t *info)
{
	for (size_t i = 0; i < k->n_groups; i++) {
		struct group *g = &k->group[i];
		uint32_t *member = NULL;
		size_t n;
		int rc = members_of(g, info, &member, &n);

		if (rc < 0)
			return pl_err_nomem(k->err);
		if (rc > 0)
			continue;
		rc = pl_recording_group(k->r, place, g->name, g->description, member, n, &g->number,
					k->err);
		free(member);
		if (rc)
			return -1;
	}
	return 0;
}

/* Groups that make no calls here. */
static int add_listed(struct reader *k, struct pl_place place, const json_t *info)
{
	const json_t *all = json_object_get(info, "pg_config");

	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *config = json_array_get(all, i);
		const char *name = string_in(config, "pg_name");
		uint32_t *member = NULL;
		size_t n, group;
		int rc = pl_import_members(json_object_get(config, "ranks"), &member, &n);

		if (rc < 0)
			return pl_err_nomem(k->err);
		if (rc == 0 && name)
			rc = pl_recording_group(k->r, place, name, string_in(config, "pg_desc"),
						member, n, &group, k->err);
		free(member);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static bool in_steps(const struct reader *k, double us)
{
	size_t i = 0;

	while (i < k->n_steps && (us < k->step[i].begin_us || us >= k->step[i].end_us))
		i++;
	return k->n_steps == 0 || i < k->n_steps;
}

static int put_message(struct reader *k, const struct call *c, bool received)
{
	const uint32_t peer = (uint32_t)c->peer, self = (uint32_t)k->rank;
	const struct pl_recorded_message message = {
		.src = received ? peer : self,
		.dst = received ? self : peer,
		.bytes = (double)(received ? c->out : c->in),
		.messages = 1,
		.received = received,
	};

	return pl_recording_message(k->r, &message);
}

static int put_call(struct reader *k, const struct call *c)
{
	const struct pl_operation op = pl_operation_parse(c->name);
	const char *group = c->group == NO_GROUP ? NULL : k->group[c->group].name;
	const size_t number = c->group == NO_GROUP ? NO_GROUP : k->group[c->group].number;
	const bool p2p = op.form == PL_OPERATION_SEND || op.form == PL_OPERATION_RECEIVE;

	if (!group)
		return pl_recording_lose(k->r, "a call is left out: the trace tells neither its "
					       "name nor its group (an older PyTorch)");
	if (p2p && !c->type && c->peer >= 0 && (size_t)c->peer < k->r->n_ranks)
		return put_message(k, c, op.form == PL_OPERATION_RECEIVE);
	if (op.form != PL_OPERATION_COLLECTIVE && !(p2p && c->type))
		return pl_recording_lose(k->r, "%s in group \"%s\" is left out: %s", c->name, group,
					 p2p ? "its other rank is not in the trace"
					     : "no call of a job");
	if (c->type && op.collective != PL_BARRIER)
		return pl_import_lose_type(k->r, c->name, group, c->type);
	if (number == NO_GROUP)
		return pl_recording_lose(
			k->r, "a call of group \"%s\" is left out: its ranks are not in the trace",
			group);
	if (op.collective == PL_ALLTOALL &&
	    pl_recording_split(k->r, number, k->rank, c->in, c->split))
		return -1;
	return pl_recording_calls(
		k->r, number, op.collective,
		pl_operation_bytes(op.collective, c->in, c->out, k->r->group[number].n_members), 1);
}

static int put_calls(struct reader *k, bool all)
{
	for (size_t i = 0; i < k->n_calls; i++) {
		const struct call *c = &k->call[i];

		if (all || in_steps(k, c->us)
			    ? put_call(k, c)
			    : pl_recording_lose(k->r, "a call between the steps is left out"))
			return pl_err_nomem(k->err);
	}
	return pl_recording_end(k->r) ? pl_err_nomem(k->err) : 0;
}

static int put_all(struct reader *k, double n_steps)
{
	const json_t *info = json_object_get(pl_json_stream_beside(k->s), "distributedInfo");
	const json_int_t world = whole_in(info, "world_size");
	const json_int_t rank = whole_in(info, "rank");
	const bool all = n_steps > 0;
	struct pl_recorded_file file = {.place = {.file = pl_json_stream_place(k->s).file}};

	if (world < 1 || rank < 0)
		return pl_err_at(k->err, file.place,
				 "no rank and world_size (\"distributedInfo\") in this trace: of "
				 "one process alone, or of an older PyTorch");
	if (!all && k->n_steps > 0)
		n_steps = (double)k->n_steps;
	if (pl_import_steps(k->r, &n_steps))
		return pl_err_nomem(k->err);
	file.n_ranks = (size_t)world;
	file.rank = k->rank = (size_t)rank;
	file.n_steps = n_steps;
	if (pl_recording_begin(k->r, &file, k->err) || add_groups(k, file.place, info) ||
	    add_listed(k, file.place, info))
		return -1;
	return put_calls(k, all);
}

static void reader_fini(struct reader *k)
{
	for (size_t i = 0; i < k->n_groups; i++) {
		free(k->group[i].name);
		free(k->group[i].description);
		free(k->group[i].ranks);
	}
	for (size_t i = 0; i < k->n_calls; i++) {
		free(k->call[i].name);
		free(k->call[i].type);
		json_decref(k->call[i].split);
	}
	free(k->group);
	free(k->call);
	free(k->step);
}

int pl_import_kineto(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		     struct pl_err *err)
{
	struct reader k = {.r = r, .s = s, .err = err};
	int rc = read_events(&k);

	if (rc == 0)
		rc = put_all(&k, n_steps);
	reader_fini(&k);
	return rc;
}
