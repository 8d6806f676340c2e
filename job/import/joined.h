/* SPDX-License-Identifier: BSD-3-Clause */
/* joined.h - files of processes that only together tell who is in a communicator */
#ifndef PLINK_JOB_IMPORT_JOINED_H
#define PLINK_JOB_IMPORT_JOINED_H

#include "base/err.h"
#include "job/stats.h"

#include <stddef.h>

struct pl_joined_file {
	struct pl_stats stats;
	char *name;
	double n_steps; /* 0: not given */
};

/* Start with {0}, end with fini. */
struct pl_joined {
	struct pl_joined_file *file;
	size_t n, room;
};

/* Adds the file @name, whose content @stats it takes: {0} afterwards. 0, or -1: out of memory. */
int pl_joined_take(struct pl_joined *joined, const char *name, struct pl_stats *stats,
		   double n_steps);

/*
 * When all files are there: fills in the group of each file's communicators, with no members if a
 * rank of it has no file; and the ranks of rows that lack them. 0, or -1 with @err set: PL_EINPUT
 * if the rank of a process is unknown, or it has several of one communicator; PL_ESYSTEM.
 */
int pl_joined_fill(struct pl_joined *joined, struct pl_err *err);

void pl_joined_fini(struct pl_joined *joined);

#endif
