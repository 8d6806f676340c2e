/* SPDX-License-Identifier: BSD-3-Clause */
/* nocore.h - no core file while there is a secret in memory */
#ifndef PLINK_BASE_NOCORE_H
#define PLINK_BASE_NOCORE_H

#include <stdbool.h>
#include <sys/resource.h>

/* The limit of core files before. */
struct pl_nocore {
	bool changed;
	rlim_t soft; /* RLIMIT_CORE, bytes */
};

/* From here on neither this process nor those it starts leave a core file or pass one to a program
 * (core(5)). Does nothing if the limit cannot be read. */
void pl_nocore_begin(struct pl_nocore *before);

/* Restores the limit. Does nothing for {0}, with which nothing was begun. */
void pl_nocore_end(const struct pl_nocore *before);

#endif
