/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.c - Chakra's graphs, as simulators run them */
/*
 * In JSON: {"workload_graph": [{"NodeType": 7, "is_cpu_op": false, "comm_type":
 * 0, "comm_size": 1048576}, ...]}; graph-et.c reads Protocol Buffers. What a
 * rank sends are the nodes that are no CPU operations. The file's name tells
 * the rank: NAME.RANK.et. A node without a group is of all ranks, whose number
 * is known when all files are there; the ends of a message are ranks of the
 * job.
 */
#include "config.h"

#include "job/import/graph.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "job/import/forms.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ALL "all" /* the group of all ranks */

/* Of et_def.proto. */
enum { NODE_SEND = 5, NODE_RECEIVE = 6, NODE_COLLECTIVE = 7 };

/* Its CollectiveCommType; as PyTorch names them. */
static const char *const collectives[] = {
	"allreduce", "reduce",   "allgather",      "gather",         "scatter",
	"broadcast", "alltoall", "reduce_scatter", "reduce_scatter", "barrier",
};
#define N_COLLECTIVES ((int64_t)(sizeof(collectives) / sizeof(*collectives)))

const struct pl_graph_node pl_graph_no_node = {
	.type = -1, .cpu = -1, .comm_type = -1, .bytes = -1, .src = -1, .dst = -1};

void pl_graph_node_fini(struct pl_graph_node *node)
{
	free(node->group);
	free(node->groups);
}

static const char *name_of(const struct pl_graph_node *node)
{
	if (node->type == NODE_SEND)
		return "send";
	if (node->type == NODE_RECEIVE)
		return "recv";
	if (node->type != NODE_COLLECTIVE)
		return NULL;
	return node->comm_type >= 0 && node->comm_type < N_COLLECTIVES
		       ? collectives[node->comm_type]
		       : "a collective without comm_type";
}

int pl_graph_take_node(struct pl_recording *r, struct pl_job_trace *t,
		       const struct pl_graph_node *node)
{
	const char *name = name_of(node);
	char all[] = ALL;
	struct pl_job_trace_call call = {
		.name = (char *)name, .group = node->group ? node->group : all, .rank = -1};

	if (node->groups)
		return pl_job_trace_add_groups(t, node->groups);
	if (!name || node->cpu == 1)
		return 0;
	if (node->type != NODE_COLLECTIVE) {
		call.group = all;
		call.rank = node->type == NODE_SEND ? node->dst : node->src;
	}
	if (node->bytes < 0 && strcmp(name, "barrier") != 0)
		return pl_recording_lose(r, "%s is left out: no comm_size", name);
	if (node->bytes > 0)
		call.in = call.out = (uint64_t)node->bytes;
	if (node->type == NODE_COLLECTIVE)
		call.out = 0;
	return pl_job_trace_add_call(t, &call);
}

/* The number between the last two dots of the name. */
static size_t rank_of(const char *path)
{
	const char *end = strrchr(path, '.'), *begin = end;
	uint64_t rank;

	while (begin && begin > path && begin[-1] != '.' && begin[-1] != '/')
		begin--;
	if (!end || begin == path || begin[-1] != '.' ||
	    pl_uint_parse(begin, (size_t)(end - begin), PL_JOB_RANKS_MAX - 1, &rank))
		return PL_RECORDED_NO_RANK;
	return (size_t)rank;
}

int pl_graph_keep(struct pl_recording *r, struct pl_job_trace *t, const char *path, double n_steps)
{
	void *array = r->graph;

	t->file = pl_string_copy(path, strlen(path));
	t->n_steps = n_steps;
	t->rank = rank_of(path);
	if (!t->file || pl_array_grow(&array, &r->graph_room, r->n_graphs, sizeof(*r->graph)))
		return -1;
	r->graph = array;
	r->graph[r->n_graphs++] = *t;
	memset(t, 0, sizeof(*t));
	return 0;
}

static int64_t number_in(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	const json_int_t n = json_integer_value(value);

	if (json_is_boolean(value))
		return json_is_true(value);
	return json_is_integer(value) && n >= 0 && n <= PL_GRAPH_BYTES_MAX ? n : -1;
}

static int take_object(struct pl_recording *r, struct pl_job_trace *t, const json_t *object)
{
	const struct pl_graph_node node = {.type = number_in(object, "NodeType"),
					   .cpu = number_in(object, "is_cpu_op"),
					   .comm_type = number_in(object, "comm_type"),
					   .bytes = number_in(object, "comm_size"),
					   .src = number_in(object, "comm_src"),
					   .dst = number_in(object, "comm_dst")};

	return pl_graph_take_node(r, t, &node);
}

static int read_objects(struct pl_json_stream *s, struct pl_recording *r, struct pl_job_trace *t,
			struct pl_err *err)
{
	json_t *object;
	int rc;

	while ((rc = pl_json_stream_next(s, &object, err)) > 0) {
		rc = take_object(r, t, object);
		json_decref(object);
		if (rc)
			return pl_err_nomem(err);
	}
	return rc;
}

int pl_import_graph(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		    struct pl_err *err)
{
	struct pl_job_trace t = {.rank = PL_RECORDED_NO_RANK};
	int rc = read_objects(s, r, &t, err);

	if (rc == 0 && pl_graph_keep(r, &t, pl_json_stream_place(s).file, n_steps))
		rc = pl_err_nomem(err);
	pl_job_trace_fini(&t);
	return rc;
}

static int fault_group(const char *path, const char *name, struct pl_err *err)
{
	return pl_err_at(err, (struct pl_place){.file = path}, "group \"%s\" is no list of ranks",
			 name);
}

static int check_groups(const json_t *groups, const char *path, struct pl_err *err)
{
	const char *name;
	json_t *list;

	json_object_foreach((json_t *)groups, name, list)
	{
		uint32_t *member;
		size_t n;
		const int rc = pl_import_members(list, &member, &n);

		free(member);
		if (rc < 0)
			return pl_err_nomem(err);
		if (rc > 0)
			return fault_group(path, name, err);
	}
	return 0;
}

int pl_import_groups(struct pl_recording *r, const char *path, struct pl_err *err)
{
	json_error_t at;
	json_t *groups = json_load_file(path, JSON_REJECT_DUPLICATES, &at);

	if (!groups)
		return pl_err_at(err,
				 (struct pl_place){path, at.line, at.column > 0 ? at.column : 1},
				 "%s", at.text);
	if (check_groups(groups, path, err)) {
		json_decref(groups);
		return -1;
	}
	json_decref(r->graph_groups);
	r->graph_groups = groups;
	return 0;
}

/* A graph's own groups come first. -1: out of memory. */
static int add_groups(const struct pl_recording *r, struct pl_job_trace *t)
{
	const char *name;
	json_t *list;

	json_object_foreach(r->graph_groups, name, list)
	{
		if (pl_job_trace_add_group(t, name, list))
			return -1;
	}
	return 0;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* The ranks of the job: those of the files, and all that these name. */
static size_t count_ranks(const struct pl_recording *r)
{
	size_t n = r->n_ranks;

	for (size_t i = 0; i < r->n_graphs; i++) {
		const struct pl_job_trace *t = &r->graph[i];

		if (t->rank != PL_RECORDED_NO_RANK)
			n = larger(n, t->rank + 1);
		for (size_t g = 0; g < t->n_groups; g++)
			for (size_t k = 0; k < t->group[g].n; k++)
				n = larger(n, (size_t)t->group[g].member[k] + 1);
		for (size_t c = 0; c < t->n_calls; c++)
			if (t->call[c].rank >= 0 && t->call[c].rank < (json_int_t)PL_JOB_RANKS_MAX)
				n = larger(n, (size_t)t->call[c].rank + 1);
	}
	return n;
}

/* Has the trace a call of all ranks, or a message, which is among all? */
static bool has_of_all(const struct pl_job_trace *t, bool message)
{
	size_t i = 0;

	while (i < t->n_calls &&
	       ((t->call[i].rank >= 0) != message || strcmp(t->call[i].group, ALL) != 0))
		i++;
	return i < t->n_calls;
}

static int put(struct pl_recording *r, struct pl_job_trace *t, size_t n_ranks, struct pl_err *err)
{
	struct pl_recorded_file file = {.place = {.file = t->file},
					.n_ranks = n_ranks,
					.at_least = true,
					.n_steps = t->n_steps};

	const bool calls = has_of_all(t, false), messages = has_of_all(t, true);

	if (t->rank == PL_RECORDED_NO_RANK && (n_ranks == 0 || calls || messages))
		return pl_err_at(err, file.place,
				 "neither process groups nor the rank of the "
				 "process are known; the file's name tells the "
				 "latter: NAME.RANK.et");
	if (calls && n_ranks == 1)
		return pl_err_at(err, file.place,
				 "calls without a process group are of all "
				 "ranks: give the files of all, NAME.RANK.et");
	if (((calls || messages) && pl_job_trace_add_all(t, ALL, n_ranks)) ||
	    (calls && pl_recording_lose(r,
					"calls without a process group count as those "
					"of all %zu ranks that the files tell of",
					n_ranks)))
		return pl_err_nomem(err);
	return pl_job_trace_put(r, t, &file, err);
}

int pl_graphs_end(struct pl_recording *r, struct pl_err *err)
{
	size_t n_ranks;

	for (size_t i = 0; i < r->n_graphs; i++)
		if (add_groups(r, &r->graph[i]))
			return pl_err_nomem(err);
	n_ranks = count_ranks(r);
	for (size_t i = 0; i < r->n_graphs; i++)
		if (put(r, &r->graph[i], n_ranks, err))
			return -1;
	return 0;
}
