/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.h - shared by the readers of all forms: rows, values, numbered hosts */
#ifndef PLINK_BASE_MATRIX_CELLS_H
#define PLINK_BASE_MATRIX_CELLS_H

#include "base/matrix/matrix.h"

/* n * n cells, all NaN with a zero diagonal. NULL: out of memory, or n is over PL_MATRIX_HOSTS_MAX.
 * Release with free(). */
double *pl_cells_create(size_t n);

/* Makes an empty layer of the same kind (dense or few cells) as those of @m, for the caller to add
 * to @m. 0, or -1: out of memory. */
int pl_layer_init(struct pl_layer *layer, const struct pl_matrix *m, const char *statistic);
void pl_layer_fini(struct pl_layer *layer);

/* A matrix for a form that names no quantity: it holds round trips if @unit is a unit of time,
 * bandwidths if it is bytes per second. NULL with @err set. */
struct pl_matrix *pl_matrix_import(const struct pl_hosts *hosts, enum pl_unit unit,
				   struct pl_err *err);

/* Like pl_matrix_import, over hosts named 1 to @n. */
struct pl_matrix *pl_matrix_numbered(size_t n, enum pl_unit unit, struct pl_err *err);

/* Reads the value of a cell: "nan", or a finite number >= 0. 0, or -1 with @err set to the place of
 * the word. */
int pl_cell_parse(const struct pl_word *word, double *value, struct pl_err *err);

/* Like pl_cell_parse, for a form whose diagonal has no meaning: on the diagonal any number is
 * accepted and *value becomes 0. */
int pl_cell_import(const struct pl_word *word, bool diagonal, double *value, struct pl_err *err);

/* The next line that is neither blank nor a '#' comment; false at the end. */
bool pl_text_next_row(struct pl_text *text, struct pl_line *line);

/* The number of words left on the line. */
size_t pl_line_words(struct pl_line line);

/* Is the rest of the text long enough for the rows of @n hosts, with their names? If not, reads it
 * to find the fault. 0, or -1 with @err set to its place. */
int pl_rows_check(struct pl_text text, size_t n, struct pl_err *err);

/* The place behind the lines read so far. */
struct pl_place pl_text_after(const struct pl_text *text);

/* How many bytes of a word an error message shows. */
int pl_word_shown(const struct pl_word *word);

#endif
