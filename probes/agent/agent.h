/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.h - the program on each host: probes, and answers, while a run lasts */
#ifndef PLINK_PROBES_AGENT_AGENT_H
#define PLINK_PROBES_AGENT_AGENT_H

#include "src/err.h"

#include <stdbool.h>

/* Strings are borrowed for the call. */
struct pl_agent_options {
	const char *iface;      /* interface or CIDR; NULL: what is global */
	int port_min, port_max; /* UDP and TCP ports to bind to; 0, 0: any */
	int in, out;            /* the coordinator's lines, the answers */
	bool unfiltered;        /* let the kernel drop nothing: to compare */
};

/*
 * Greets, takes commands until END or the end of @in, probes and answers, sends and
 * receives bytes by TCP. All sockets are bound to the address the coordinator chose;
 * one loop. 0, or -1 with @err set (also told to the coordinator): a command that
 * is none, no address, no free port, or no word from the coordinator for too long.
 */
int pl_agent_run(const struct pl_agent_options *options, struct pl_err *err);

#endif
