/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-wire.c - the socket of probes: ports, arrival as the kernel saw it */
#include "config.h"

#include "probes/wire.h"
#include "src/tool.h"
#include "tests/tap.h"

#include <time.h>
#include <unistd.h>

static struct pl_addr make(const char *s)
{
	struct pl_addr addr = {0};

	pl_addr_parse(s, strlen(s), &addr);
	return addr;
}

static void test_bind(const struct pl_addr *addr)
{
	const struct pl_addr foreign = make("192.0.2.123");
	struct pl_err err = {0};
	int a, b, port = 0, other = 0;

	a = pl_wire_bind(addr, 0, 0, &port, &err);
	ok(a >= 0 && port > 0, "any port");
	ok(pl_wire_bind(addr, port, port, &other, &err) == -1,
	   "not one that is in use");
	has_str(err.text, "127.0.0.1, ports", "which is said");
	b = pl_wire_bind(addr, port, 65535, &other, &err);
	ok(b >= 0 && other > port, "but the next one");
	ok(pl_wire_bind(&foreign, 0, 0, &other, &err) == -1,
	   "not another machine's address");
	close(a);
	close(b);
}

/* One packet to ourselves, left unread for 3 ms: did it arrive before? */
static bool arrives_at_once(int fd, const struct sockaddr_storage *self)
{
	const struct timespec nap = {.tv_nsec = 3000000};
	const uint8_t out[PL_PACKET_BYTES] = {1, 2, 3};
	uint8_t in[64] = {0};
	struct pl_arrival arrival;
	int64_t sent, slept;

	sent = pl_tool_clock_ns();
	pl_wire_send(fd, out, self);
	slept = pl_tool_clock_ns(); /* loopback has delivered by now */
	nanosleep(&nap, NULL);
	if (pl_wire_receive(fd, in, sizeof(in), &arrival) != sizeof(out) ||
	    memcmp(in, out, sizeof(out)) != 0 ||
	    !pl_addr_is_from(&arrival.from, self))
		return ok(false, "a packet as it was sent");
	/* two clocks are read one after the other: a little play */
	return arrival.at_ns > sent - 100000 && arrival.at_ns < slept + 1000000;
}

/* Not at the first attempt, perhaps: a kernel on which nobody had asked for stamps
 * takes a while to begin, and more than 100 ms asleep are not believed. */
static void test_arrival(const struct pl_addr *addr)
{
	struct sockaddr_storage self;
	struct pl_arrival none;
	uint8_t in[64];
	bool good = false;
	int port, fd = pl_wire_bind(addr, 0, 0, &port, NULL);

	pl_addr_socket(addr, port, &self);
	ok(pl_wire_receive(fd, in, sizeof(in), &none) == -1, "nothing yet");
	for (int i = 0; i < 200 && !good; i++)
		good = arrives_at_once(fd, &self);
	ok(good, "a packet arrives when it comes, not when it is read");
	close(fd);
}

int main(void)
{
	const struct pl_addr addr = make("127.0.0.1");

	test_bind(&addr);
	test_arrival(&addr);
	return done_testing();
}
