/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.h - lines of a file that grows, or of a pipe, as they come */
#ifndef PLINK_PLANNER_SRIFT_WATCH_FOLLOW_H
#define PLINK_PLANNER_SRIFT_WATCH_FOLLOW_H

#include "planner/srift/watch/journal.h"
#include "planner/srift/watch/nodes.h"
#include "planner/srift/watch/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* Start with pl_follow_init(), end with fini. */
struct pl_follow {
	const char *path; /* "-": standard input; NULL: nothing is followed */
	int fd;           /* -1: not there yet, or at its end */
	bool pipe;        /* it can be polled, and nothing of it comes again */
	bool ended;       /* standard input that has ended */
	struct pl_journal_place place; /* behind the last whole line */
	uint64_t offset;               /* read */
	struct pl_progress_lines lines;
	size_t len, used; /* of buf */
	char buf[4096];
};

/* @place: where a former watch had got to in a regular file; {0}: the
 * beginning. */
void pl_follow_init(struct pl_follow *f, const char *path,
		    const struct pl_journal_place *place);
void pl_follow_fini(struct pl_follow *f);

/*
 * The next line: 1 and *p; 0: none is there now; -1 with @err set: a line that
 * was not understood (PL_EINPUT; the next may be asked for), or the file cannot
 * be read. A file that is not there yet is waited for. One that was replaced by
 * another, or became shorter than what was read, is read from its beginning.
 */
int pl_follow_next(struct pl_follow *f, struct pl_said *p, struct pl_err *err);

/* Signs of life by files: DIR/HOST, whose time of change moves. Start with
 * {0}. */
struct pl_beats {
	struct timespec *seen; /* [n], by node */
	size_t n;
};

/* Sets beat_s of all machines that are UP and whose file was changed since the
 * last call (not: since a time that another machine's clock has). 0, or -1: no
 * memory. */
int pl_beats_look(struct pl_beats *beats, const char *dir,
		  struct pl_nodes *nodes, double now_s);
void pl_beats_fini(struct pl_beats *beats);

#endif
