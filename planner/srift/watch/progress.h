/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.h - progress lines of a job, see plink-srift(1), "watch" */
#ifndef PLINK_PLANNER_SRIFT_WATCH_PROGRESS_H
#define PLINK_PLANNER_SRIFT_WATCH_PROGRESS_H

#include "base/err.h"
#include "base/hosts/hosts.h"
#include "base/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_PROGRESS_ITERATION_MAX 1000000000000000
#define PL_PROGRESS_DOLLARS_MAX 1e12
#define PL_PROGRESS_SECONDS_MAX 1e9

enum pl_progress_kind {
	PL_PROGRESS_NOTHING,    /* a blank line, a comment */
	PL_PROGRESS_ITERATION,  /* number of iterations finished */
	PL_PROGRESS_CHECKPOINT, /* number of iterations saved */
	PL_PROGRESS_DOLLARS,    /* dollars spent until now, by the bill */
	PL_PROGRESS_GAIN,       /* of another order of the machines */
	PL_PROGRESS_HEARTBEAT,  /* the host is alive */
	PL_PROGRESS_LOST,       /* the host is gone, or will be soon */
	PL_PROGRESS_PROVISION,  /* the host, whose launch is under way */
	PL_PROGRESS_STAGE,      /* the same */
	PL_PROGRESS_PACE,       /* seconds of an iteration on the host alone */
	PL_PROGRESS_DONE,       /* the job is finished, whatever its count */
};

struct pl_said {
	enum pl_progress_kind kind;
	uint64_t iterations; /* ITERATION, CHECKPOINT */
	double dollars;
	double percent;                  /* GAIN: of the time of an iteration */
	double seconds;                  /* PACE */
	char host[PL_HOST_NAME_MAX + 1]; /* HEARTBEAT to PACE */
};

/* Is it a valid host name here: 1 to PL_HOST_NAME_MAX letters, digits and any of ._:-, not
 * beginning with '-'? Such names are safe in file names, too. */
bool pl_host_name_is_good(const char *s, size_t len);

/* Reads a line. 0, or -1 with @err set (PL_EINPUT, with the place). */
int pl_progress_parse(struct pl_said *p, struct pl_line *line, struct pl_err *err);

#define PL_PROGRESS_LINE_MAX 1024

/* Assembles lines from bytes as they arrive. Start with {.file = name}. */
struct pl_progress_lines {
	const char *file; /* for messages */
	long number;      /* of the current line, from 1; 0: none yet */
	size_t len;
	bool too_long; /* the rest of the current line is skipped */
	char buf[PL_PROGRESS_LINE_MAX];
};

/*
 * Takes bytes up to the end of the next line and reads the line. Returns the number of bytes taken.
 * *status is 1 if *p was filled, 0 if the line is not complete yet, -1 with @err set if the line
 * was not understood. A last line without a line end is not read.
 */
size_t pl_progress_feed(struct pl_progress_lines *lines, const char *data, size_t len,
			struct pl_said *p, int *status, struct pl_err *err);

#endif
