/* SPDX-License-Identifier: BSD-3-Clause */
/* command.h - the job that is watched while it runs */
#ifndef PLINK_AUDIT_COMMAND_H
#define PLINK_AUDIT_COMMAND_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Where its standard output goes. */
enum pl_command_out { PL_COMMAND_OUT_SAME, PL_COMMAND_OUT_STDERR };

struct pl_command {
	pid_t pid;  /* 0: none runs */
	int status; /* at its end: exit status, or 128 + signal */
};

/* Starts argv[0], looked up in PATH, in our process group: a terminal's Ctrl-C
 * reaches it, too. 0, or -1 with @err set. */
int pl_command_start(struct pl_command *c, char *const *argv,
		     enum pl_command_out out, struct pl_err *err);

/* Has it ended (or never been started)? Does not wait. */
bool pl_command_has_ended(struct pl_command *c);

/* Ends it: politely, and after a while not. */
void pl_command_stop(struct pl_command *c);

#endif
