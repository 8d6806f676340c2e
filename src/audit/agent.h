/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.h - plink-audit as the one who captures: for others, or for a file */
#ifndef PLINK_SRC_AUDIT_AGENT_H
#define PLINK_SRC_AUDIT_AGENT_H

#include "src/audit/options.h"

#include <signal.h>

/* The command that starts this very program elsewhere, where it is found at the
 * same place, and otherwise along PATH. Malloc'd; NULL when memory runs out. */
char *audit_agent_command(void);

/* plink-audit --capture: its exit status. */
int audit_capture(const struct audit_options *o,
		  const volatile sig_atomic_t *stop);

#endif
