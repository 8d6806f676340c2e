/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.h - what the readers of all forms share: rows, values, hosts by
 * number */
#ifndef PLINK_BASE_MATRIX_CELLS_H
#define PLINK_BASE_MATRIX_CELLS_H

#include "base/matrix/matrix.h"

/* n * n cells, NaN but for a zero diagonal; NULL when memory runs out or n is
 * over PL_MATRIX_HOSTS_MAX. Release with free(). */
double *pl_cells_create(size_t n);

/* An empty layer of the matrix' kind, to be added to it. 0, or -1: out of
 * memory. */
int pl_layer_init(struct pl_layer *layer, const struct pl_matrix *m,
		  const char *statistic);
void pl_layer_fini(struct pl_layer *layer);

/* A matrix for what was read in a form that names no quantity: round trips in a
 * unit of time, bandwidth in bytes per second. NULL with @err set. */
struct pl_matrix *pl_matrix_import(const struct pl_hosts *hosts,
				   enum pl_unit unit, struct pl_err *err);

/* The same over hosts named 1 to @n. */
struct pl_matrix *pl_matrix_numbered(size_t n, enum pl_unit unit,
				     struct pl_err *err);

/* The word as a value a cell may have: nan, or finite and >= 0. 0, or -1 with
 * @err set to the word's place. */
int pl_cell_parse(const struct pl_word *word, double *value,
		  struct pl_err *err);

/* The same for a form in which what stands on the diagonal means nothing: any
 * number will do there and is taken for 0. */
int pl_cell_import(const struct pl_word *word, bool diagonal, double *value,
		   struct pl_err *err);

/* The next line that is neither blank nor a '#' comment; false at the end. */
bool pl_text_next_row(struct pl_text *text, struct pl_line *line);

/* How many words there are on the line, or are left of it. */
size_t pl_line_words(struct pl_line line);

/* Can the rest of the text hold rows for @n hosts, with their names? If not,
 * reads it to find out where they fail. 0, or -1 with @err set to that
 * place. */
int pl_rows_check(struct pl_text text, size_t n, struct pl_err *err);

/* The place after all lines read so far. */
struct pl_place pl_text_after(const struct pl_text *text);

/* How many bytes of a word an error message shows. */
int pl_word_shown(const struct pl_word *word);

#endif
