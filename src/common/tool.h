/* SPDX-License-Identifier: BSD-3-Clause */
/* tool.h - shared by all command-line tools: messages, help */
#ifndef PLINK_SRC_COMMON_TOOL_H
#define PLINK_SRC_COMMON_TOOL_H

#include "base/err.h"

#include <stdbool.h>
#include <stdio.h>

/* Called first in main(). Opens standard descriptors that the caller closed so that they can be
 * neither read nor written: otherwise the next file or pipe would become standard output. A file
 * above the limit of file sizes (ulimit -f) is then a failed write, not the end by SIGXFSZ. */
void pl_tool_begin(void);

/* Prints "tool: file:line:col: text" (the known parts) to stderr and returns the exit status for
 * the code. */
int pl_tool_fail(const char *tool, const struct pl_err *err);

/* Prints "tool: text" to stderr; control characters become '?'. What is wrong is for pl_tool_warn,
 * all else for pl_tool_say, which prints nothing after pl_tool_be_quiet (--quiet). */
void pl_tool_say(const char *tool, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void pl_tool_warn(const char *tool, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Holds for the process; called where its command line is read. */
void pl_tool_be_quiet(void);
bool pl_tool_is_quiet(void);

/* Says the version and the command line: what -v begins with. */
void pl_tool_say_call(const char *tool, char *const *argv);

/* Prints "tool: text; see tool --help" to stderr; returns PL_EXIT_USAGE. */
int pl_tool_usage(const char *tool, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* PL_EXIT_DONE; or PL_EXIT_USAGE, after a message, if --output=@output would replace the file
 * @input that is read. Either may be NULL or "-". */
int pl_tool_spares(const char *tool, const char *output, const char *input);

/* Flushes standard output. Returns PL_EXIT_DONE; or PL_EXIT_SYSTEM, after a message, if not
 * everything could be written. */
int pl_tool_end_output(const char *tool);

/* Ends with the result, which @write writes to the file @output (NULL: standard output), whole or
 * not at all. Returns the exit status, after a message if it is not PL_EXIT_DONE. */
int pl_tool_output(const char *tool, const char *output,
		   int (*write)(const void *arg, FILE *out, struct pl_err *err), const void *arg);

/* Print the text, or "tool (plink) version", to stdout and end with pl_tool_end_output. */
int pl_tool_help(const char *tool, const char *help);
int pl_tool_version(const char *tool);

#endif
