/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.h - the program on each host: probes, and answers, while a run lasts */
#ifndef PLINK_PROBES_AGENT_AGENT_H
#define PLINK_PROBES_AGENT_AGENT_H

#include "base/err.h"

#include <stdint.h>

/* What the kernel drops, and how a flood is read. All but the first are to
 * compare with. */
enum pl_agent_shield {
	PL_AGENT_FULL,  /* in a flood, by tags too, and read now and then */
	PL_AGENT_WORDS, /* by what a packet says and where it comes from */
	PL_AGENT_NONE,
};

/* Strings are borrowed for the call. */
struct pl_agent_options {
	const char *iface;      /* interface or CIDR; NULL: what is global */
	int port_min, port_max; /* UDP and TCP ports to bind to; 0, 0: any */
	int in, out;            /* the coordinator's lines, the answers */
	enum pl_agent_shield shield;
	int64_t patience_ns; /* ends when it has heard nothing for so long */
};

/*
 * Greets, takes commands until END or the end of @in, probes and answers, sends
 * and receives bytes by TCP. All sockets are bound to the address the
 * coordinator chose; one loop. 0, or -1 with @err set (also told to the
 * coordinator): a command that is none, no address, no free port, or no word
 * from the coordinator for so long.
 */
int pl_agent_run(const struct pl_agent_options *options, struct pl_err *err);

#endif
