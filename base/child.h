/* SPDX-License-Identifier: BSD-3-Clause */
/* child.h - run a program and read what it prints */
#ifndef PLINK_BASE_CHILD_H
#define PLINK_BASE_CHILD_H

#include "base/err.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

enum pl_child_stderr {
	PL_CHILD_STDERR_SHOWN,
	PL_CHILD_STDERR_DROPPED,
	PL_CHILD_STDERR_WITH_STDOUT,
};

struct pl_child_options {
	char *const *argv; /* argv[0] is looked for along PATH */
	enum pl_child_stderr err_to;
	int64_t timeout_ns;
	const volatile sig_atomic_t *stop; /* NULL: never */
};

#define PL_CHILD_OUT_MAX (16u << 20)

/*
 * Runs the program with nothing on stdin, waits for its end and gives what
 * it wrote to stdout: *out, *len bytes and a zero, the caller's to free.
 * *status is its exit status, 128 + signal, or 127 where it is not installed.
 * 0, or -1 with @err set: it ran too long or was stopped (and is killed with
 * its process group), printed more than PL_CHILD_OUT_MAX, or the system
 * refused.
 */
int pl_child_run(const struct pl_child_options *options, char **out,
		 size_t *len, int *status, struct pl_err *err);

#endif
