/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix-read.c - reading matrices: which form it is, and single cells */
#include "config.h"

#include "src/matrix-forms.h"

#include "src/mem.h"
#include "src/number.h"

#include <stdlib.h>
#include <string.h>

/* Ten layers of the largest matrix in whole nanoseconds. */
#define BYTES_MAX ((size_t)-1 > 0xffffffff ? (size_t)32 << 30 : (size_t)1 << 30)

int pl_cell_parse(const struct pl_word *word, double *value, struct pl_err *err)
{
	const int shown = word->len < 40 ? (int)word->len : 40;

	if (pl_double_parse(word->s, word->len, value))
		return pl_err_at(err, word->place, "\"%.*s\" is not a number",
				 shown, word->s);
	if (*value < 0)
		return pl_err_at(err, word->place, "\"%.*s\" is negative",
				 shown, word->s);
	*value += 0; /* -0 is 0 */
	return 0;
}

static int check_name(const struct pl_word *name, struct pl_err *err)
{
	struct pl_place place = name->place;
	size_t at = 0;
	const char *fault = pl_host_name_fault(name->s, name->len, &at);

	if (!fault)
		return 0;
	place.col += (long)at;
	return pl_err_at(err, place, "host name: %s", fault);
}

int pl_matrix_host(struct pl_hosts *hosts, const struct pl_word *name,
		   struct pl_err *err)
{
	struct pl_host host = {.slots = 1};
	int rc;

	if (check_name(name, err))
		return -1;
	if (hosts->n == PL_MATRIX_HOSTS_MAX)
		return pl_err_at(err, name->place,
				 "more than %d hosts: too many for a matrix",
				 PL_MATRIX_HOSTS_MAX);
	host.name = pl_string_copy(name->s, name->len);
	rc = host.name ? pl_hosts_add(hosts, &host) : -1;
	free(host.name);
	return rc ? pl_err_nomem(err) : 0;
}

struct pl_matrix *pl_matrix_parse(struct pl_text *text,
				  const struct pl_matrix_options *options,
				  struct pl_err *err)
{
	(void)options;
	return pl_matrix_parse_own(text, err);
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
