/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c - is a text long enough for the rows it should hold? */
#include "config.h"

#include "base/matrix/cells.h"

size_t pl_line_words(struct pl_line line)
{
	struct pl_word word;
	size_t n = 0;

	while (pl_line_next(&line, &word))
		n++;
	return n;
}

/* Says what is wrong with rows for which the text is too short. */
static int blame(struct pl_text text, size_t n, struct pl_err *err)
{
	struct pl_line line;
	size_t rows = 0;

	for (; pl_text_next_row(&text, &line); rows++) {
		const size_t words = pl_line_words(line);

		line.pos = 0;
		if (words != n + 1)
			return pl_err_at(err, pl_line_place(&line),
					 "%zu values in this row, %zu hosts",
					 words - 1, n);
	}
	return pl_err_at(err, pl_text_after(&text),
			 "the file ends after %zu of %zu rows", rows, n);
}

int pl_rows_check(struct pl_text text, size_t n, struct pl_err *err)
{
	/* a name and the line's end, which the last one may lack; a digit and a
	 * blank for each value */
	if (text.len - text.pos + 1 >= n * (2 * n + 2))
		return 0;
	return blame(text, n, err);
}
