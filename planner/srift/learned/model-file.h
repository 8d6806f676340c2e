/* SPDX-License-Identifier: BSD-3-Clause */
/* model-file.h - shared by the writer and the reader of a bandwidth model */
#ifndef PLINK_PLANNER_SRIFT_LEARNED_MODEL_FILE_H
#define PLINK_PLANNER_SRIFT_LEARNED_MODEL_FILE_H

#include "planner/srift/learned/learned.h"

#include <jansson.h>

#define PL_MODEL_MAGIC "plink-srift-model"
#define PL_MODEL_DIGEST_CHARS (7 + 2 * 32 + 1)

struct pl_model_piece {
	const char *s;
	size_t len;
};

/* "sha256:..." of n pieces in a row. 0, or -1 with @err set. */
int pl_model_digest(char out[PL_MODEL_DIGEST_CHARS],
		    const struct pl_model_piece *piece, size_t n,
		    struct pl_err *err);

/* Names by text feature, in the order of their numbers; NULL: no memory. */
json_t *pl_model_categories(const struct pl_learned *m);

#endif
