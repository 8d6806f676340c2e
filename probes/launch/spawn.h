/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.h - starts a command as a process with pipes */
#ifndef PLINK_PROBES_LAUNCH_SPAWN_H
#define PLINK_PROBES_LAUNCH_SPAWN_H

#include "base/err.h"

#include <sys/types.h>

/* A started command and this side's ends of its three pipes, which are
 * non-blocking and not inherited by others. The process leads a process group
 * of its own. */
struct pl_child {
	pid_t pid;
	int in, out, err; /* write its input; read its output, its errors */
};

/* Starts argv[0], looked up in PATH. Raises the soft limit of open files where
 * that is needed. 0, or -1 with @err set. */
int pl_launch_spawn(struct pl_child *child, char *const argv[],
		    struct pl_err *err);

#endif
