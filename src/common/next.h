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

/* The same command, quoted for a shell, with other options: those of @with, a
 * name and a value for each, replace those of these names, and those named in
 * @without (NULL: none) are left out. NULL is behind the last of both. The
 * caller frees it; NULL: out of memory. */
char *pl_next_command(const struct pl_next *next, const char *const *with,
		      const char *const *without);

/* Prints "tool: what: command" on standard error. */
void pl_next_say(const char *tool, const char *what, const struct pl_next *next,
		 const char *const *with, const char *const *without);

#endif
