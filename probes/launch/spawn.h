/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.h - starts a command as a process with pipes */
#ifndef PLINK_PROBES_LAUNCH_SPAWN_H
#define PLINK_PROBES_LAUNCH_SPAWN_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A started command and this side's ends of its three pipes, which are non-blocking and not
 * inherited by others. The process leads a process group of its own. */
struct pl_child {
	pid_t pid;
	int in, out, err; /* write its input; read its output, its errors */
};

/* Closes a pipe of it, if it is open: *fd becomes -1. */
void pl_child_close(int *fd);

/* Writes as much of (*data)[*len] as @fd takes and moves both on. -1: nobody reads any more; else
 * 0. */
int pl_child_push(int fd, const uint8_t **data, size_t *len);

/* Raises the soft limit of open files, where needed and as far as the hard one allows, for the
 * pipes of @n children. poll() takes as many, too. Not before this is known: launchers are known to
 * close every descriptor that there might be. */
void pl_child_allow(size_t n);

/* Starts argv[0], looked up in PATH. 0, or -1 with @err set. */
int pl_launch_spawn(struct pl_child *child, char *const argv[], struct pl_err *err);

#endif
