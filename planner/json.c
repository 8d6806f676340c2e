/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - JSON from other programs: faults are reported with their place */
#include "config.h"

#include "planner/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STRING_MAX 255

int pl_json_parse(struct pl_json *doc, const struct pl_text *text, struct pl_err *err)
{
	json_error_t at;
	struct pl_place place = {.file = text->name};

	doc->text = text;
	doc->root = json_loadb(text->data + text->pos, text->len - text->pos,
			       JSON_REJECT_DUPLICATES, &at);
	if (doc->root)
		return 0;
	place.line = at.line > 0 ? at.line : 1;
	place.col = at.column > 0 ? at.column : 1;
	return pl_err_at(err, place, "%s", at.text);
}

void pl_json_fini(struct pl_json *doc)
{
	json_decref(doc->root);
	memset(doc, 0, sizeof(*doc));
}

struct pl_json_at pl_json_root(const struct pl_json *doc)
{
	return (struct pl_json_at){.doc = doc, .value = doc->root};
}

struct pl_json_at pl_json_member(const struct pl_json_at *object, const char *key)
{
	return (struct pl_json_at){
		.doc = object->doc,
		.parent = object,
		.key = key,
		.value = json_object_get(object->value, key),
	};
}

struct pl_json_at pl_json_element(const struct pl_json_at *array, size_t index)
{
	return (struct pl_json_at){
		.doc = array->doc,
		.parent = array,
		.index = index,
		.value = json_array_get(array->value, index),
	};
}

/* The text has been accepted by jansson; what follows relies on that. */

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t\r\n");
}

static const char *skip_string(const char *s)
{
	for (s++; *s && *s != '"'; s++)
		if (*s == '\\' && s[1])
			s++;
	return *s ? s + 1 : s;
}

static const char *skip_value(const char *s)
{
	size_t depth = 0;

	do {
		if (*s == '"') {
			s = skip_string(s);
			continue;
		}
		depth += *s == '{' || *s == '[';
		depth -= *s == '}' || *s == ']';
		s++;
	} while (*s && (depth > 0 || !strchr(",]} \t\r\n", *s)));
	return s;
}

/* The member's value, or NULL where its key is written with escapes. */
static const char *find_member(const char *s, const char *key)
{
	const size_t len = strlen(key);

	for (s = skip_blanks(s + 1); *s == '"';) {
		const bool here = strncmp(s + 1, key, len) == 0 && s[len + 1] == '"';

		s = skip_blanks(skip_string(s));
		s = skip_blanks(s + 1); /* the colon */
		if (here)
			return s;
		s = skip_blanks(skip_value(s));
		s = skip_blanks(s + (*s == ','));
	}
	return NULL;
}

static const char *find_element(const char *s, size_t index)
{
	s = skip_blanks(s + 1);
	while (index-- > 0) {
		s = skip_blanks(skip_value(s));
		s = skip_blanks(s + (*s == ','));
	}
	return s;
}

/* Where the value stands; what holds it, where the value is missing. */
static const char *find(const struct pl_json_at *at)
{
	const char *parent, *s;

	if (!at->parent)
		return skip_blanks(at->doc->text->data + at->doc->text->pos);
	parent = find(at->parent);
	if (!at->value)
		return parent;
	s = at->key ? find_member(parent, at->key) : find_element(parent, at->index);
	return s ? s : parent;
}

static struct pl_place place_of(const struct pl_json_at *at)
{
	const struct pl_text *text = at->doc->text;
	struct pl_place place = {.file = text->name, .line = 1, .col = 1};
	const char *here = find(at);

	for (const char *s = text->data; s < here; s++) {
		place.col++;
		if (*s == '\n') {
			place.line++;
			place.col = 1;
		}
	}
	return place;
}

int pl_json_fault(const struct pl_json_at *at, struct pl_err *err, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (at->key)
		return pl_err_at(err, place_of(at), "\"%s\": %s", at->key, text);
	if (at->parent && at->parent->key)
		return pl_err_at(err, place_of(at), "element %zu of \"%s\": %s", at->index + 1,
				 at->parent->key, text);
	return pl_err_at(err, place_of(at), "%s", text);
}

static int fault_type(const struct pl_json_at *at, const char *wanted, struct pl_err *err)
{
	if (!at->value)
		return pl_json_fault(at, err, "it is missing");
	return pl_json_fault(at, err, "%s is wanted here", wanted);
}

int pl_json_object(const struct pl_json_at *at, const char *const *keys, struct pl_err *err)
{
	const char *key;
	json_t *value;

	if (!json_is_object(at->value))
		return fault_type(at, "an object", err);
	if (!keys)
		return 0;
	json_object_foreach(at->value, key, value)
	{
		const struct pl_json_at member = pl_json_member(at, key);
		size_t i = 0;

		while (keys[i] && strcmp(keys[i], key) != 0)
			i++;
		if (!keys[i] && strcmp(key, "comment") != 0)
			return pl_json_fault(&member, err, "there is no such member here");
	}
	return 0;
}

int pl_json_array(const struct pl_json_at *at, size_t min, size_t max, size_t *n,
		  struct pl_err *err)
{
	if (!json_is_array(at->value))
		return fault_type(at, "an array", err);
	*n = json_array_size(at->value);
	if (*n >= min && *n <= max)
		return 0;
	if (min == max)
		return pl_json_fault(at, err, "%zu elements, not %zu", *n, min);
	return pl_json_fault(at, err, "%zu elements, not %zu to %zu", *n, min, max);
}

int pl_json_number(const struct pl_json_at *at, double min, double max, double *out,
		   struct pl_err *err)
{
	if (!json_is_number(at->value))
		return fault_type(at, "a number", err);
	*out = json_number_value(at->value);
	if (*out >= min && *out <= max)
		return 0;
	return pl_json_fault(at, err, "%g is not from %g to %g", *out, min, max);
}

int pl_json_whole(const struct pl_json_at *at, int64_t min, int64_t max, int64_t *out,
		  struct pl_err *err)
{
	if (!json_is_integer(at->value))
		return fault_type(at, "a whole number", err);
	*out = json_integer_value(at->value);
	if (*out >= min && *out <= max)
		return 0;
	return pl_json_fault(at, err, "%lld is not from %lld to %lld", (long long)*out,
			     (long long)min, (long long)max);
}

int pl_json_number_in(const struct pl_json_at *object, const char *key, double min, double max,
		      double *out, struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(object, key);

	return pl_json_number(&at, min, max, out, err);
}

int pl_json_whole_in(const struct pl_json_at *object, const char *key, int64_t min, int64_t max,
		     uint64_t *out, struct pl_err *err)
{
	const struct pl_json_at at = pl_json_member(object, key);
	int64_t n;

	if (pl_json_whole(&at, min, max, &n, err))
		return -1;
	*out = (uint64_t)n;
	return 0;
}

int pl_json_string(const struct pl_json_at *at, const char **out, struct pl_err *err)
{
	const char *s = json_string_value(at->value);

	if (!s)
		return fault_type(at, "a string", err);
	if (!*s || strlen(s) > STRING_MAX)
		return pl_json_fault(at, err, "not 1 to %d bytes", STRING_MAX);
	for (const char *c = s; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return pl_json_fault(at, err, "a control character");
	*out = s;
	return 0;
}
