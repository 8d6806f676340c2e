/* SPDX-License-Identifier: BSD-3-Clause */
/* header.h - the "# key value" lines of plink's own matrix form */
#ifndef PLINK_BASE_MATRIX_HEADER_H
#define PLINK_BASE_MATRIX_HEADER_H

#include "base/matrix/matrix.h"

/* The keys that have appeared; most may appear only once in a file. */
struct pl_head {
	unsigned seen; /* bits, by the key's place in the table */
};

/* Does the line begin with '#'? */
bool pl_header_is(const struct pl_line *line);

/*
 * Takes the next "# key value" off a header line. A line may hold several: a value ends before a
 * '#' between blanks, which starts the next key. The value of "cell" extends to the end of the
 * line. @value may be empty. Both borrow from the text. False: none is left, which includes
 * comments (a '#' without a blank after it).
 */
bool pl_header_next(struct pl_line *line, struct pl_word *key, struct pl_word *value);

/* Takes the next word off @value; false when there is none. */
bool pl_header_word(struct pl_word *value, struct pl_word *word);

/* Sets in @m what a key of the whole file states. Keys unknown to plink are kept as they are; the
 * keys of hosts (host, cell, layer) are ignored. 0, or -1 with @err set. */
int pl_head_set(struct pl_head *head, struct pl_matrix *m, const struct pl_word *key,
		struct pl_word value, struct pl_err *err);

/* At the end of the file: are all required keys there? 0, or -1 with @err
 * set. */
int pl_head_check(const struct pl_head *head, const struct pl_matrix *m, const char *file,
		  struct pl_err *err);

/* Is the key known to pl_head_set or to the reader? */
bool pl_header_known(const struct pl_word *key);

/* Reads "STATISTIC QUANTITY UNIT" and adds that layer to @m. */
int pl_header_layer(struct pl_matrix *m, struct pl_word value, struct pl_err *err);

/* Reads the "key=value" words that follow a host's name. */
int pl_header_host(struct pl_host *host, struct pl_word value, struct pl_err *err);

#endif
