/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn.h - start a program */
#ifndef PLINK_BASE_SPAWN_H
#define PLINK_BASE_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

enum {
	PL_SPAWN_SAME = -1, /* the descriptor that we have */
	PL_SPAWN_NULL = -2, /* /dev/null */
};

struct pl_spawn {
	char *const *argv; /* argv[0] is looked for in PATH */
	char *const *env;  /* NULL: our own environment */
	/* The program's standard descriptors: PL_SPAWN_SAME, PL_SPAWN_NULL or
	 * a descriptor of ours. They are set in this order: fd[2] = 1 is what
	 * the program has as standard output. */
	int fd[3];
	/* A process group of its own, which a terminal's Ctrl-C does not
	 * reach, and in which it ends the program if we pass it on. */
	bool own_group;
};

/* Starts the program with no signal blocked and SIGPIPE not ignored. 0 and *pid, or an errno. */
int pl_spawn(const struct pl_spawn *s, pid_t *pid);

#endif
