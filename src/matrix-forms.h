/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix-forms.h - the readers behind pl_matrix_parse, and what they share */
#ifndef PLINK_SRC_MATRIX_FORMS_H
#define PLINK_SRC_MATRIX_FORMS_H

#include "src/matrix.h"

/* Each reads the whole of @text, which starts at its first line, as one form.
 * NULL with @err set: PL_EINPUT with the place, PL_ESYSTEM. */
struct pl_matrix *pl_matrix_parse_own(struct pl_text *text, struct pl_err *err);

/* n * n cells, NaN but for a zero diagonal; NULL when memory runs out or n is over
 * PL_MATRIX_HOSTS_MAX. Release with free(). */
double *pl_cells_create(size_t n);

/* Adds a host of that name, one slot. 0, or -1 with @err set. */
int pl_matrix_host(struct pl_hosts *hosts, const struct pl_word *name,
		   struct pl_err *err);

/* The word as a value a cell may have: nan, or finite and >= 0. 0, or -1 with @err
 * set to the word's place. */
int pl_cell_parse(const struct pl_word *word, double *value,
		  struct pl_err *err);

#endif
