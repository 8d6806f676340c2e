/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.h - connections that carry a flow: for the peer of the round, for nobody
 * else */
#ifndef PLINK_PROBES_BANDWIDTH_TCP_H
#define PLINK_PROBES_BANDWIDTH_TCP_H

#include "base/err.h"
#include "probes/protocol/address.h"

#include <stdint.h>

/*
 * A socket that does not block and listens at @addr, at the first free port in
 * [port_min, port_max] (0, 0: one of the kernel's choice), which *port tells.
 * The kernel drops whatever comes to it from another address than @peer, so
 * that a stranger does not learn that it is there. The descriptor, the caller's
 * to close; -1 with @err set.
 */
int pl_tcp_listen(const struct pl_addr *addr, const struct pl_addr *peer,
		  int port_min, int port_max, int *port, struct pl_err *err);

/* The next connection of a listener, one that does not block; -1: none. */
int pl_tcp_accept(int listener);

/* Begins to connect, from @addr and a port as above. The descriptor, which can
 * be written to when it is connected or has failed; -1 with @err set. */
int pl_tcp_connect(const struct pl_addr *addr, int port_min, int port_max,
		   const struct pl_addr *peer, int peer_port,
		   struct pl_err *err);

/* Is it connected? 1; 0: not yet; -1 with *why, an errno. */
int pl_tcp_is_connected(int fd, int *why);

/* Closes at once: what was not sent yet never is, and no port stays in use. */
void pl_tcp_abort(int fd);

/* What the kernel knows of a connection: segments sent again, its smoothed
 * round trip in ns (0: not known). */
uint64_t pl_tcp_resent(int fd);
int64_t pl_tcp_rtt_ns(int fd);

#endif
