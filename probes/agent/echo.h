/* SPDX-License-Identifier: BSD-3-Clause */
/* echo.h - what a packet costs that never leaves the machine */
#ifndef PLINK_PROBES_AGENT_ECHO_H
#define PLINK_PROBES_AGENT_ECHO_H

#include "probes/agent/wire.h"

#include <stdint.h>

/*
 * The 10th percentile of a few round trips, ns, from the socket @fd to itself
 * by its own address and port, there and back as one packet: what sending and
 * receiving cost without any network. 0 where nothing came back. Packets of
 * others that arrive meanwhile are lost.
 */
int64_t pl_echo_self(int fd, struct pl_wire_clock *clock,
		     const struct pl_addr *addr, int port);

#endif
