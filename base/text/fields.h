/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.h - lines of comma-separated values, cut into their fields */
#ifndef PLINK_BASE_TEXT_FIELDS_H
#define PLINK_BASE_TEXT_FIELDS_H

#include "base/err.h"
#include "base/text/text.h"

#include <stdbool.h>

/* A line being cut at its commas, or at another separator. Start with {.line, .more = true}. */
struct pl_fields {
	struct pl_line line;
	bool more;      /* another field follows, perhaps an empty one */
	char separator; /* 0: a comma */
};

/*
 * Takes the next field. 1; 0 at the end of the line; -1 with @err set: a quote is not closed, or
 * text follows it. Blanks around a field and quotes ("...") around its text are not part of it;
 * doubled quotes are left as they are. The field borrows from the text.
 */
int pl_fields_next(struct pl_fields *f, struct pl_word *field, struct pl_err *err);

#endif
