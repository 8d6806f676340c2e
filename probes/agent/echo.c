/* SPDX-License-Identifier: BSD-3-Clause */
/* echo.c - the round trip of a packet that never leaves the machine */
#include "config.h"

#include "probes/agent/wire.h"

#include "base/clock.h"
#include "base/stats.h"

#include <poll.h>
#include <sodium.h>
#include <string.h>

#define TRIPS 20
#define WAIT_MS 20

/* One packet there and back, ns; -1: it did not come back. */
static int64_t travel(int fd, struct pl_wire_clock *clock, const struct sockaddr_storage *self)
{
	uint8_t out[PL_PACKET_BYTES], in[PL_PACKET_BYTES];
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct pl_arrival arrival;
	int64_t sent_ns;

	randombytes_buf(out, sizeof(out));
	sent_ns = pl_clock_ns();
	if (pl_wire_send(fd, out, sizeof(out), self))
		return -1;
	for (int tries = 0; tries < TRIPS; tries++) {
		if (poll(&p, 1, WAIT_MS) <= 0)
			return -1;
		if (pl_wire_receive(fd, clock, in, sizeof(in), &arrival) == PL_PACKET_BYTES &&
		    memcmp(in, out, sizeof(in)) == 0)
			return arrival.at_ns > sent_ns ? arrival.at_ns - sent_ns : 0;
	}
	return -1;
}

int64_t pl_echo_self(int fd, struct pl_wire_clock *clock, const struct pl_addr *addr, int port)
{
	struct sockaddr_storage self;
	int64_t trip[TRIPS];

	pl_addr_socket(addr, port, &self);
	if (travel(fd, clock, &self) < 0) /* to warm up, not counted */
		return 0;
	for (size_t i = 0; i < TRIPS; i++) {
		trip[i] = travel(fd, clock, &self);
		if (trip[i] < 0)
			return 0;
	}
	pl_sort_int64(trip, TRIPS);
	return trip[pl_percentile_index(TRIPS, 0.1)];
}
