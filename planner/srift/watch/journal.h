/* SPDX-License-Identifier: BSD-3-Clause */
/* journal.h - what a watch did, line by line, so that another can go on */
#ifndef PLINK_PLANNER_SRIFT_WATCH_JOURNAL_H
#define PLINK_PLANNER_SRIFT_WATCH_JOURNAL_H

#include "base/err.h"
#include "planner/srift/watch/watch.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Where a job's progress had been read to. */
struct pl_journal_place {
	uint64_t inode; /* 0: nowhere */
	uint64_t offset;
};

/* What the last line of a journal says. */
struct pl_journal_end {
	bool found;     /* there was a line */
	bool cut;       /* the last one was not whole, and is left out */
	double began_s; /* of the wall clock, since 1970 */
	double at_s;    /* of the job */
	uint64_t iterations;
	double time_scale;
	struct pl_journal_place progress;
};

/* Events as JSON: the object, without the state; the caller's, NULL: no
 * memory. */
json_t *pl_watch_event_json(const struct pl_srift_watch *w,
			    const struct pl_watch_event *event);

/* Reads the file @path, if there is one, and sets @w (from pl_watch_init()) to
 * what it ends with. 0, or -1 with @err set. */
int pl_journal_read(const char *path, struct pl_srift_watch *w,
		    struct pl_journal_end *end, struct pl_err *err);

/* The same of a text in memory. */
int pl_journal_parse(struct pl_text *text, struct pl_srift_watch *w,
		     struct pl_journal_end *end, struct pl_err *err);

/* One who writes at a time: the file is locked. */
struct pl_journal {
	int fd; /* -1: closed */
	const char *path;
};

/* Opens it to go on behind its last whole line, made if it is not there. 0, or
 * -1 with @err set: PL_EPARTIAL where another watch has it. */
int pl_journal_open(struct pl_journal *j, const char *path, struct pl_err *err);

/* Cuts off a last line that is not whole. */
int pl_journal_mend(struct pl_journal *j, struct pl_err *err);

/* Adds the line {"journal": 1, "at": ..., event, "state": ...} and waits until
 * the disk has it. 0, or -1 with @err set. */
int pl_journal_write(struct pl_journal *j, const struct pl_srift_watch *w,
		     const struct pl_watch_event *event,
		     const struct pl_journal_end *end, struct pl_err *err);
void pl_journal_close(struct pl_journal *j);

#endif
