/* SPDX-License-Identifier: BSD-3-Clause */
/* places-read.c - a file that says where hosts stand, of whatever form */
#include "config.h"

#include "topology/places.h"

#include "topology/told/told.h"

/* What a provider says of 100 000 machines, at 5 kB each. */
#define TEXT_MAX ((size_t)512 << 20)

int pl_places_parse(struct pl_places *p, struct pl_text *text,
		    struct pl_err *err)
{
	const struct pl_place whole = {.file = text->name};
	int rc = pl_told_plain(p, text, err);

	if (rc == 0 && p->n == 0)
		rc = pl_err_at(err, whole, "no host in this file");
	if (rc)
		pl_places_fini(p);
	return rc;
}

int pl_places_read(struct pl_places *p, const char *path, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	rc = pl_places_parse(p, &text, err);
	pl_text_fini(&text);
	return rc;
}
