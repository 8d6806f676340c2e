/* SPDX-License-Identifier: BSD-3-Clause */
/* json-stream.h - reads a long JSON array from a file, one element at a time */
/* For files that would need ten times their size if read into memory as a whole. The file may be
 * compressed with gzip. Memory: 64 KiB, or the longest element. */
#ifndef PLINK_BASE_JSON_STREAM_H
#define PLINK_BASE_JSON_STREAM_H

#include "base/err.h"

#include <jansson.h>

struct pl_json_stream;

/*
 * Opens the file @path ("-": standard input). The file is an array, or an object whose member @key
 * (borrowed) is an array. NULL with @err set: PL_ESYSTEM if the file cannot be read, PL_EINPUT with
 * the place if it is anything else. End with close.
 */
struct pl_json_stream *pl_json_stream_open(const char *path, const char *key, struct pl_err *err);
void pl_json_stream_close(struct pl_json_stream *s);

/* Like open, for an object whose array is its first member with a name in @keys (borrowed; NULL
 * ends them) that is an array. The members beside it are kept: for files that say there what the
 * elements mean. */
struct pl_json_stream *pl_json_stream_open_any(const char *path, const char *const *keys,
					       struct pl_err *err);

/* Of a stream of open_any: the name of its array; the members that have been
 * read beside it, all of them once next has returned 0. Borrow from the
 * stream. */
const char *pl_json_stream_key(const struct pl_json_stream *s);
const json_t *pl_json_stream_beside(const struct pl_json_stream *s);

/*
 * Reads the next element into *element, owned by the caller. Returns 1; 0 after the last element,
 * when the rest of the file has been checked as well; -1 with @err set: PL_EINPUT with the place
 * (in the unpacked text) if the text is neither JSON nor what pl_json_clean makes JSON, if the file
 * is cut off, if there is a second array of that name, or if an element has more than 16 MiB or a
 * million values.
 */
int pl_json_stream_next(struct pl_json_stream *s, json_t **element, struct pl_err *err);

/* For traces of events, which are big and written without care: from now on an element that is no
 * JSON, or has more than 1 MiB, is left out. The next one is where an object begins with a member
 * of an event ("ph", "name", ...). */
void pl_json_stream_skip_damaged(struct pl_json_stream *s);

/* Counts the last element returned as left out, too. */
void pl_json_stream_blame(struct pl_json_stream *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* What was left out or blamed until now: the place of the first, how many, and its fault.
 * Untouched: nothing. */
void pl_json_stream_damage(const struct pl_json_stream *s, struct pl_err *said);

/* The place where the last element returned begins; before the first, that of the array's begin.
 * Borrows from the stream. */
struct pl_place pl_json_stream_place(const struct pl_json_stream *s);

#endif
