/* SPDX-License-Identifier: BSD-3-Clause */
/* nocore.h - no core file while there is a secret in memory */
#ifndef PLINK_BASE_NOCORE_H
#define PLINK_BASE_NOCORE_H

#include <stdbool.h>
#include <sys/resource.h>

/* What the process might write before. */
struct pl_nocore {
	bool changed;
	rlim_t soft; /* RLIMIT_CORE, bytes */
};

/* Neither the process nor what it starts leaves a core file from here on, or
 * hands one to a program (core(5)). Not where the limit cannot be read. */
void pl_nocore_begin(struct pl_nocore *before);

/* As it was before; for {0}, which nothing began, nothing. */
void pl_nocore_end(const struct pl_nocore *before);

#endif
