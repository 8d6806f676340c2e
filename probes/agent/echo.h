/* SPDX-License-Identifier: BSD-3-Clause */
/* echo.h - the round trip of a packet that never leaves the machine */
#ifndef PLINK_PROBES_AGENT_ECHO_H
#define PLINK_PROBES_AGENT_ECHO_H

#include "probes/agent/wire.h"

#include <stdint.h>

/*
 * The 10th percentile, in ns, of a few round trips from the socket @fd to
 * itself: each packet is sent to the socket's own @addr and @port. This is the
 * cost of sending and receiving without a network. 0 where nothing came back.
 * Packets of others that arrive meanwhile are lost.
 */
int64_t pl_echo_self(int fd, struct pl_wire_clock *clock,
		     const struct pl_addr *addr, int port);

#endif
