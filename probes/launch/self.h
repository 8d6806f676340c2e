/* SPDX-License-Identifier: BSD-3-Clause */
/* self.h - which plink-agent to start where the user names none */
#ifndef PLINK_PROBES_LAUNCH_SELF_H
#define PLINK_PROBES_LAUNCH_SELF_H

#include "base/err.h"
#include "probes/run/probe.h"

#include <stdbool.h>

/*
 * Sets o->agent or, if @push, o->push where both are NULL: the command that
 * runs plink-agent on a host, from the directory of the program running here if
 * the host has one there, else from PATH; or the program to send, which is
 * beside this program or in PATH. *own is that text, for the caller to free. 0,
 * or -1 with @err set: out of memory, or PL_EUSAGE: there is no such program.
 */
int pl_probe_agent_choose(struct pl_probe_options *o, bool push, char **own,
			  struct pl_err *err);

#endif
