/* SPDX-License-Identifier: BSD-3-Clause */
/* square.c - reading squares of bare numbers between blanks */
#include "config.h"

#include "base/matrix/forms.h"

#include "base/matrix/cells.h"
/* How many rows and columns; checked before anything is allocated. */
static int measure(struct pl_text text, size_t *n, struct pl_err *err)
{
	struct pl_line line;
	size_t rows = 0;

	for (; pl_text_next_row(&text, &line); rows++) {
		const size_t words = pl_line_words(line);

		line.pos = 0;
		if (rows == 0)
			*n = words;
		if (words != *n)
			return pl_err_at(err, pl_line_place(&line),
					 "%zu values in this row, %zu in the first: not a square",
					 words, *n);
		if (rows == *n)
			return pl_err_at(err, pl_line_place(&line),
					 "a row more than the %zu columns", *n);
	}
	if (rows < *n)
		return pl_err_at(err, pl_text_after(&text), "%zu rows of %zu values: not a square",
				 rows, *n);
	if (*n > PL_MATRIX_HOSTS_MAX)
		return pl_err_at(err, pl_text_after(&text), "%zu hosts: a matrix holds at most %d",
				 *n, PL_MATRIX_HOSTS_MAX);
	return 0;
}

static int read_cells(struct pl_text *text, struct pl_matrix *m, struct pl_err *err)
{
	const size_t n = m->hosts.n;
	double *cell = m->layer[0].cell;
	struct pl_line line;
	struct pl_word word;

	for (size_t i = 0; pl_text_next_row(text, &line); i++)
		for (size_t j = 0; pl_line_next(&line, &word); j++)
			if (pl_cell_import(&word, i == j, &cell[i * n + j], err))
				return -1;
	return 0;
}

struct pl_matrix *pl_matrix_parse_square(struct pl_text *text, enum pl_unit unit,
					 struct pl_err *err)
{
	struct pl_matrix *m;
	size_t n = 0;

	if (measure(*text, &n, err))
		return NULL;
	m = pl_matrix_numbered(n, unit, err);
	if (m && read_cells(text, m, err)) {
		pl_matrix_destroy(m);
		return NULL;
	}
	return m;
}
