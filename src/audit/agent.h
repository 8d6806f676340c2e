/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.h - plink-audit --capture: captures for another plink-audit, or to a
 * file */
#ifndef PLINK_SRC_AUDIT_AGENT_H
#define PLINK_SRC_AUDIT_AGENT_H

#include "src/audit/options.h"

#include <signal.h>

/* The command that starts this program on another host: at the same path if it
 * is there, otherwise along PATH. Malloc'd; NULL: out of memory. */
char *audit_agent_command(void);

/* plink-audit --capture. Returns its exit status. */
int audit_capture(const struct audit_options *o, const volatile sig_atomic_t *stop);

#endif
