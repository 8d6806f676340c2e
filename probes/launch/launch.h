/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.h - a launch template becomes a command */
#ifndef PLINK_PROBES_LAUNCH_LAUNCH_H
#define PLINK_PROBES_LAUNCH_LAUNCH_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_LAUNCH_WORDS_MAX 256

/* Where @name is one of ssh, srun, mpirun and kubectl: the template that stands
 * for it (plink-probe(1)), static. Else @name itself. */
const char *pl_launch_template(const char *name);

/* Is the host's name (%h) in the template? Where it is not, one command serves
 * for all hosts, which is right for a trial on one machine only; tools say it
 * so. */
bool pl_launch_names_host(const char *template);
#define PL_LAUNCH_SAME                                                         \
	"the launch template has no %%h: the same command for each of %zu "    \
	"hosts"

/*
 * Splits @template as a shell would ('...', "...", backslash; nothing is
 * expanded), puts @host in place of %h and a percent sign in place of %%, and
 * appends @command as one more word, as ssh wants it. A NULL-terminated array
 * whose words are in the same allocation: free() it. NULL with @err set:
 * PL_EUSAGE for an open quote, another %, no word at all, pdsh (which gives a
 * command no input), or a host that begins with '-' and would pass for an
 * option.
 */
char **pl_launch_argv(const char *template, const char *host,
		      const char *command, struct pl_err *err);

/* @s as one word of a shell, in single quotes where it needs them. Malloc'd;
 * NULL when memory runs out. */
char *pl_launch_quote(const char *s);

#endif
