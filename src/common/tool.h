/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.h - what all command-line tools share: messages, options, help */
#ifndef PLINK_SRC_COMMON_TOOL_H
#define PLINK_SRC_COMMON_TOOL_H

#include "base/err.h"

#include <getopt.h>
#include <stdint.h>

/* What main() does first. Standard descriptors that the caller closed become
 * ones that cannot be read or written: else the next file or pipe would pass
 * for standard output. And a low limit of open files is raised. */
void pl_tool_begin(void);

/* Prints "tool: file:line:col: text" (what is known of it) to stderr and gives
 * the exit status that belongs to the code. */
int pl_tool_fail(const char *tool, const struct pl_err *err);

/* "tool: text" to stderr; control characters in it become '?'. */
void pl_tool_say(const char *tool, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* "tool: text" and "see tool --help" to stderr; gives PL_EXIT_USAGE. */
int pl_tool_usage(const char *tool, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The long name of an option by what getopt_long() gives for it; "?" if it has
 * none. */
const char *pl_tool_option(const struct option *longs, int val);

/* The whole number @s, in [min, max], that this option was given: PL_EXIT_DONE;
 * else PL_EXIT_USAGE, and it is said; *value is as it was. */
int pl_tool_take_whole(const char *tool, const struct option *longs, int val,
		       const char *s, uint64_t min, uint64_t max,
		       uint64_t *value);

/* Flushes standard output; gives PL_EXIT_DONE, or PL_EXIT_SYSTEM and says so
 * where not all that was printed has arrived. */
int pl_tool_end_output(const char *tool);

/* The text, or "tool (plink) version", to stdout, and the same. */
int pl_tool_help(const char *tool, const char *help);
int pl_tool_version(const char *tool);

#endif
