/* SPDX-License-Identifier: BSD-3-Clause */
/* starter.h - shared by the tools that follow a plan and then become another command */
#ifndef PLINK_SRC_COMMON_STARTER_H
#define PLINK_SRC_COMMON_STARTER_H

/* The exit statuses of env(1), which are not mistaken for those of the
 * command. */
enum pl_starter_exit {
	PL_STARTER_FAILED = 125,
	PL_STARTER_NOT_EXECUTABLE = 126,
	PL_STARTER_NOT_FOUND = 127,
};

/* Sets *plan, which an option gave (or NULL), to PLINK_PLAN if it is NULL. 0, or PL_STARTER_FAILED,
 * after a message, if there is none or it is standard input. */
int pl_starter_plan(const char *tool, const char **plan);

/* Executes the command in place of this process. Returns only if that fails: the exit status, after
 * a message. */
int pl_starter_become(const char *tool, char *const *command);

#endif
