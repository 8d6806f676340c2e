/* SPDX-License-Identifier: BSD-3-Clause */
/* child.h - run a program and read what it prints */
#ifndef PLINK_BASE_CHILD_H
#define PLINK_BASE_CHILD_H

#include "base/err.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum pl_child_stderr {
	PL_CHILD_STDERR_SHOWN,
	PL_CHILD_STDERR_DROPPED,
	PL_CHILD_STDERR_WITH_STDOUT,
};

struct pl_child_options {
	char *const *argv; /* searched along PATH: argv[0] */
	enum pl_child_stderr err_to;
	int64_t timeout_ns;
	const volatile sig_atomic_t *stop; /* NULL: never */
};

#define PL_CHILD_OUT_MAX (16u << 20)

/*
 * Runs the program with /dev/null as its standard input, waits for its end and
 * returns what it wrote to standard output: *len bytes at *out and a zero byte,
 * which the caller frees. *status is its exit status, 128 + the number of the
 * signal that ended it, or 127 if it is not installed or not executable.
 * 0; or -1 with @err set and *out NULL. PL_EPARTIAL: it ran longer than
 * timeout_ns, *stop became non-zero, or it printed more than PL_CHILD_OUT_MAX
 * bytes; PL_ESYSTEM: the system refused. The program and its process group are
 * then ended: SIGTERM first, SIGKILL after 5 seconds.
 */
int pl_child_run(const struct pl_child_options *options, char **out, size_t *len, int *status,
		 struct pl_err *err);

/* Ends a child that leads its process group, and that group, and collects it: SIGTERM first, as a
 * launcher may have ranks elsewhere to end, SIGKILL after 5 seconds. */
void pl_child_end(pid_t pid);

#endif
