/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.h - the UDP socket that probes and replies go through */
#ifndef PLINK_PROBES_AGENT_WIRE_H
#define PLINK_PROBES_AGENT_WIRE_H

#include "base/err.h"
#include "probes/protocol/address.h"
#include "probes/protocol/packet.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A non-blocking UDP socket bound to @addr and to the first free port in [port_min, port_max] (0,
 * 0: one that the kernel chooses); *port is set to it. Returns the descriptor, which the caller
 * closes; -1 with @err set.
 */
int pl_wire_bind(const struct pl_addr *addr, int port_min, int port_max, int *port,
		 struct pl_err *err);

/*
 * Up to @want such sockets, each on a port of its own: fd[k], port[k]. *n is their number, at least
 * 1; it is less than @want where ports or descriptors run out. 0, or -1 with @err set.
 */
int pl_wire_bind_many(const struct pl_addr *addr, int port_min, int port_max, unsigned want,
		      int *fd, int *port, unsigned *n, struct pl_err *err);

/* Sends a packet. 0, or the errno where it could not be sent. */
int pl_wire_send(int fd, const uint8_t *packet, size_t len, const struct sockaddr_storage *to);

/* How far the wall clock was ahead of the monotonic clock, and when that was read. Start with
 * pl_wire_clock_init; one struct serves all sockets of a thread. */
struct pl_wire_clock {
	int64_t ahead_ns, at_ns;
};

void pl_wire_clock_init(struct pl_wire_clock *clock);

/*
 * How long a packet waited to be read: from @stamp_ns, the kernel's time stamp by the wall clock,
 * to now, given by both clocks. 0 where the result is not plausible: longer than 100 ms, negative,
 * or the wall clock was set since the last call.
 */
int64_t pl_wire_waited(struct pl_wire_clock *clock, int64_t stamp_ns, int64_t wall_ns,
		       int64_t now_ns);

struct pl_arrival {
	struct sockaddr_storage from;
	int64_t at_ns;     /* monotonic: when the kernel received the packet or,
			    * where it does not tell, when it was read */
	int64_t waited_ns; /* from at_ns to when it was read */
};

/* Returns the length of the next packet (cut to @size) and fills *arrival; -1 when there is
 * none. */
ssize_t pl_wire_receive(int fd, struct pl_wire_clock *clock, void *data, size_t size,
			struct pl_arrival *arrival);

#define PL_WIRE_BATCH 64

struct pl_wire_packet {
	uint8_t data[PL_PACKET_BYTES + 1]; /* one byte more than a valid packet,
					    * to detect longer ones */
	size_t len;
	struct pl_arrival arrival;
};

/* Takes up to PL_WIRE_BATCH packets that are waiting; returns their number. */
unsigned pl_wire_receive_many(int fd, struct pl_wire_clock *clock,
			      struct pl_wire_packet v[PL_WIRE_BATCH]);

/* Number of packets that the kernel has dropped at @fd since it was created, for lack of room,
 * modulo 2^32. 0 where the kernel does not tell. */
uint32_t pl_wire_dropped(int fd);

/*
 * The 10th percentile, in ns, of a few round trips from the socket @fd to itself: each packet is
 * sent to the socket's own @addr and @port. This is the cost of sending and receiving without a
 * network. 0 where nothing came back. Packets of others that arrive meanwhile are lost.
 */
int64_t pl_echo_self(int fd, struct pl_wire_clock *clock, const struct pl_addr *addr, int port);

#endif
