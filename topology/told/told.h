/* SPDX-License-Identifier: BSD-3-Clause */
/* told.h - the forms in which somebody tells where hosts stand */
#ifndef PLINK_TOPOLOGY_TOLD_TOLD_H
#define PLINK_TOPOLOGY_TOLD_TOLD_H

#include "src/err.h"
#include "src/text.h"
#include "topology/places.h"

#include <stdbool.h>

/*
 * A reader of one form of text: adds its hosts to @p, which is empty. 0, or -1
 * with @err set; the caller clears @p then. Lines are read from the start.
 */
typedef int pl_told_reader(struct pl_places *p, struct pl_text *text,
			   struct pl_err *err);

pl_told_reader pl_told_plain; /* "host label/label" a line */

/* Is it of that form, by the first line that says something? */
typedef bool pl_told_test(const struct pl_line *line);

#endif
