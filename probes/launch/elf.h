/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.h - where a program can run, according to its ELF header */
#ifndef PLINK_PROBES_LAUNCH_ELF_H
#define PLINK_PROBES_LAUNCH_ELF_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct pl_elf {
	/* "uname -m" of the machines it runs on, as a pattern for the shell's case; "*" for an
	 * unknown machine; static */
	const char *machines;
	bool dynamic; /* names a loader, so it needs shared libraries */
};

/* Reads the header of the program data[len]. 0, or -1 with @err set (PL_EINPUT): it is not a
 * program. */
int pl_elf_read(struct pl_elf *elf, const void *data, size_t len, struct pl_err *err);

#endif
