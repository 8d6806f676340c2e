/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix-read.c - reading matrices: which form it is, what all forms share */
#include "config.h"

#include "src/matrix-forms.h"

#include "src/matrix-header.h"
#include "src/mem.h"
#include "src/number.h"

#include <stdlib.h>
#include <string.h>

/* Ten layers of the largest matrix in whole nanoseconds. */
#define BYTES_MAX ((size_t)-1 > 0xffffffff ? (size_t)32 << 30 : (size_t)1 << 30)

int pl_word_shown(const struct pl_word *word)
{
	return word->len < 40 ? (int)word->len : 40;
}

struct pl_place pl_text_after(const struct pl_text *text)
{
	return (struct pl_place){
		.file = text->name, .line = text->line + 1, .col = 1};
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

static int parse_number(const struct pl_word *word, double *value,
			struct pl_err *err)
{
	if (pl_double_parse(word->s, word->len, value))
		return pl_err_at(err, word->place, "\"%.*s\" is not a number",
				 pl_word_shown(word), word->s);
	return 0;
}

int pl_cell_parse(const struct pl_word *word, double *value, struct pl_err *err)
{
	if (parse_number(word, value, err))
		return -1;
	if (*value < 0)
		return pl_err_at(err, word->place, "\"%.*s\" is negative",
				 pl_word_shown(word), word->s);
	*value += 0; /* -0 is 0 */
	return 0;
}

int pl_cell_import(const struct pl_word *word, bool diagonal, double *value,
		   struct pl_err *err)
{
	if (!diagonal)
		return pl_cell_parse(word, value, err);
	if (parse_number(word, value, err))
		return -1;
	*value = 0;
	return 0;
}

struct pl_matrix *pl_matrix_import(const struct pl_hosts *hosts,
				   enum pl_unit unit, struct pl_err *err)
{
	struct pl_matrix *m = pl_matrix_create(hosts, err);

	if (!m)
		return NULL;
	m->layer[0].unit = unit;
	if (unit == PL_BYTES_PER_S)
		m->layer[0].quantity = PL_BANDWIDTH;
	return m;
}

struct pl_matrix *pl_matrix_numbered(size_t n, enum pl_unit unit,
				     struct pl_err *err)
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

/* Is one of the leading '#' lines "# plink-matrix ..."? */
static bool is_own(struct pl_text text)
{
	struct pl_line line;
	struct pl_word key, value;

	while (pl_text_next(&text, &line)) {
		if (!pl_header_is(&line) && !is_blank_line(line))
			return false;
		while (pl_header_next(&line, &key, &value))
			if (pl_word_is(&key, "plink-matrix"))
				return true;
	}
	return false;
}

struct pl_matrix *pl_matrix_parse(struct pl_text *text,
				  const struct pl_matrix_options *options,
				  struct pl_err *err)
{
	const enum pl_unit unit = options ? options->unit : PL_NS;
	struct pl_text peek;
	struct pl_line line;

	if (unit == PL_PROBES) {
		pl_err_set(err, PL_EUSAGE, "a matrix of probes is none");
		return NULL;
	}
	if (is_own(*text))
		return pl_matrix_parse_own(text, err);
	peek = *text;
	if (!pl_text_next_row(&peek, &line)) {
		pl_err_at(err, pl_text_after(&peek), "there is no matrix here");
		return NULL;
	}
	if (pl_tsplib_is(line))
		return pl_tsplib_parse(text, unit, err);
	if (memchr(line.s, ',', line.len))
		return pl_matrix_parse_csv(text, unit, err);
	return pl_matrix_parse_square(text, unit, err);
}

struct pl_matrix *pl_matrix_read(const char *path,
				 const struct pl_matrix_options *options,
				 struct pl_err *err)
{
	struct pl_text text;
	struct pl_matrix *m;

	if (pl_text_load(&text, path, BYTES_MAX, err))
		return NULL;
	m = pl_matrix_parse(&text, options, err);
	pl_text_fini(&text);
	return m;
}
