/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - the reader of plink-stats(5) files */
#ifndef PLINK_ORDER_CALLS_STATS_H
#define PLINK_ORDER_CALLS_STATS_H

#include "base/err.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All calls of one class, of all processes together. */
struct pl_stats_line {
	char function[32], kind[16]; /* "allreduce", "blocking" */
	int64_t ranks, calls, bytes, processes;
	double seconds; /* of a process, the mean; NaN: not in the file */
};

/* Start with {0}, end with fini. Texts that are not in the file are empty. */
struct pl_stats {
	char by[64], mode[16], started[32];
	int64_t ranks; /* of the job; 0: not in the file */
	struct pl_stats_line *row;
	size_t n, room;
};

/* Does a text begin as such a file, in either form? */
bool pl_stats_is(const struct pl_text *text);

/* Reads the text. 0, or -1 with @err set: PL_EINPUT with the place. */
int pl_stats_parse(struct pl_stats *s, struct pl_text *text,
		   struct pl_err *err);
int pl_stats_read(struct pl_stats *s, const char *path, struct pl_err *err);

void pl_stats_fini(struct pl_stats *s);

#endif
