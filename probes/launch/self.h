/* SPDX-License-Identifier: BSD-3-Clause */
/* self.h - which plink-agent to start where the user names none */
#ifndef PLINK_PROBES_LAUNCH_SELF_H
#define PLINK_PROBES_LAUNCH_SELF_H

#include "base/err.h"

/*
 * The command that a tool sets as options->agent when its user names none. On
 * the host it runs plink-agent from the directory of the program running here,
 * if there is one, else from PATH. Malloc'd; NULL: out of memory.
 */
char *pl_probe_agent_command(void);

/* The same program as a file on this machine, for options->push: beside the
 * running program or in PATH. Malloc'd; NULL with @err set: it is in
 * neither. */
char *pl_probe_agent_file(struct pl_err *err);

#endif
