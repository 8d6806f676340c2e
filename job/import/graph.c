/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.c - Chakra's graphs, as simulators run them: in Protocol Buffers (.et)
 * and in JSON */
/*
 * A file .et has messages, each behind its length: GlobalMetadata, then Nodes
 * (et_def.proto). In JSON: {"workload_graph": [{"NodeType": 7, "is_cpu_op":
 * false, "comm_type": 0, "comm_size": 1048576}, ...]}. What a rank sends are
 * the nodes that are no CPU operations. The file's name tells the rank:
 * NAME.RANK.et. A node without a group is of all ranks, whose number is known
 * when all files are there; the ends of a message are ranks of the job.
 */
#include "config.h"

#include "job/import/forms.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "job/import/trace.h"
#include "job/import/protobuf.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX ((uint64_t)64 << 20)
#define BYTES_MAX (INT64_MAX / 2)
#define ALL "all" /* the group of all ranks */

/* Of et_def.proto. */
enum { NODE_SEND = 5, NODE_RECEIVE = 6, NODE_COLLECTIVE = 7 };
enum { META_VERSION = 1, META_ATTRIBUTE = 2 };
enum { FIELD_NAME = 2, FIELD_TYPE = 3, FIELD_INPUTS = 8, FIELD_ATTRIBUTE = 10 };
enum { INFO_VALUES = 1 };
enum { ATTRIBUTE_NAME = 1, VALUE_SINT32 = 15, VALUE_SINT64 = 17 };

/* Its CollectiveCommType; as PyTorch names them. */
static const char *const collectives[] = {
	"allreduce", "reduce",   "allgather",      "gather",         "scatter",
	"broadcast", "alltoall", "reduce_scatter", "reduce_scatter", "barrier",
};
#define N_COLLECTIVES ((int64_t)(sizeof(collectives) / sizeof(*collectives)))

/* Numbers are -1 where they are not there, strings NULL. */
struct node {
	int64_t type, cpu, comm_type, bytes, src, dst;
	char *group;  /* owned */
	char *groups; /* owned: those that PyTorch lists, as JSON */
};

static void node_fini(struct node *node)
{
	free(node->group);
	free(node->groups);
}

static const char *name_of(const struct node *node)
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

/* Adds what the node sends. -1: out of memory. */
static int take_node(struct pl_recording *r, struct pl_job_trace *t,
		     const struct node *node)
{
	const char *name = name_of(node);
	char all[] = ALL;
	struct pl_job_trace_call call = {.name = (char *)name,
					 .group = node->group ? node->group
							      : all,
					 .rank = -1};

	if (node->groups)
		return pl_job_trace_add_groups(t, node->groups);
	if (!name || node->cpu == 1)
		return 0;
	if (node->type != NODE_COLLECTIVE) {
		call.group = all;
		call.rank = node->type == NODE_SEND ? node->dst : node->src;
	}
	if (node->bytes < 0 && strcmp(name, "barrier") != 0)
		return pl_recording_lose(r, "%s is left out: no comm_size",
					 name);
	if (node->bytes > 0)
		call.in = call.out = (uint64_t)node->bytes;
	if (node->type == NODE_COLLECTIVE)
		call.out = 0;
	return pl_job_trace_add_call(t, &call);
}

/* Replaces *to by a copy. -1: out of memory. */
static int copy_bytes(char **to, struct pl_protobuf bytes)
{
	free(*to);
	*to = pl_string_copy((const char *)bytes.at, bytes.len);
	return *to ? 0 : -1;
}

/* Of "['[{...}]']", a list of Python, the string. */
static struct pl_protobuf within_quotes(struct pl_protobuf text)
{
	while (text.len > 0 && *text.at != '\'' && *text.at != '"') {
		text.at++;
		text.len--;
	}
	while (text.len > 0 && text.at[text.len - 1] != *text.at)
		text.len--;
	if (text.len < 2)
		return (struct pl_protobuf){text.at, 0};
	return (struct pl_protobuf){text.at + 1, text.len - 2};
}

static bool equals(struct pl_protobuf bytes, const char *s)
{
	return bytes.len == strlen(s) && memcmp(bytes.at, s, bytes.len) == 0;
}

/* Where the number of the attribute belongs, or NULL. */
static int64_t *number_of(struct node *node, struct pl_protobuf name)
{
	const struct {
		const char *name;
		int64_t *to;
	} known[] = {
		{"is_cpu_op", &node->cpu},   {"comm_type", &node->comm_type},
		{"comm_size", &node->bytes}, {"comm_src", &node->src},
		{"comm_dst", &node->dst},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (equals(name, known[i].name))
			return known[i].to;
	return NULL;
}

/* A whole number as the type of its field has it; -1 if it is none from 0 to
 * BYTES_MAX. */
static int64_t whole(const struct pl_protobuf_field *value)
{
	uint64_t n = value->value;

	if (value->number == VALUE_SINT32 || value->number == VALUE_SINT64)
		n = n >> 1 ^ (0 - (n & 1));
	return n <= BYTES_MAX ? (int64_t)n : -1;
}

/* 0; 1: it is none; -1: out of memory. */
static int parse_attribute(struct node *node, struct pl_protobuf message)
{
	struct pl_protobuf name = {.at = NULL};
	struct pl_protobuf_field field, value = {.number = 0};
	int64_t *to;
	int rc;

	while ((rc = pl_protobuf_next(&message, &field)) > 0) {
		if (field.number != ATTRIBUTE_NAME)
			value = field;
		else if (field.type == PL_PROTOBUF_BYTES)
			name = field.bytes;
	}
	if (rc < 0)
		return 1;
	to = number_of(node, name);
	if (to && value.number && value.type != PL_PROTOBUF_BYTES)
		*to = whole(&value);
	if (equals(name, "pg_name") && value.type == PL_PROTOBUF_BYTES)
		return copy_bytes(&node->group, value.bytes);
	return 0;
}

/* The same of the inputs, for a node that lists groups. */
static int parse_inputs(struct node *node, struct pl_protobuf message)
{
	struct pl_protobuf_field field;
	int rc;

	while ((rc = pl_protobuf_next(&message, &field)) > 0)
		if (field.number == INFO_VALUES &&
		    field.type == PL_PROTOBUF_BYTES &&
		    copy_bytes(&node->groups, within_quotes(field.bytes)))
			return -1;
	return rc < 0 ? 1 : 0;
}

static bool lists_groups(struct pl_protobuf name)
{
	static const char init[] = "process_group:init";

	return memmem(name.at, name.len, init, strlen(init)) != NULL;
}

/* The same of a node, which ends with node_fini. */
static int parse_node(struct node *node, struct pl_protobuf message)
{
	struct pl_protobuf inputs = {.at = NULL}, name = {.at = NULL};
	struct pl_protobuf_field field;
	int rc, bad = 0;

	if (message.len == 0) /* as in a file of zeros */
		return 1;
	while ((rc = pl_protobuf_next(&message, &field)) > 0 && bad == 0) {
		if (field.number == FIELD_TYPE &&
		    field.type == PL_PROTOBUF_VARINT)
			node->type = whole(&field);
		else if (field.type != PL_PROTOBUF_BYTES)
			continue;
		else if (field.number == FIELD_NAME)
			name = field.bytes;
		else if (field.number == FIELD_INPUTS)
			inputs = field.bytes;
		else if (field.number == FIELD_ATTRIBUTE)
			bad = parse_attribute(node, field.bytes);
	}
	if (rc < 0 || bad)
		return bad ? bad : 1;
	return name.len && lists_groups(name) ? parse_inputs(node, inputs) : 0;
}

static const struct node none = {.type = -1,
				 .cpu = -1,
				 .comm_type = -1,
				 .bytes = -1,
				 .src = -1,
				 .dst = -1};

/* Also the beginning of a text may look like a length and the key of a version,
 * "{" and a new line, but what follows then is no version. */
bool pl_graph_is(const char *head, size_t len)
{
	struct pl_protobuf w = {.at = (const unsigned char *)head, .len = len};
	uint64_t message, key, field;
	size_t i = 0;

	if (pl_protobuf_varint(&w, &message))
		return false;
	if (message == 0)
		return true;
	if (pl_protobuf_varint(&w, &key) || pl_protobuf_varint(&w, &field) ||
	    field >= message)
		return false;
	while (i < field && i < w.len &&
	       (isalnum(w.at[i]) || strchr(".-_", w.at[i])))
		i++;
	return key == (META_ATTRIBUTE << 3 | PL_PROTOBUF_BYTES) ||
	       (key == (META_VERSION << 3 | PL_PROTOBUF_BYTES) &&
		(i == field || i == w.len));
}

/* A file that is read message by message. */
struct source {
	FILE *f;
	const char *path;
	unsigned char *data; /* [room] the present message */
	size_t room;
	uint64_t at; /* where it begins: bytes of the file */
};

static int fault(const struct source *s, const char *what, struct pl_err *err)
{
	if (ferror(s->f))
		return pl_err_errno(err, "cannot read %s", s->path);
	return pl_err_at(err, (struct pl_place){.file = s->path},
			 "byte %llu: %s", (unsigned long long)s->at, what);
}

/* 1, 0 at the end, -1 with @err set. */
static int read_length(struct source *s, uint64_t *len, struct pl_err *err)
{
	unsigned char bytes[10];
	struct pl_protobuf w = {.at = bytes, .len = 0};
	int c = getc(s->f);

	if (c == EOF && !ferror(s->f))
		return 0;
	for (; c != EOF; c = getc(s->f)) {
		bytes[w.len++] = (unsigned char)c;
		if (c < 0x80 || w.len == sizeof(bytes))
			break;
	}
	if (pl_protobuf_varint(&w, len) || *len > MESSAGE_MAX)
		return fault(s, "no length of a message, up to 64 MiB", err);
	s->at += (uint64_t)(w.at - bytes);
	return 1;
}

/* The same; *message borrows from the source. */
static int read_message(struct source *s, struct pl_protobuf *message,
			struct pl_err *err)
{
	uint64_t len;
	const int rc = read_length(s, &len, err);

	if (rc <= 0)
		return rc;
	if (len > s->room) {
		unsigned char *data = realloc(s->data, len);

		if (!data)
			return pl_err_nomem(err);
		s->data = data;
		s->room = (size_t)len;
	}
	if (len > 0 && fread(s->data, 1, (size_t)len, s->f) != len)
		return fault(s, "the message that begins here is cut off", err);
	*message = (struct pl_protobuf){.at = s->data, .len = (size_t)len};
	return 1;
}

static int read_nodes(struct source *s, struct pl_recording *r,
		      struct pl_job_trace *t, struct pl_err *err)
{
	struct pl_protobuf message;
	int rc;

	while ((rc = read_message(s, &message, err)) > 0) {
		struct node node = none;
		int bad = parse_node(&node, message);

		if (bad == 0)
			bad = take_node(r, t, &node);
		node_fini(&node);
		if (bad < 0)
			return pl_err_nomem(err);
		if (bad)
			return fault(s, "no message of a graph begins here",
				     err);
		s->at += message.len;
	}
	return rc;
}

static int read_source(struct source *s, struct pl_recording *r,
		       struct pl_job_trace *t, struct pl_err *err)
{
	struct pl_protobuf metadata;
	const int rc = read_message(s, &metadata, err);

	if (rc <= 0)
		return rc < 0 ? -1 : fault(s, "the file is empty", err);
	s->at += metadata.len;
	return read_nodes(s, r, t, err);
}

/* The number between the last two dots of the name. */
static size_t rank_of(const char *path)
{
	const char *end = strrchr(path, '.'), *begin = end;
	uint64_t rank;

	while (begin && begin > path && begin[-1] != '.' && begin[-1] != '/')
		begin--;
	if (!end || begin == path || begin[-1] != '.' ||
	    pl_uint_parse(begin, (size_t)(end - begin), PL_JOB_RANKS_MAX - 1,
			  &rank))
		return PL_RECORDED_NO_RANK;
	return (size_t)rank;
}

/* Keeps the trace, which is empty then, until all files are there. */
static int keep(struct pl_recording *r, struct pl_job_trace *t,
		const char *path, double n_steps)
{
	void *array = r->graph;

	t->file = pl_string_copy(path, strlen(path));
	t->n_steps = n_steps;
	t->rank = rank_of(path);
	if (!t->file || pl_array_grow(&array, &r->graph_room, r->n_graphs,
				      sizeof(*r->graph)))
		return -1;
	r->graph = array;
	r->graph[r->n_graphs++] = *t;
	memset(t, 0, sizeof(*t));
	return 0;
}

int pl_import_et(struct pl_recording *r, const char *path, double n_steps,
		 struct pl_err *err)
{
	struct source s = {.f = fopen(path, "re"), .path = path};
	struct pl_job_trace t = {.rank = PL_RECORDED_NO_RANK};
	int rc;

	if (!s.f)
		return pl_err_errno(err, "cannot open %s", path);
	rc = read_source(&s, r, &t, err);
	if (rc == 0 && keep(r, &t, path, n_steps))
		rc = pl_err_nomem(err);
	fclose(s.f);
	free(s.data);
	pl_job_trace_fini(&t);
	return rc;
}

static int64_t number_in(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	const json_int_t n = json_integer_value(value);

	if (json_is_boolean(value))
		return json_is_true(value);
	return json_is_integer(value) && n >= 0 && n <= BYTES_MAX ? n : -1;
}

static int take_object(struct pl_recording *r, struct pl_job_trace *t,
		       const json_t *object)
{
	const struct node node = {.type = number_in(object, "NodeType"),
				  .cpu = number_in(object, "is_cpu_op"),
				  .comm_type = number_in(object, "comm_type"),
				  .bytes = number_in(object, "comm_size"),
				  .src = number_in(object, "comm_src"),
				  .dst = number_in(object, "comm_dst")};

	return take_node(r, t, &node);
}

static int read_objects(struct pl_json_stream *s, struct pl_recording *r,
			struct pl_job_trace *t, struct pl_err *err)
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

int pl_import_graph(struct pl_recording *r, struct pl_json_stream *s,
		    double n_steps, struct pl_err *err)
{
	struct pl_job_trace t = {.rank = PL_RECORDED_NO_RANK};
	int rc = read_objects(s, r, &t, err);

	if (rc == 0 && keep(r, &t, pl_json_stream_place(s).file, n_steps))
		rc = pl_err_nomem(err);
	pl_job_trace_fini(&t);
	return rc;
}

static int fault_group(const char *path, const char *name, struct pl_err *err)
{
	return pl_err_at(err, (struct pl_place){.file = path},
			 "group \"%s\" is no list of ranks", name);
}

static int check_groups(const json_t *groups, const char *path,
			struct pl_err *err)
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

int pl_import_groups(struct pl_recording *r, const char *path,
		     struct pl_err *err)
{
	json_error_t at;
	json_t *groups = json_load_file(path, JSON_REJECT_DUPLICATES, &at);

	if (!groups)
		return pl_err_at(
			err,
			(struct pl_place){path, at.line,
					  at.column > 0 ? at.column : 1},
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
				n = larger(n,
					   (size_t)t->group[g].member[k] + 1);
		for (size_t c = 0; c < t->n_calls; c++)
			if (t->call[c].rank >= 0 &&
			    t->call[c].rank < (json_int_t)PL_JOB_RANKS_MAX)
				n = larger(n, (size_t)t->call[c].rank + 1);
	}
	return n;
}

/* Has the trace a call of all ranks, or a message, which is among all? */
static bool has_of_all(const struct pl_job_trace *t, bool message)
{
	size_t i = 0;

	while (i < t->n_calls && ((t->call[i].rank >= 0) != message ||
				  strcmp(t->call[i].group, ALL) != 0))
		i++;
	return i < t->n_calls;
}

static int put(struct pl_recording *r, struct pl_job_trace *t, size_t n_ranks,
	       struct pl_err *err)
{
	struct pl_recorded_file file = {.place = {.file = t->file},
					.n_ranks = n_ranks,
					.at_least = true,
					.n_steps = t->n_steps};

	const bool calls = has_of_all(t, false), messages = has_of_all(t, true);

	if (t->rank == PL_RECORDED_NO_RANK &&
	    (n_ranks == 0 || calls || messages))
		return pl_err_at(err, file.place,
				 "neither process groups nor the rank of the "
				 "process are known; the file's name tells the "
				 "latter: NAME.RANK.et");
	if (calls && n_ranks == 1)
		return pl_err_at(err, file.place,
				 "calls without a process group are of all "
				 "ranks: give the files of all, NAME.RANK.et");
	if (((calls || messages) && pl_job_trace_add_all(t, ALL, n_ranks)) ||
	    (calls &&
	     pl_recording_lose(r,
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
