/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.h - the agent, which probes and answers on each host during a run */
#ifndef PLINK_PROBES_AGENT_AGENT_H
#define PLINK_PROBES_AGENT_AGENT_H

#include "base/err.h"
#include "probes/protocol/address.h"

#include <stdint.h>

/* Strings are borrowed for the call. */
struct pl_agent_options {
	const char *iface;     /* interface or CIDR; NULL: global addresses */
	struct pl_ports ports; /* to bind to */
	int in, out;           /* fds: commands of the coordinator, answers */
	int64_t patience_ns;   /* ends after hearing nothing for this long */
};

/*
 * Greets the coordinator and executes its commands until END or the end of @in: probes and answers
 * probes, sends and receives bytes by TCP. One loop serves all; all sockets are bound to the
 * address that the coordinator chose. 0, or -1 with @err set, which the coordinator is told, too:
 * an invalid command, no address, no free port, or no word from the coordinator for patience_ns.
 */
int pl_agent_run(const struct pl_agent_options *options, struct pl_err *err);

#endif
