/* SPDX-License-Identifier: BSD-3-Clause */
/* starter.h - what tools share that follow a plan and become another command */
#ifndef PLINK_SRC_COMMON_STARTER_H
#define PLINK_SRC_COMMON_STARTER_H

#include <sys/resource.h>

/* As of env(1) and its like: so that they are not taken for the command's. */
enum pl_starter_exit {
	PL_STARTER_FAILED = 125,
	PL_STARTER_NOT_EXECUTABLE = 126,
	PL_STARTER_NOT_FOUND = 127,
};

/* The plan that an option named (*plan; NULL: none), else PLINK_PLAN. 0, or
 * PL_STARTER_FAILED where there is none or it is standard input, which is
 * said. */
int pl_starter_plan(const char *tool, const char **plan);

/* Becomes the command, with the limit of open files that @files has; returns
 * only where it cannot, which is said, with the exit status. */
int pl_starter_become(const char *tool, char *const *command,
		      const struct rlimit *files);

#endif
