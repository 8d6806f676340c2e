/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - files of JSON: one document or several, and the hosts in them */
#include "config.h"

#include "topology/providers/json.h"

#include "base/mem.h"
#include "topology/providers/names.h"
#include "topology/providers/providers.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	pl_provider_json_test *is;
	pl_provider_json_reader *read;
} kinds[] = {
	{"ec2", pl_provider_is_ec2, pl_provider_ec2},
	{"hypernode", pl_provider_is_hypernode, pl_provider_hypernode},
	{"topograph", pl_provider_is_topograph, pl_provider_topograph},
	{"kubernetes", pl_provider_is_kubernetes, pl_provider_kubernetes},
	{"oci", pl_provider_is_oci, pl_provider_oci},
	{"gcp", pl_provider_is_gcp, pl_provider_gcp},
	{"plink-groups", pl_provider_is_groups_json, pl_provider_groups_json},
};
#define N_KINDS (sizeof(kinds) / sizeof(*kinds))

const char *pl_provider_string(const json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s && *s ? s : NULL;
}

json_t *pl_provider_member(const json_t *object, const char *keys)
{
	char key[64];

	while (*keys && object) {
		const size_t len = strcspn(keys, ".");

		snprintf(key, sizeof(key), "%.*s", (int)len, keys);
		object = json_object_get(object, key);
		keys += len + (keys[len] == '.');
	}
	return (json_t *)(uintptr_t)object;
}

int pl_provider_also(struct pl_provider_json *json, size_t host, const char *name,
		     struct pl_err *err)
{
	return name ? pl_places_also(json->p, host, name, strlen(name), err) : 0;
}

int pl_provider_also_each(struct pl_provider_json *json, size_t host, const json_t *list,
			  const char *key, struct pl_err *err)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (pl_provider_also(json, host, pl_provider_string(json_array_get(list, i), key),
				     err))
			return -1;
	return 0;
}

int pl_provider_label(struct pl_provider_json *json, struct pl_places_path *path, const char *s,
		      struct pl_err *err)
{
	if (pl_places_push(path, s ? s : "", s ? strlen(s) : 0))
		return pl_err_at(err, json->file, "\"%s\": more than %d levels", s ? s : "",
				 PL_PLACES_LEVELS_MAX);
	return 0;
}

/* Where the document that starts at text->pos has its line and column; jansson counts from
 * there. */
static struct pl_place place_in(const struct pl_text *text, const json_error_t *at)
{
	struct pl_place place = {.file = text->name, .line = 1, .col = 0};

	for (size_t i = 0; i < text->pos; i++) {
		place.col++;
		if (text->data[i] == '\n') {
			place.line++;
			place.col = 0;
		}
	}
	place.col = at->line > 1 ? at->column : place.col + at->column;
	place.line += at->line > 1 ? at->line - 1 : 0;
	return place;
}

static bool at_end(struct pl_text *text)
{
	text->pos += strspn(text->data + text->pos, " \t\r\n");
	return text->pos >= text->len;
}

/* All documents, one after another. */
static int load(struct pl_provider_json *json, struct pl_text *text, struct pl_err *err)
{
	while (!at_end(text)) {
		json_error_t at;
		json_t *doc = json_loadb(text->data + text->pos, text->len - text->pos,
					 JSON_DISABLE_EOF_CHECK, &at);

		if (!doc)
			return pl_err_at(err, place_in(text, &at), "%s", at.text);
		if (pl_array_grow((void **)&json->doc, &json->docs_room, json->n_docs,
				  sizeof(json_t *))) {
			json_decref(doc);
			return pl_err_nomem(err);
		}
		json->doc[json->n_docs++] = doc;
		text->pos += (size_t)at.position;
	}
	return 0;
}

static int add_object(struct pl_provider_json *json, json_t *object, struct pl_err *err)
{
	if (!json_is_object(object))
		return pl_err_at(err, json->file,
				 "expected a host or a list of hosts, found something else");
	if (pl_array_grow((void **)&json->object, &json->room, json->n, sizeof(json_t *)))
		return pl_err_nomem(err);
	json->object[json->n++] = object;
	return 0;
}

/* The list in @value, if it is one or is wrapped in one of these members. */
static json_t *list_in(json_t *value)
{
	static const char *const wrapper[] = {"Instances", "Reservations", "items",
					      "groups",    "instances",    "data"};
	json_t *list;

	if (json_is_array(value))
		return value;
	for (size_t i = 0; i < sizeof(wrapper) / sizeof(*wrapper); i++) {
		list = json_object_get(value, wrapper[i]);
		if (json_is_array(list))
			return list;
	}
	list = json_object_get(value, "data");
	return json_is_object(list) ? list_in(list) : NULL;
}

/* The objects of a document: it is one, or a list, or a list of lists. */
static int unfold(struct pl_provider_json *json, json_t *value, int depth, struct pl_err *err)
{
	json_t *list = list_in(value), *member;
	size_t i;

	if (!list || depth == 3)
		return add_object(json, value, err);
	json_array_foreach(list, i, member) if (unfold(json, member, depth + 1, err)) return -1;
	return 0;
}

/* The kind of the first object that is of any; all must be of one kind. */
static int find_kind(const struct pl_provider_json *json, size_t *kind, struct pl_err *err)
{
	*kind = N_KINDS;
	for (size_t i = 0; i < json->n; i++) {
		size_t k = 0;

		while (k < N_KINDS && !kinds[k].is(json->object[i]))
			k++;
		if (k == N_KINDS)
			return pl_err_at(err, json->file,
					 "object %zu is no host in the form of EC2, Google Cloud, "
					 "Kubernetes, OCI or topograph, and no group of Volcano or "
					 "plink-groups",
					 i + 1);
		if (*kind != N_KINDS && *kind != k)
			return pl_err_at(err, json->file,
					 "object %zu is of %s, but those before it are of %s",
					 i + 1, kinds[k].name, kinds[*kind].name);
		*kind = k;
	}
	return 0;
}

static void fini(struct pl_provider_json *json)
{
	for (size_t i = 0; i < json->n_docs; i++)
		json_decref(json->doc[i]);
	free(json->doc);
	free(json->object);
}

bool pl_provider_is_json(const struct pl_line *line)
{
	struct pl_line copy = *line;
	struct pl_word word;

	return pl_line_next(&copy, &word) && (word.s[0] == '{' || word.s[0] == '[') &&
	       !pl_provider_is_address(word.s, word.len);
}

int pl_provider_json(struct pl_places *p, struct pl_text *text, struct pl_err *err)
{
	struct pl_provider_json json = {.p = p, .file = {.file = text->name}};
	size_t kind;
	int rc = load(&json, text, err);

	for (size_t i = 0; rc == 0 && i < json.n_docs; i++)
		rc = unfold(&json, json.doc[i], 0, err);
	if (rc == 0)
		rc = find_kind(&json, &kind, err);
	if (rc == 0 && kind < N_KINDS) {
		p->form = kinds[kind].name;
		rc = kinds[kind].read(&json, err);
	}
	fini(&json);
	return rc;
}
