/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - the reader of plink-stats(5) files */
#ifndef PLINK_JOB_STATS_H
#define PLINK_JOB_STATS_H

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
	/* index of its communicator, or one of these */
	size_t group;
};

#define PL_STATS_WORLD SIZE_MAX         /* all ranks in their order */
#define PL_STATS_UNKNOWN (SIZE_MAX - 1) /* it is not in the file */

struct pl_stats_members {
	uint32_t *rank; /* [n] of the job, in the communicator's order */
	size_t n;
};

/* A communicator of which the file of a process tells what that one knows. */
struct pl_stats_member {
	char id[24];         /* the same in the files of all its ranks */
	int64_t rank, ranks; /* ranks 0: not known */
	char name[64];
};

/* What a process has sent to a rank of a communicator. */
struct pl_stats_message {
	size_t member; /* index of the communicator */
	int64_t rank, calls, bytes;
};

/* Start with {0}, end with fini. Texts that are not in the file are empty. */
struct pl_stats {
	char by[64], mode[16], started[32];
	int64_t ranks; /* of the job; 0: not in the file */
	int64_t rank;  /* of the process in it; -1: not in the file */
	struct pl_stats_line *row;
	size_t n, room;
	struct pl_stats_members *group; /* communicator g + 1 of the file */
	size_t n_groups, group_room;
	/* of the file of a process, where it has communicator g + 1 so */
	struct pl_stats_member *member;
	size_t n_members, member_room;
	struct pl_stats_message *message;
	size_t n_messages, message_room;
};

/* Does a text begin as such a file, in either form? */
bool pl_stats_is(const struct pl_text *text);

/* Reads the text. 0, or -1 with @err set: PL_EINPUT with the place. */
int pl_stats_parse(struct pl_stats *s, struct pl_text *text, struct pl_err *err);
int pl_stats_read(struct pl_stats *s, const char *path, struct pl_err *err);

void pl_stats_fini(struct pl_stats *s);

#endif
