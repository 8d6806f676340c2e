/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.h - runs commands of the user, several at once */
#ifndef PLINK_PLANNER_SRIFT_WATCH_HOOKS_H
#define PLINK_PLANNER_SRIFT_WATCH_HOOKS_H

#include "base/err.h"
#include "base/text/text.h"
#include "base/text/words.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define PL_HOOK_OUT_MAX ((size_t)1 << 20)

/* Time between SIGTERM and SIGKILL. */
#define PL_HOOK_GRACE_NS INT64_C(5000000000)

/* A running command. It leads its own process group, its standard input is /dev/null, and it shares
 * our standard error. Times are of a monotonic clock of the caller. */
struct pl_hook {
	pid_t pid;      /* 0: none */
	int out;        /* an unnamed file that gets its standard output */
	int64_t end_ns; /* SIGTERM at this time, SIGKILL later */
	bool expired;
};

/* The result of a command. End with pl_text_fini(). */
struct pl_hook_end {
	int status;   /* exit status, or 128 + signal */
	bool expired; /* it ran past end_ns and was ended */
	struct pl_text output;
};

/* Starts `/bin/sh -c @command` with the strings of @env ("NAME=VALUE") added to our environment.
 * Background processes that it leaves do not delay its end. 0, or -1 with @err set. */
int pl_hook_start(struct pl_hook *h, const char *command, const struct pl_words *env,
		  int64_t end_ns, struct pl_err *err);

/* Has the command ended? Returns 1 and fills *end; 0: not yet (after its end_ns it is sent SIGTERM,
 * later SIGKILL); -1 with @err set: it ended, but its output cannot be read (@name is for
 * messages). */
int pl_hook_poll(struct pl_hook *h, const char *name, int64_t now_ns, struct pl_hook_end *end,
		 struct pl_err *err);

/* Reads the machines that a launch printed, one name a line; blank lines and comments (#) are
 * skipped. 0, or -1 with @err set and the names before the error in @names. */
int pl_hook_names(struct pl_text *output, struct pl_words *names, struct pl_err *err);

/* Finds the number of the last line "checkpoint N"; other lines are skipped. Returns true if there
 * was one. */
bool pl_hook_saved(struct pl_text *output, uint64_t *iterations);

#endif
