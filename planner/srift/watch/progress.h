/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - what a job says of itself: lines of plink-srift(1), "watch" */
#ifndef PLINK_PLANNER_SRIFT_WATCH_PROGRESS_H
#define PLINK_PLANNER_SRIFT_WATCH_PROGRESS_H

#include "base/err.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_HOST_NAME_MAX 255
#define PL_PROGRESS_ITERATION_MAX 1000000000000000
#define PL_PROGRESS_DOLLARS_MAX 1e12

enum pl_progress_kind {
	PL_PROGRESS_NOTHING,    /* a blank line, a comment */
	PL_PROGRESS_ITERATION,  /* so many are finished */
	PL_PROGRESS_CHECKPOINT, /* so many of them are saved */
	PL_PROGRESS_DOLLARS,    /* so much is spent until now, by the bill */
	PL_PROGRESS_HEARTBEAT,  /* the host lives */
	PL_PROGRESS_LOST,       /* the host is gone, or told that it will be */
	PL_PROGRESS_DONE,       /* the job is finished, whatever was counted */
};

struct pl_said {
	enum pl_progress_kind kind;
	uint64_t iterations; /* ITERATION, CHECKPOINT */
	double dollars;
	char host[PL_HOST_NAME_MAX + 1]; /* HEARTBEAT, LOST */
};

/* Is it a name that a host may have here: letters, digits and any of ._:-, not
 * beginning with '-', at most PL_HOST_NAME_MAX? Safe in a file name, too. */
bool pl_host_name_is_good(const char *s, size_t len);

/* Reads a line. 0, or -1 with @err set (PL_EINPUT, with the place). */
int pl_progress_parse(struct pl_said *p, struct pl_line *line,
		      struct pl_err *err);

#define PL_PROGRESS_LINE_MAX 1024

/* Bytes as they come, put together to lines. Start with {.file = name}. */
struct pl_progress_lines {
	const char *file; /* for messages */
	long number;      /* of the line under way, from 1; 0: none yet */
	size_t len;
	bool too_long; /* the line under way: its rest is passed over */
	char buf[PL_PROGRESS_LINE_MAX];
};

/*
 * Takes bytes up to the end of the next line and reads it: returns how many it
 * took. *status is 1 where *p was filled, 0 where the line goes on, -1 with
 * @err set where it was not understood. A line without its end is not read.
 */
size_t pl_progress_feed(struct pl_progress_lines *lines, const char *data,
			size_t len, struct pl_said *p, int *status,
			struct pl_err *err);

#endif
