/* SPDX-License-Identifier: BSD-3-Clause */
/* next.h - the command with which a user goes on */
#ifndef PLINK_SRC_COMMON_NEXT_H
#define PLINK_SRC_COMMON_NEXT_H

#include "src/common/options.h"

/* The command line of this run, as pl_options_take() left it; borrowed. */
struct pl_next {
	char *const *argv;
	int n; /* optind: words up to the first that is no option */
	const struct pl_option *table;
};

/* Prints "tool: what: command" on standard error: the same command, quoted for a shell, with other
 * options. Those of @with, a name and a value (or NULL) for each, replace those of these names;
 * those named in @without (NULL: none) are left out. Both end with NULL. */
void pl_next_say(const char *tool, const char *what, const struct pl_next *next,
		 const char *const *with, const char *const *without);

#endif
