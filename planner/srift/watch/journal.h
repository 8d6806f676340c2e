/* SPDX-License-Identifier: BSD-3-Clause */
/* journal.h - a record of what a watch did, so that another watch can
 * continue */
#ifndef PLINK_PLANNER_SRIFT_WATCH_JOURNAL_H
#define PLINK_PLANNER_SRIFT_WATCH_JOURNAL_H

#include "base/err.h"
#include "planner/srift/watch/watch.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* How far the progress of a job had been read. */
struct pl_journal_place {
	uint64_t inode; /* 0: not at all */
	uint64_t offset;
};

/* The contents of the last line of a journal. */
struct pl_journal_end {
	bool found;                      /* the journal has a line */
	bool cut;                        /* the last line was incomplete and is ignored */
	double began_s;                  /* begin by the wall clock, since 1970 */
	double at_s;                     /* time of the job */
	char host[PL_HOST_NAME_MAX + 1]; /* of its event; empty: none */
	uint64_t iterations;
	double time_scale;
	struct pl_journal_place progress;
};

/* An event as a JSON object, without the state; owned by the caller. NULL: out of memory. */
json_t *pl_watch_event_json(const struct pl_srift_watch *w, const struct pl_watch_event *event);

/* Reads the file @path, if it exists, and restores its last state into @w (from pl_watch_init()).
 * 0, or -1 with @err set. */
int pl_journal_read(const char *path, struct pl_srift_watch *w, struct pl_journal_end *end,
		    struct pl_err *err);

/* The same for a text in memory. */
int pl_journal_parse(struct pl_text *text, struct pl_srift_watch *w, struct pl_journal_end *end,
		     struct pl_err *err);

/* A journal open for writing. The file is locked: one writer at a time. */
struct pl_journal {
	int fd; /* -1: closed */
	const char *path;
};

/* Opens or creates the file, to append to it. 0, or -1 with @err set: PL_EPARTIAL if another watch
 * has it locked. */
int pl_journal_open(struct pl_journal *j, const char *path, struct pl_err *err);

/* Removes an incomplete last line. */
int pl_journal_mend(struct pl_journal *j, struct pl_err *err);

/* Appends the line {"journal": 1, "at": ..., event, "state": ...} and waits until it is on disk. 0,
 * or -1 with @err set. */
int pl_journal_write(struct pl_journal *j, const struct pl_srift_watch *w,
		     const struct pl_watch_event *event, const struct pl_journal_end *end,
		     struct pl_err *err);
void pl_journal_close(struct pl_journal *j);

#endif
