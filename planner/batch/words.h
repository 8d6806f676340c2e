/* SPDX-License-Identifier: BSD-3-Clause */
/* words.h - words of lines: what readers of norms and of points share */
#ifndef PLINK_PLANNER_BATCH_WORDS_H
#define PLINK_PLANNER_BATCH_WORDS_H

#include "base/err.h"
#include "base/text/text.h"

#include <stdint.h>

/* "name=number", the number in [min, max]; a table of them ends with {0}. */
struct pl_batch_key {
	const char *name;
	double *to; /* NaN until it is given */
	double min, max;
};

/* A whole number in [min, max]. 0, or -1 with @err set (PL_EINPUT, and the place). */
int pl_batch_whole(struct pl_line *line, int64_t min, int64_t max, uint64_t *to,
		   struct pl_err *err);

/* All words that remain, each one of @keys, none twice. The same. */
int pl_batch_keys(struct pl_line *line, const struct pl_batch_key *keys, struct pl_err *err);

#endif
