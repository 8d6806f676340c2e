/* SPDX-License-Identifier: BSD-3-Clause */
/* command.h - the command of a job that runs during a capture */
#ifndef PLINK_AUDIT_COMMAND_H
#define PLINK_AUDIT_COMMAND_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Where the command's standard output goes. */
enum pl_command_out { PL_COMMAND_OUT_SAME, PL_COMMAND_OUT_STDERR };

struct pl_command {
	pid_t pid;  /* 0: it does not run */
	int status; /* after its end: exit status, or 128 + signal */
};

/* Starts argv[0], which is searched in PATH, in our process group, so that a
 * terminal's Ctrl-C reaches it too. 0, or -1 with @err set. */
int pl_command_start(struct pl_command *c, char *const *argv, enum pl_command_out out,
		     struct pl_err *err);

/* Has the command ended, or was it never started? Does not wait. */
bool pl_command_has_ended(struct pl_command *c);

/* Ends the command if it still runs and waits for its end: SIGTERM, and SIGKILL
 * after 10 s. */
void pl_command_stop(struct pl_command *c);

#endif
