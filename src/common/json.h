/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - JSON that tools write */
#ifndef PLINK_SRC_COMMON_JSON_H
#define PLINK_SRC_COMMON_JSON_H

#include "base/err.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* Add @value, which they take, to an array or an object. When memory runs out (@value is NULL, or
 * there is no room for it) *list or *object is released and becomes NULL, and stays so. */
void pl_list_add(json_t **list, json_t *value);
void pl_obj_set(json_t **object, const char *key, json_t *value);

/* A whole number; JSON's end at 2^63 - 1 here. */
json_t *pl_tool_json_whole(uint64_t n);

/* A text of others; what is not UTF-8, which JSON is, becomes '?'. @s NULL is null. */
json_t *pl_tool_json_text(const char *s);

/* A number, or null if it is not finite. */
json_t *pl_tool_json_number(double x);

/* Writes @root as a line, behind the head of all JSON of tools: the tool, the number of the form
 * (1) and plink's version. Releases it. 0, or -1 with @err set, also if @root is NULL: out of
 * memory. What cannot be written, @out has as its error. */
int pl_tool_json_line(const char *tool, json_t *root, FILE *out, struct pl_err *err);

/* Writes @root with a head and a line feed; releases it. 0, or -1 with @err set, also if @root is
 * NULL: out of memory. */
int pl_tool_json_write(const char *tool, json_t *root, FILE *out, struct pl_err *err);

#endif
