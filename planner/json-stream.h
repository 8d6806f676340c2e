/* SPDX-License-Identifier: BSD-3-Clause */
/* json-stream.h - a long JSON array out of a file, an element at a time */
/*
 * For files that would take ten times their size in memory as a whole. The file
 * may be compressed by gzip. Kept of it are 64 KiB, or the longest element.
 */
#ifndef PLINK_PLANNER_JSON_STREAM_H
#define PLINK_PLANNER_JSON_STREAM_H

#include "base/err.h"

#include <jansson.h>

struct pl_json_stream;

/*
 * Opens the file @path ("-": standard input), which is an array, or an object
 * whose member @key (borrowed) is one. NULL with @err set: PL_ESYSTEM where it
 * cannot be read, PL_EINPUT with the place where it is something else. End with
 * close.
 */
struct pl_json_stream *pl_json_stream_open(const char *path, const char *key,
					   struct pl_err *err);
void pl_json_stream_close(struct pl_json_stream *s);

/*
 * The next element, owned by the caller, into *element. 1; 0 behind the last
 * one, when the rest of the file has been looked at as well; -1 with @err set:
 * PL_EINPUT with the place (in the unpacked text) for what is no JSON, for a
 * file that is cut off, for a second such array and for elements of more than
 * 16 MiB.
 */
int pl_json_stream_next(struct pl_json_stream *s, json_t **element,
			struct pl_err *err);

/* Where the element last given begins. Borrows from the stream. */
struct pl_place pl_json_stream_place(const struct pl_json_stream *s);

#endif
