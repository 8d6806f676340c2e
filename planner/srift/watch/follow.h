/* SPDX-License-Identifier: BSD-3-Clause */
/* follow.h - reads lines of a growing file or of a pipe as they appear */
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
	const char *path;              /* "-": standard input; NULL: no input */
	int fd;                        /* -1: not there yet, or ended */
	bool pipe;                     /* can be polled; cannot be read again */
	bool ended;                    /* standard input that has ended */
	struct pl_journal_place place; /* behind the last whole line */
	uint64_t offset;               /* bytes read */
	struct pl_progress_lines lines;
	size_t len, used; /* of buf */
	char buf[4096];
};

/* @place: how far an earlier watch had read in a regular file; {0}: from the beginning. */
void pl_follow_init(struct pl_follow *f, const char *path, const struct pl_journal_place *place);
void pl_follow_fini(struct pl_follow *f);

/*
 * Reads the next line: returns 1 and fills *p; 0 if no line is there now; -1 with @err set: the
 * line was not understood (PL_EINPUT; the next call reads on), or the file cannot be read. A file
 * that does not exist yet is waited for. If the file was replaced, or became shorter than what was
 * read, it is read from its beginning.
 */
int pl_follow_next(struct pl_follow *f, struct pl_said *p, struct pl_err *err);

/* Heartbeats by files: the modification time of DIR/HOST changes. Start with {0}. */
struct pl_beats {
	struct timespec *seen; /* [n], by node */
	size_t n;
};

/* Sets beat_s of all machines that are UP and whose file changed since the last call. Only changes
 * of the time count, because the file may have the clock of another machine. 0, or -1: out of
 * memory. */
int pl_beats_look(struct pl_beats *beats, const char *dir, struct pl_nodes *nodes, double now_s);
void pl_beats_fini(struct pl_beats *beats);

#endif
