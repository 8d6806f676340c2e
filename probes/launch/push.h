/* SPDX-License-Identifier: BSD-3-Clause */
/* push.h - sends an agent to hosts that have none */
#ifndef PLINK_PROBES_LAUNCH_PUSH_H
#define PLINK_PROBES_LAUNCH_PUSH_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define PL_PUSH_BYTES_MAX (64u << 20)

struct pl_push {
	uint8_t *data; /* [len], the program */
	size_t len;
	char sha256[65];      /* of data, in hexadecimal */
	const char *machines; /* where it runs, see probes/launch/elf.h */
};

/* Reads a program and checks that it can run on hosts without plink. 0, or -1 with @err set and
 * *push empty: it cannot be read, is not a program, or needs shared libraries. */
int pl_push_load(struct pl_push *push, const char *path, struct pl_err *err);

void pl_push_fini(struct pl_push *push);

/*
 * Returns a command that reads the program's bytes from its standard input, checks them, and
 * becomes that program, with the arguments @args (words of a shell, none that need quotes) and the
 * rest of the input. It is one line for any shell and needs sh, ls, mktemp, head, sha256sum and
 * /proc. The file is private, loses its name before its first byte arrives, and is gone when the
 * program ends. Errors go to standard error. Malloc'd; NULL: out of memory.
 */
char *pl_push_command(const struct pl_push *push, const char *args);

#endif
