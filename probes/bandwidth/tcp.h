/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.h - TCP connections that carry a flow, of the round's peer only */
#ifndef PLINK_PROBES_BANDWIDTH_TCP_H
#define PLINK_PROBES_BANDWIDTH_TCP_H

#include "base/err.h"
#include "probes/protocol/address.h"

#include <stdint.h>

/*
 * A non-blocking socket that listens at @addr, at the first free port in [port_min, port_max] (0,
 * 0: one that the kernel chooses); *port is set to it. Returns the descriptor, which the caller
 * closes; -1 with @err set.
 */
int pl_tcp_listen(const struct pl_addr *addr, int port_min, int port_max, int *port,
		  struct pl_err *err);

/* The next connection of a non-blocking listener that comes from @peer; -1: none. Those from other
 * addresses are closed unread and added to *refused, a limited number in a call: the listener stays
 * readable if there are more. */
int pl_tcp_accept(int listener, const struct pl_addr *peer, uint64_t *refused);

/* Begins to connect, from @addr and a port as above. Returns the descriptor,
 * which becomes writable when it is connected or has failed; -1 with @err
 * set. */
int pl_tcp_connect(const struct pl_addr *addr, int port_min, int port_max,
		   const struct pl_addr *peer, int peer_port, struct pl_err *err);

/* 1: the socket is connected; 0: not yet; -1: it failed, *why is an errno. */
int pl_tcp_is_connected(int fd, int *why);

/* Closes at once: unsent bytes are discarded and no port stays in use. */
void pl_tcp_abort(int fd);

/* From the kernel: segments that were sent again; the smoothed round trip in ns (0: not known). */
uint64_t pl_tcp_resent(int fd);
int64_t pl_tcp_rtt_ns(int fd);

#endif
