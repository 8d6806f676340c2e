/* SPDX-License-Identifier: BSD-3-Clause */
/* watcher.h - the capture on one host, as the one who started it sees it */
#ifndef PLINK_AUDIT_WATCHER_H
#define PLINK_AUDIT_WATCHER_H

#include "audit/watch.h"
#include "probes/launch/spawn.h"

#include <stdbool.h>
#include <stdio.h>

#define PL_WATCHER_LINE 4096

/* Fields are the module's own, but for those named. */
struct pl_watcher {
	const char *host;      /* borrowed */
	struct pl_child child; /* .out: -1 when it has ended */
	bool greeted;
	char addresses[PL_WATCHER_LINE]; /* by the greeting, blanks between */
	FILE *spool;                     /* what it captured */
	char line[PL_WATCHER_LINE];      /* the greeting as it comes */
	size_t n_line;
	char error[PL_WATCHER_LINE]; /* last line of its stderr */
	size_t n_error;
};

/* Starts it and hands it the list of hosts. 0, or -1 with @err set and nothing
 * to release. */
int pl_watcher_start(struct pl_watcher *w, const struct pl_watch_options *o,
		     const struct pl_job *job, size_t node, struct pl_err *err);

/* Takes what it has written. 0, or -1 with @err set. */
int pl_watcher_read(struct pl_watcher *w, struct pl_err *err);
void pl_watcher_read_errors(struct pl_watcher *w,
			    void (*log)(const char *host, const char *line));

void pl_watcher_close_input(struct pl_watcher *w);

/* Waits for its end, which its output has announced. 0, also where it lost
 * packets, or -1 with @err set: it failed, or does not end. */
int pl_watcher_reap(struct pl_watcher *w, struct pl_err *err);

/* -1 with @err saying that it is lost, and what it said last. */
int pl_watcher_lost(struct pl_watcher *w, struct pl_err *err);

/* Ends it, by force where it still runs at that time (pl_clock_ns), and
 * releases all. */
void pl_watcher_fini(struct pl_watcher *w, int64_t until_ns);

#endif
