/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.h - commands of the user's own, run beside one another */
#ifndef PLINK_PLANNER_SRIFT_WATCH_HOOKS_H
#define PLINK_PLANNER_SRIFT_WATCH_HOOKS_H

#include "base/err.h"
#include "base/text/text.h"
#include "base/text/words.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define PL_HOOK_OUT_MAX ((size_t)1 << 20)

/* Between asking a hook to end and ending it. */
#define PL_HOOK_GRACE_NS INT64_C(5000000000)

/* A command under way: it leads a process group of its own, reads nothing, and
 * its standard error is ours. Times are of a monotonic clock, the caller's. */
struct pl_hook {
	pid_t pid;      /* 0: none */
	int out;        /* an unnamed file with its standard output */
	int64_t end_ns; /* it is asked to end then, and later ended */
	bool expired;
};

/* How it ended. End with pl_text_fini(). */
struct pl_hook_end {
	int status;   /* exit status, or 128 + signal */
	bool expired; /* it had to be ended */
	struct pl_text output;
};

/*
 * Starts `/bin/sh -c @command` with the strings of @env ("NAME=VALUE") added to
 * our environment. What it leaves in the background does not keep it from
 * ending. 0, or -1 with @err set.
 */
int pl_hook_start(struct pl_hook *h, const char *command,
		  const struct pl_words *env, int64_t end_ns,
		  struct pl_err *err);

/* Has it ended? 1 and *end; 0: not yet, and where its time is over it is asked,
 * then made, to end; -1 with @err set: it ended, but its output cannot be had
 * (@name is for messages). */
int pl_hook_poll(struct pl_hook *h, const char *name, int64_t now_ns,
		 struct pl_hook_end *end, struct pl_err *err);

/* The machines that a launch names, a line each; blank lines and comments (#)
 * do not count. 0, or -1 with @err set and the names up to there in @names. */
int pl_hook_names(struct pl_text *output, struct pl_words *names,
		  struct pl_err *err);

/* The number of the last line "checkpoint N", all others are passed over. Was
 * there one? */
bool pl_hook_saved(struct pl_text *output, uint64_t *iterations);

#endif
