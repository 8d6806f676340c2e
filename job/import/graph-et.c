/* SPDX-License-Identifier: BSD-3-Clause */
/* graph-et.c - Chakra's graphs in Protocol Buffers (.et) */
/*
 * The file has messages, each behind its length: GlobalMetadata, then Nodes
 * (et_def.proto). It is read message by message.
 */
#include "config.h"

#include "base/mem.h"
#include "job/import/forms.h"
#include "job/import/graph.h"
#include "job/import/protobuf.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX ((uint64_t)64 << 20)

/* Of et_def.proto. */
enum { META_VERSION = 1, META_ATTRIBUTE = 2 };
enum { FIELD_NAME = 2, FIELD_TYPE = 3, FIELD_INPUTS = 8, FIELD_ATTRIBUTE = 10 };
enum { INFO_VALUES = 1 };
enum { ATTRIBUTE_NAME = 1, VALUE_SINT32 = 15, VALUE_SINT64 = 17 };

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
static int64_t *number_of(struct pl_graph_node *node, struct pl_protobuf name)
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
 * PL_GRAPH_BYTES_MAX. */
static int64_t whole(const struct pl_protobuf_field *value)
{
	uint64_t n = value->value;

	if (value->number == VALUE_SINT32 || value->number == VALUE_SINT64)
		n = n >> 1 ^ (0 - (n & 1));
	return n <= PL_GRAPH_BYTES_MAX ? (int64_t)n : -1;
}

/* 0; 1: it is none; -1: out of memory. */
static int parse_attribute(struct pl_graph_node *node, struct pl_protobuf message)
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
static int parse_inputs(struct pl_graph_node *node, struct pl_protobuf message)
{
	struct pl_protobuf_field field;
	int rc;

	while ((rc = pl_protobuf_next(&message, &field)) > 0)
		if (field.number == INFO_VALUES && field.type == PL_PROTOBUF_BYTES &&
		    copy_bytes(&node->groups, within_quotes(field.bytes)))
			return -1;
	return rc < 0 ? 1 : 0;
}

static bool lists_groups(struct pl_protobuf name)
{
	static const char init[] = "process_group:init";

	return memmem(name.at, name.len, init, strlen(init)) != NULL;
}

/* The same of a node, which ends with pl_graph_node_fini. */
static int parse_node(struct pl_graph_node *node, struct pl_protobuf message)
{
	struct pl_protobuf inputs = {.at = NULL}, name = {.at = NULL};
	struct pl_protobuf_field field;
	int rc, bad = 0;

	if (message.len == 0) /* as in a file of zeros */
		return 1;
	while ((rc = pl_protobuf_next(&message, &field)) > 0 && bad == 0) {
		if (field.number == FIELD_TYPE && field.type == PL_PROTOBUF_VARINT)
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
	if (pl_protobuf_varint(&w, &key) || pl_protobuf_varint(&w, &field) || field >= message)
		return false;
	while (i < field && i < w.len && (isalnum(w.at[i]) || memchr(".-_", w.at[i], 3)))
		i++;
	return key == (META_ATTRIBUTE << 3 | PL_PROTOBUF_BYTES) ||
	       (key == (META_VERSION << 3 | PL_PROTOBUF_BYTES) && (i == field || i == w.len));
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
	return pl_err_at(err, (struct pl_place){.file = s->path}, "byte %llu: %s",
			 (unsigned long long)s->at, what);
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
static int read_message(struct source *s, struct pl_protobuf *message, struct pl_err *err)
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

static int read_nodes(struct source *s, struct pl_recording *r, struct pl_job_trace *t,
		      struct pl_err *err)
{
	struct pl_protobuf message;
	int rc;

	while ((rc = read_message(s, &message, err)) > 0) {
		struct pl_graph_node node = pl_graph_no_node;
		int bad = parse_node(&node, message);

		if (bad == 0)
			bad = pl_graph_take_node(r, t, &node);
		pl_graph_node_fini(&node);
		if (bad < 0)
			return pl_err_nomem(err);
		if (bad)
			return fault(s, "no message of a graph begins here", err);
		s->at += message.len;
	}
	return rc;
}

static int read_source(struct source *s, struct pl_recording *r, struct pl_job_trace *t,
		       struct pl_err *err)
{
	struct pl_protobuf metadata;
	const int rc = read_message(s, &metadata, err);

	if (rc <= 0)
		return rc < 0 ? -1 : fault(s, "the file is empty", err);
	s->at += metadata.len;
	return read_nodes(s, r, t, err);
}

int pl_import_et(struct pl_recording *r, const char *path, double n_steps, struct pl_err *err)
{
	struct source s = {.f = fopen(path, "re"), .path = path};
	struct pl_job_trace t = {.rank = PL_RECORDED_NO_RANK};
	int rc;

	if (!s.f)
		return pl_err_errno(err, "cannot open %s", path);
	rc = read_source(&s, r, &t, err);
	if (rc == 0 && pl_graph_keep(r, &t, path, n_steps))
		rc = pl_err_nomem(err);
	fclose(s.f);
	free(s.data);
	pl_job_trace_fini(&t);
	return rc;
}
