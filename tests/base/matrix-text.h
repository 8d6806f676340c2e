/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix-text.h - what the tests of matrices share: from text and back */
#ifndef PLINK_TESTS_BASE_MATRIX_TEXT_H
#define PLINK_TESTS_BASE_MATRIX_TEXT_H

#include "base/matrix/matrix.h"
#include "tests/tap.h"

#include <stdlib.h>

/* Makes a matrix from a string; if the string has no unit, it is ns. The caller destroys the
 * matrix. */
__attribute__((unused)) static struct pl_matrix *matrix_from(const char *s, size_t len,
							     struct pl_err *err)
{
	const struct pl_matrix_options options = {.unit = PL_NS};
	struct pl_text text;
	struct pl_matrix *m;

	memset(err, 0, sizeof(*err));
	if (pl_text_copy(&text, "m", s, len, err))
		return NULL;
	m = pl_matrix_parse(&text, &options, err);
	pl_text_fini(&text);
	return m;
}

/* Parses what must be refused and compares "line:col: text". */
__attribute__((unused)) static void refused(const char *input, const char *want, const char *what)
{
	struct pl_err err;
	struct pl_matrix *m = matrix_from(input, strlen(input), &err);
	char got[600];

	snprintf(got, sizeof(got), "%ld:%ld: %s", err.line, err.col, err.text);
	ok(!m && err.code == PL_EINPUT, "refused: %s", what);
	is_str(got, want, what);
	pl_matrix_destroy(m);
}

/* The output of pl_matrix_write() as a string, which the caller frees. NULL on failure. */
__attribute__((unused)) static char *matrix_text(const struct pl_matrix *m, size_t *len,
						 struct pl_err *err)
{
	char *s = NULL;
	FILE *f = open_memstream(&s, len);
	int rc;

	if (!f)
		return NULL;
	rc = pl_matrix_write(m, f, err);
	if (fclose(f) || rc) {
		free(s);
		return NULL;
	}
	return s;
}

#endif
