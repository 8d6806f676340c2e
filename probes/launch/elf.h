/* SPDX-License-Identifier: BSD-3-Clause */
/* elf.h - where a program can run, as its header tells */
#ifndef PLINK_PROBES_LAUNCH_ELF_H
#define PLINK_PROBES_LAUNCH_ELF_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct pl_elf {
	/* what "uname -m" says where it runs, a pattern of the shell's case;
	 * "*" for a machine we do not know; static */
	const char *machines;
	bool dynamic; /* names a loader, so needs its libraries */
};

/* Reads the header of the program data[len]. 0, or -1 with @err set
 * (PL_EINPUT): it is no program. */
int pl_elf_read(struct pl_elf *elf, const void *data, size_t len,
		struct pl_err *err);

#endif
