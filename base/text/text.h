/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h - line-based input: whole files, lines, words, each with its place */
#ifndef PLINK_BASE_TEXT_TEXT_H
#define PLINK_BASE_TEXT_TEXT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* A whole input in memory; owned by whoever loaded it. */
struct pl_text {
	char *data; /* len bytes and a terminating zero */
	size_t len;
	char *name; /* as it stands in messages; "-" is shown as "stdin" */
	size_t pos; /* where the next line starts */
	long line;  /* number of the line last returned */
};

/* One line, without its end (LF or CR LF); borrows from the text. */
struct pl_line {
	const char *s;
	size_t len;
	size_t pos; /* where the next word is looked for */
	long number;
	const char *file;
};

/* A run of characters that are not blanks; borrows from the text. */
struct pl_word {
	const char *s;
	size_t len;
	struct pl_place place;
};

/*
 * Reads the file @path ("-": standard input) into @t. Refuses directories,
 * pipes that have a name of their own (those of /dev and /proc are open
 * already), inputs of more than @limit bytes and inputs with a zero byte
 * (PL_EINPUT). A byte order mark is passed over. PL_EPARTIAL where a signal
 * came first. 0, or -1 with @t empty; PL_ESYSTEM where reading fails.
 */
int pl_text_load(struct pl_text *t, const char *path, size_t limit,
		 struct pl_err *err);

/* The same of a regular file only: for what several processes are to read,
 * where a pipe would give each another part, or none. */
int pl_text_load_file(struct pl_text *t, const char *path, size_t limit,
		      struct pl_err *err);

/* The same from memory: copies @len bytes; @name is for messages. */
int pl_text_copy(struct pl_text *t, const char *name, const void *data,
		 size_t len, struct pl_err *err);

void pl_text_fini(struct pl_text *t);

/* The next line; false at the end of the text. A last line need not end in
 * LF. */
bool pl_text_next(struct pl_text *t, struct pl_line *line);

/* The next word of the line; false when there is none. Blanks are space,
 * tab. */
bool pl_line_next(struct pl_line *line, struct pl_word *word);

/* What follows the words taken so far, without blanks at either end (may be
 * empty); nothing is left afterwards. */
struct pl_word pl_line_rest(struct pl_line *line);

/* The place of the line's first unread character. */
struct pl_place pl_line_place(const struct pl_line *line);

/* Does the word read exactly @s? */
bool pl_word_is(const struct pl_word *word, const char *s);

#endif
