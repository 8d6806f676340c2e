/* SPDX-License-Identifier: BSD-3-Clause */
/* self.h - which plink-agent to start where none is named */
#ifndef PLINK_PROBES_LAUNCH_SELF_H
#define PLINK_PROBES_LAUNCH_SELF_H

#include "base/err.h"

/*
 * The command a tool gives as options->agent when its user names none: on the
 * host, plink-agent at the place where it stands beside the running program
 * here, if it is there too, else the one in PATH. Malloc'd; NULL: out of
 * memory.
 */
char *pl_probe_agent_command(void);

/* The same program as a file of this machine, for options->push: it stands
 * beside the running one or in PATH. Malloc'd; NULL with @err set: it is in
 * neither. */
char *pl_probe_agent_file(struct pl_err *err);

#endif
