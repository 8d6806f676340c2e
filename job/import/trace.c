/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.c - the groups and the calls of one process, before it is known which
 * ranks they have */
#include "config.h"

#include "job/import/trace.h"

#include "base/mem.h"
#include "costmodels/catalogue.h"
#include "job/import/blocks.h"
#include "job/import/forms.h"

#include <stdlib.h>
#include <string.h>

static char *copy(const char *s)
{
	return pl_string_copy(s ? s : "", s ? strlen(s) : 0);
}

void pl_job_trace_fini(struct pl_job_trace *t)
{
	for (size_t i = 0; i < t->n_groups; i++) {
		free(t->group[i].name);
		free(t->group[i].description);
		free(t->group[i].member);
	}
	for (size_t i = 0; i < t->n_calls; i++) {
		free(t->call[i].name);
		free(t->call[i].group);
		json_decref(t->call[i].split);
	}
	free(t->file);
	free(t->group);
	free(t->call);
	memset(t, 0, sizeof(*t));
}

int pl_job_trace_add_call(struct pl_job_trace *t, const struct pl_job_trace_call *call)
{
	struct pl_job_trace_call *own;

	if (pl_array_grow((void **)&t->call, &t->call_room, t->n_calls, sizeof(*t->call))) {
		json_decref(call->split);
		return -1;
	}
	own = &t->call[t->n_calls++];
	*own = *call;
	own->name = copy(call->name);
	own->group = copy(call->group);
	return own->name && own->group ? 0 : -1;
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

static struct pl_job_trace_group *find_group(const struct pl_job_trace *t, const char *name)
{
	for (size_t i = 0; i < t->n_groups; i++)
		if (strcmp(t->group[i].name, name) == 0)
			return &t->group[i];
	return NULL;
}

/* A group of the first list that has one of its name. */
static int add_group(struct pl_job_trace *t, const json_t *config)
{
	const char *name = json_string_value(json_object_get(config, "pg_name"));
	struct pl_job_trace_group g = {0};
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

int pl_job_trace_add_groups(struct pl_job_trace *t, const char *text)
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

int pl_job_trace_add_group(struct pl_job_trace *t, const char *name, json_t *ranks)
{
	json_t *config = json_pack("{ss sO}", "pg_name", name, "ranks", ranks);
	const int rc = config ? add_group(t, config) : -1;

	json_decref(config);
	return rc;
}

int pl_job_trace_add_all(struct pl_job_trace *t, const char *name, size_t n)
{
	json_t *config = json_pack("{ss sI}", "pg_name", name, "group_size", (json_int_t)n);
	const int rc = config ? add_group(t, config) : -1;

	json_decref(config);
	return rc;
}

/* The member that a call names, or PL_RECORDED_NO_RANK. */
static size_t member_in(const struct pl_job_trace_group *g, const struct pl_job_trace_call *call)
{
	return g && call->rank >= 0 && (size_t)call->rank < g->n ? g->member[call->rank]
								 : PL_RECORDED_NO_RANK;
}

/* Is the rank that the call names that of the process? */
static bool is_own(const struct pl_job_trace_call *call)
{
	const struct pl_operation op = pl_operation_parse(call->name);

	return op.form == PL_OPERATION_COLLECTIVE && !pl_collective_has_root(op.collective);
}

/* The number of ranks that the groups need, and whose file it is. */
static void find_ranks(struct pl_job_trace *t, struct pl_recorded_file *file)
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

static int put_message(struct pl_recording *r, const struct pl_job_trace *t,
		       const struct pl_job_trace_call *call, const struct pl_job_trace_group *g,
		       bool received)
{
	const size_t peer = member_in(g, call);
	struct pl_recorded_message message = {
		.bytes = (double)(received ? call->out : call->in),
		.messages = 1,
		.received = received,
	};

	if (peer == PL_RECORDED_NO_RANK || t->rank == PL_RECORDED_NO_RANK)
		return pl_recording_lose(r,
					 "%s in group \"%s\" is left out: its "
					 "ranks are not in the trace",
					 call->name, call->group);
	message.src = (uint32_t)(received ? peer : t->rank);
	message.dst = (uint32_t)(received ? t->rank : peer);
	return pl_recording_message(r, &message);
}

static int put_call(struct pl_recording *r, const struct pl_job_trace *t,
		    const struct pl_job_trace_call *call)
{
	const struct pl_operation op = pl_operation_parse(call->name);
	const struct pl_job_trace_group *g = find_group(t, call->group);

	if (!g)
		return pl_recording_lose(r,
					 "a call of group \"%s\" is left out: "
					 "its ranks are not in the trace",
					 call->group);
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
		return pl_recording_lose(r,
					 "%s in group \"%s\" is left out: no "
					 "call of a job",
					 call->name, call->group);
	}
}

int pl_job_trace_put(struct pl_recording *r, struct pl_job_trace *t, struct pl_recorded_file *file,
		     struct pl_err *err)
{
	find_ranks(t, file);
	if (pl_import_steps(r, &file->n_steps))
		return pl_err_nomem(err);
	if (pl_recording_begin(r, file, err))
		return -1;
	for (size_t i = 0; i < t->n_groups; i++) {
		struct pl_job_trace_group *g = &t->group[i];

		if (pl_recording_group(r, file->place, g->name, g->description, g->member, g->n,
				       &g->number, err))
			return -1;
	}
	for (size_t i = 0; i < t->n_calls; i++)
		if (put_call(r, t, &t->call[i]))
			return pl_err_nomem(err);
	return pl_recording_end(r) ? pl_err_nomem(err) : 0;
}
