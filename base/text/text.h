/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - line-based input: whole files, lines, words, each with its place */
#ifndef PLINK_BASE_TEXT_TEXT_H
#define PLINK_BASE_TEXT_TEXT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* A whole input in memory; owned by the caller that loaded it. */
struct pl_text {
	char *data; /* len bytes and a terminating zero */
	size_t len;
	char *name; /* for messages; "-" is shown as "stdin" */
	size_t pos; /* where the next line starts */
	long line;  /* number of the line last returned */
};

/* One line, without its end (LF or CR LF); borrows from the text. */
struct pl_line {
	const char *s;
	size_t len;
	size_t pos; /* where the search for the next word starts */
	long number;
	const char *file;
};

/* A run of characters that are not blanks; borrows from the text. */
struct pl_word {
	const char *s;
	size_t len;
	struct pl_place place;
};

static inline bool pl_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/*
 * Reads the file @path ("-": standard input) into @t and skips a byte order mark. 0, or -1 with @t
 * empty: PL_EINPUT for a named pipe (but not for the open files below /dev and /proc), for more
 * than @limit bytes and for a zero byte; PL_EPARTIAL if a signal came first; PL_ESYSTEM if reading
 * fails, as it does for a directory.
 */
int pl_text_load(struct pl_text *t, const char *path, size_t limit, struct pl_err *err);

/* Opening a pipe by its name waits for somebody to write to it, perhaps for ever; one that a shell
 * has made (/dev/fd/63), or that is standard input, has both ends. 0, or -1 with @err set
 * (PL_EINPUT) if @path is such a name. */
int pl_text_refuse_pipe(const char *path, struct pl_err *err);

/* Like pl_text_load, but accepts only regular files: for inputs of several processes, each of which
 * would get another part of a pipe, or none. */
int pl_text_load_file(struct pl_text *t, const char *path, size_t limit, struct pl_err *err);

/* Like pl_text_load, for a secret: refuses, with PL_EINPUT, a regular file that others than its
 * owner may read or write. */
int pl_text_load_secret(struct pl_text *t, const char *path, size_t limit, struct pl_err *err);

/* Like pl_text_load, from memory: copies @len bytes; @name is for messages. */
int pl_text_copy(struct pl_text *t, const char *name, const void *data, size_t len,
		 struct pl_err *err);

void pl_text_fini(struct pl_text *t);

/* The next line; false at the end of the text. A last line need not end in
 * LF. */
bool pl_text_next(struct pl_text *t, struct pl_line *line);

/* Takes the first line, which must be @mark, as "# plink-job 1". 0, or -1 with @err set: PL_EINPUT
 * with the place. */
int pl_text_first(struct pl_text *t, const char *mark, struct pl_err *err);

/* The next word of the line; false when there is none. Blanks are spaces and tabs. */
bool pl_line_next(struct pl_line *line, struct pl_word *word);

/* The same where a word is wanted: false, and a word of no length at the line's end, if there is
 * none. */
bool pl_line_word(struct pl_line *line, struct pl_word *word);

/* No word remains. 0, or -1 with @err set: PL_EINPUT and its place. */
int pl_line_end(struct pl_line *line, struct pl_err *err);

/* The rest of the line after the words taken so far, without blanks at its ends (may be empty).
 * Nothing is left afterwards. */
struct pl_word pl_line_rest(struct pl_line *line);

/* Passes over blanks. */
void pl_line_skip(struct pl_line *line);

/* Is there a '#' at offset @i that stands alone, between blanks or the ends of the line? */
bool pl_line_is_mark(const struct pl_line *line, size_t i);

/* The place of the line's first unread character. */
struct pl_place pl_line_place(const struct pl_line *line);

/* Is the word @s? */
bool pl_word_is(const struct pl_word *word, const char *s);

/* Is the word "@key=..."? Then *value is what follows, perhaps nothing. */
bool pl_word_value(const struct pl_word *word, const char *key, struct pl_word *value);

#endif
