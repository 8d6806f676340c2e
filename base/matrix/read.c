/* SPDX-License-Identifier: BSD-3-Clause */
/* read.c - reading matrices: which form it is */
#include "config.h"

#include "base/matrix/forms.h"

#include "base/matrix/cells.h"
#include "base/matrix/header.h"
#include "base/text/kind.h"

#include <stdlib.h>
#include <string.h>

/* Is one of the leading '#' lines "# plink-matrix ..."? */
static bool is_own(struct pl_text text)
{
	struct pl_line line;
	struct pl_word key, value;

	while (pl_text_next(&text, &line)) {
		if (!pl_header_is(&line) && pl_line_words(line) > 0)
			return false;
		while (pl_header_next(&line, &key, &value))
			if (pl_word_is(&key, "plink-matrix"))
				return true;
	}
	return false;
}

struct pl_matrix *pl_matrix_parse(struct pl_text *text, const struct pl_matrix_options *options,
				  struct pl_err *err)
{
	const enum pl_unit unit = options ? options->unit : PL_NS;
	struct pl_text peek;
	struct pl_line line;
	struct pl_word first;

	if (unit == PL_PROBES) {
		pl_err_set(err, PL_EUSAGE, "a matrix cannot be in probes");
		return NULL;
	}
	if (is_own(*text))
		return pl_matrix_parse_own(text, err);
	peek = *text;
	if (!pl_text_next_row(&peek, &line)) {
		pl_err_at(err, pl_text_after(&peek), "there is no matrix here");
		return NULL;
	}
	if (pl_line_next(&line, &first) && first.s[0] == '{') {
		pl_err_at(err, first.place,
			  "this is JSON, not a matrix file: write one, without --json");
		return NULL;
	}
	if (memchr(line.s, ',', line.len) || memchr(line.s, ';', line.len))
		return pl_matrix_parse_csv(text, unit, err);
	return pl_matrix_parse_square(text, unit, err);
}

struct pl_matrix *pl_matrix_read(const char *path, const struct pl_matrix_options *options,
				 struct pl_err *err)
{
	struct pl_text text;
	struct pl_matrix *m;

	if (pl_text_load(&text, path, PL_MATRIX_BYTES_MAX, err))
		return NULL;
	m = pl_matrix_parse(&text, options, err);
	if (!m)
		pl_kind_blame(&text, PL_KIND_MATRIX, err);
	pl_text_fini(&text);
	return m;
}
