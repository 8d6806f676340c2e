/* SPDX-License-Identifier: BSD-3-Clause */
/* watcher.h - the capture on one host, as seen by the process that started
 * it */
#ifndef PLINK_AUDIT_WATCHER_H
#define PLINK_AUDIT_WATCHER_H

#include "audit/watch.h"
#include "base/text/outfile.h"
#include "probes/launch/spawn.h"

#include <stdbool.h>
#include <stdio.h>

#define PL_WATCHER_LINE 4096

/* Private, except host, child, greeted, addresses and spool. */
struct pl_watcher {
	const char *host;      /* borrowed */
	struct pl_child child; /* .out: -1 when the capture has ended */
	bool greeted;
	/* from the greeting, with blanks between */
	char addresses[PL_WATCHER_LINE];
	FILE *spool;                /* the captured packets */
	struct pl_outfile kept;     /* the same file, if it gets a name */
	char line[PL_WATCHER_LINE]; /* the part of the greeting that has come */
	size_t n_line;
	char error[PL_WATCHER_LINE]; /* last line of its stderr */
	size_t n_error;
};

/* Starts the capture of @node and sends it the list of hosts. 0, or -1 with
 * @err set and nothing to release. */
int pl_watcher_start(struct pl_watcher *w, const struct pl_watch_options *o,
		     const struct pl_placement *job, size_t node, struct pl_err *err);

/* Read what the capture has written to its standard output, and to its standard
 * error; call them when poll() says so. 0, or -1 with @err set. Each complete
 * line of standard error goes to @log, if that is not NULL. */
int pl_watcher_read(struct pl_watcher *w, struct pl_err *err);
void pl_watcher_read_errors(struct pl_watcher *w, void (*log)(const char *host, const char *line));

/* Names the file of captured packets, if it is to be kept; the one that had the
 * name until now is replaced. 0, or -1 with @err set. */
int pl_watcher_keep(struct pl_watcher *w, struct pl_err *err);

void pl_watcher_close_input(struct pl_watcher *w);

/* Waits for the end of a capture whose output has ended. 0, also if it lost
 * packets; -1 with @err set if it failed or does not end. */
int pl_watcher_reap(struct pl_watcher *w, struct pl_err *err);

/* Sets @err to the message that the capture has ended, with the last line of
 * its standard error. Always -1. */
int pl_watcher_lost(struct pl_watcher *w, struct pl_err *err);

/* Ends the capture, by force if it still runs at the time @until_ns
 * (pl_clock_ns), and releases everything. */
void pl_watcher_fini(struct pl_watcher *w, int64_t until_ns);

#endif
