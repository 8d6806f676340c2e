/* SPDX-License-Identifier: BSD-3-Clause */
/* nocore.c - no core file while there is a secret in memory */
#include "config.h"

#include "base/nocore.h"

/* Too little for a file, and, unlike 0, Linux hands nothing to a program either. */
#define NOTHING 1

static void set_soft(rlim_t soft)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_CORE, &limit))
		return;
	limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
	setrlimit(RLIMIT_CORE, &limit);
}

void pl_nocore_begin(struct pl_nocore *before)
{
	struct rlimit limit;

	before->changed = !getrlimit(RLIMIT_CORE, &limit);
	if (!before->changed)
		return;
	before->soft = limit.rlim_cur;
	set_soft(NOTHING);
}

void pl_nocore_end(const struct pl_nocore *before)
{
	if (before->changed)
		set_soft(before->soft);
}
