/* SPDX-License-Identifier: BSD-3-Clause */
/* launch.h - makes a command from a launch template */
#ifndef PLINK_PROBES_LAUNCH_LAUNCH_H
#define PLINK_PROBES_LAUNCH_LAUNCH_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define PL_LAUNCH_WORDS_MAX 256

/* If @name is ssh, srun, mpirun or kubectl: the template that it stands for (plink-probe(1)),
 * static. Else @name itself. */
const char *pl_launch_template(const char *name);

/* Is it a command that ssh is, or whose name begins with "ssh"? */
bool pl_launch_is_ssh(const char *template);

/* The template of an ssh (NULL: of ssh itself) with "-l USER". The caller frees it. NULL with @err
 * set: PL_EUSAGE if it is of no ssh, no memory. */
char *pl_launch_as(const char *template, const char *user, struct pl_err *err);

/* Does the template contain the host's name (%h)? If not, one command serves all hosts, which is
 * right only for a trial on one machine; tools then print PL_LAUNCH_SAME. */
bool pl_launch_names_host(const char *template);
#define PL_LAUNCH_SAME                                                                             \
	"the launch template has no %%h: the same command for each of %zu "                        \
	"hosts"

/*
 * Makes a command. Splits @template as a shell would ('...', "...", backslash; nothing is
 * expanded), replaces %h by @host and %% by a percent sign, and appends @command as one more word,
 * as ssh wants it. Returns a NULL-terminated array whose words are in the same allocation: free()
 * it. NULL with @err set: PL_EUSAGE for an open quote, another %, no word at all, pdsh (which gives
 * a command no input), or a host that begins with '-' and would pass for an option.
 */
char **pl_launch_argv(const char *template, const char *host, const char *command,
		      struct pl_err *err);

#endif
