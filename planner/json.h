/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - JSON input: its errors and their places */
/*
 * jansson keeps no places of values. Code that walks a document therefore keeps the path to the
 * present value (struct pl_json_at, on the stack). When a value there is wrong, the text is walked
 * along the same path once more, which gives line and column.
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

/* 0, or -1 with @err set: PL_EINPUT with the place. An object with the same member twice is
 * refused. */
int pl_json_parse(struct pl_json *doc, const struct pl_text *text, struct pl_err *err);
void pl_json_fini(struct pl_json *doc);

/* A value and the path to it. Borrows from the document and from the parent. */
struct pl_json_at {
	const struct pl_json *doc;
	const struct pl_json_at *parent; /* NULL: the whole document */
	const char *key;                 /* NULL: element of an array */
	size_t index;
	json_t *value; /* NULL: no such member */
};

struct pl_json_at pl_json_root(const struct pl_json *doc);
struct pl_json_at pl_json_member(const struct pl_json_at *object, const char *key);
struct pl_json_at pl_json_element(const struct pl_json_at *array, size_t index);

/* Sets PL_EINPUT at the place of the value; if the value is missing, at its parent. Returns -1. */
int pl_json_fault(const struct pl_json_at *at, struct pl_err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Checks that the value is an object with no members except those in @keys (NULL ends the list) and
 * "comment"; without @keys, with any. 0, or -1 with @err set; so for all functions below. */
int pl_json_object(const struct pl_json_at *at, const char *const *keys, struct pl_err *err);

/* Checks for an array of @min to @max elements; *n becomes their number. */
int pl_json_array(const struct pl_json_at *at, size_t min, size_t max, size_t *n,
		  struct pl_err *err);

/* Reads a number in [min, max]; reads a whole number. */
int pl_json_number(const struct pl_json_at *at, double min, double max, double *out,
		   struct pl_err *err);
int pl_json_whole(const struct pl_json_at *at, int64_t min, int64_t max, int64_t *out,
		  struct pl_err *err);

/* The same for the member @key of an object; whole numbers that are not negative. */
int pl_json_number_in(const struct pl_json_at *object, const char *key, double min, double max,
		      double *out, struct pl_err *err);
int pl_json_whole_in(const struct pl_json_at *object, const char *key, int64_t min, int64_t max,
		     uint64_t *out, struct pl_err *err);

/* Reads a string of 1 to 255 bytes without control characters. Borrowed. */
int pl_json_string(const struct pl_json_at *at, const char **out, struct pl_err *err);

#endif
