/* SPDX-License-Identifier: BSD-3-Clause */
/* cells.c - what the readers of all forms share: rows, values, hosts by
 * number */
#include "config.h"

#include "base/matrix/cells.h"

#include "base/matrix/header.h"
#include "base/text/number.h"

#include <stdio.h>

int pl_word_shown(const struct pl_word *word)
{
	return word->len < 40 ? (int)word->len : 40;
}

struct pl_place pl_text_after(const struct pl_text *text)
{
	return (struct pl_place){.file = text->name, .line = text->line + 1, .col = 1};
}

static bool is_blank_line(struct pl_line line)
{
	struct pl_word word;

	return !pl_line_next(&line, &word);
}

bool pl_text_next_row(struct pl_text *text, struct pl_line *line)
{
	while (pl_text_next(text, line))
		if (!pl_header_is(line) && !is_blank_line(*line))
			return true;
	return false;
}

static int parse_number(const struct pl_word *word, double *value, struct pl_err *err)
{
	if (pl_double_parse(word->s, word->len, value))
		return pl_err_at(err, word->place, "\"%.*s\" is not a number", pl_word_shown(word),
				 word->s);
	return 0;
}

int pl_cell_parse(const struct pl_word *word, double *value, struct pl_err *err)
{
	if (parse_number(word, value, err))
		return -1;
	if (*value < 0)
		return pl_err_at(err, word->place, "\"%.*s\" is negative", pl_word_shown(word),
				 word->s);
	*value += 0; /* -0 is 0 */
	return 0;
}

int pl_cell_import(const struct pl_word *word, bool diagonal, double *value, struct pl_err *err)
{
	if (!diagonal)
		return pl_cell_parse(word, value, err);
	if (parse_number(word, value, err))
		return -1;
	*value = 0;
	return 0;
}

struct pl_matrix *pl_matrix_import(const struct pl_hosts *hosts, enum pl_unit unit,
				   struct pl_err *err)
{
	struct pl_matrix *m = pl_matrix_create(hosts, err);

	if (!m)
		return NULL;
	m->layer[0].unit = unit;
	if (unit == PL_BYTES_PER_S)
		m->layer[0].quantity = PL_BANDWIDTH;
	return m;
}

struct pl_matrix *pl_matrix_numbered(size_t n, enum pl_unit unit, struct pl_err *err)
{
	struct pl_matrix *m = NULL;
	struct pl_hosts hosts = {0};
	char name[32];

	for (size_t i = 1; i <= n; i++) {
		const struct pl_host host = {.name = name, .slots = 1};

		snprintf(name, sizeof(name), "%zu", i);
		if (pl_hosts_add(&hosts, &host)) {
			pl_err_nomem(err);
			goto out;
		}
	}
	m = pl_matrix_import(&hosts, unit, err);
out:
	pl_hosts_fini(&hosts);
	return m;
}

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
					 "%zu values in this row, %zu hosts", words - 1, n);
	}
	return pl_err_at(err, pl_text_after(&text), "the file ends after %zu of %zu rows", rows, n);
}

int pl_rows_check(struct pl_text text, size_t n, struct pl_err *err)
{
	/* a name and the line's end, which the last one may lack; a digit and a blank for each
	 * value */
	if (text.len - text.pos + 1 >= n * (2 * n + 2))
		return 0;
	return blame(text, n, err);
}
