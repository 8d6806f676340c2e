/* SPDX-License-Identifier: BSD-3-Clause */
/* fault.h - known reasons why an agent does not start, and what to do */
#ifndef PLINK_PROBES_LAUNCH_FAULT_H
#define PLINK_PROBES_LAUNCH_FAULT_H

#include <stdbool.h>
#include <stddef.h>

/* A row of the table, static. In its texts %h is the first host, %H all of them with commas, %L all
 * of them with blanks. */
struct pl_launch_fault {
	const char *pattern[6]; /* of a line, as of fnmatch(3); NULL ends them;
				 * none: no line tells it */
	const char *means;      /* "plink-agent is missing on %H" */
	const char *remedy;     /* "add --push" */
	bool again;             /* another try may succeed while fewer are starting */
	bool push;              /* --push is the remedy */
};

/* The fault that a line on the standard error of a launcher or of its remote
 * shell tells; NULL: none that is known. Of two, the lesser pointer says
 * more. */
const struct pl_launch_fault *pl_launch_fault_of(const char *line);

/* The fault of a command that ended with @status (of exit) and said @line last; NULL: none that is
 * known. For words that a shell has translated, and a launcher that says nothing. */
const struct pl_launch_fault *pl_launch_fault_status(int status, const char *line);

/* Nothing came in time; its plink-agent is of another version. */
const struct pl_launch_fault *pl_launch_fault_silent(void);
const struct pl_launch_fault *pl_launch_fault_version(void);

/* Row @k of the table; NULL: there are no more. */
const struct pl_launch_fault *pl_launch_fault_row(size_t k);

/* The text for host[n], of which the first 20 are named. Malloc'd; NULL: out of memory. */
char *pl_launch_fault_text(const char *text, const char *const *host, size_t n);

#endif
