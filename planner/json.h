/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - JSON from outside: what is wrong with it, and where that stands */
/*
 * jansson keeps no places of values. Whoever walks a document keeps the way
 * down to where it is (struct pl_json_at, on the stack); when something is
 * wrong there, the text is walked the same way once more, and that gives line
 * and column.
 */
#ifndef PLINK_PLANNER_JSON_H
#define PLINK_PLANNER_JSON_H

#include "base/err.h"
#include "base/text/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A document and its text (borrowed). End with fini. */
struct pl_json {
	const struct pl_text *text;
	json_t *root;
};

/* 0, or -1 with @err set: PL_EINPUT with the place. A member that comes twice
 * in an object is refused. */
int pl_json_parse(struct pl_json *doc, const struct pl_text *text,
		  struct pl_err *err);
void pl_json_fini(struct pl_json *doc);

/* A value and the way to it. Borrows from the document and from the parent. */
struct pl_json_at {
	const struct pl_json *doc;
	const struct pl_json_at *parent; /* NULL: this is the whole */
	const char *key;                 /* NULL: element of an array */
	size_t index;
	json_t *value; /* NULL: there is no such member */
};

struct pl_json_at pl_json_root(const struct pl_json *doc);
struct pl_json_at pl_json_member(const struct pl_json_at *object,
				 const char *key);
struct pl_json_at pl_json_element(const struct pl_json_at *array, size_t index);

/* PL_EINPUT at the value; where it is missing, at what lacks it. Gives -1. */
int pl_json_fault(const struct pl_json_at *at, struct pl_err *err,
		  const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* An object without members other than those (NULL behind the last) and
 * "comment"? 0, or -1 with @err set; so all below. */
int pl_json_object(const struct pl_json_at *at, const char *const *keys,
		   struct pl_err *err);

/* An array of that many elements? */
int pl_json_array(const struct pl_json_at *at, size_t min, size_t max,
		  size_t *n, struct pl_err *err);

/* A number in [min, max]; a whole one. */
int pl_json_number(const struct pl_json_at *at, double min, double max,
		   double *out, struct pl_err *err);
int pl_json_whole(const struct pl_json_at *at, int64_t min, int64_t max,
		  int64_t *out, struct pl_err *err);

/* A string that is not empty, of at most 255 bytes, without control characters.
 * Borrowed. */
int pl_json_string(const struct pl_json_at *at, const char **out,
		   struct pl_err *err);

#endif
