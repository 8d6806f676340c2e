/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-wire.c - the socket of probes: ports, arrival as the kernel saw it */
#include "config.h"

#include "base/clock.h"
#include "probes/agent/wire.h"
#include "tests/tap.h"

#include <time.h>
#include <unistd.h>

static struct pl_wire_clock wire_clock;
static bool busy;

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

/* On a busy machine something else runs before every reading, for 20 us. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	struct timespec first;

	__real_clock_gettime(CLOCK_MONOTONIC, &first);
	do
		__real_clock_gettime(CLOCK_MONOTONIC, t);
	while (busy &&
	       (t->tv_sec - first.tv_sec) * 1000000000 + t->tv_nsec - first.tv_nsec < 20000);
	return __real_clock_gettime(clock, t);
}

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
	ok(pl_wire_bind(addr, port, port, &other, &err) == -1, "not one that is in use");
	has_str(err.text, "127.0.0.1, ports", "which is said");
	b = pl_wire_bind(addr, port, 65535, &other, &err);
	ok(b >= 0 && other > port, "but the next one");
	ok(pl_wire_bind(&foreign, 0, 0, &other, &err) == -1, "not another machine's address");
	close(a);
	close(b);
}

/* As many as wanted, or as there are. */
static void test_bind_many(const struct pl_addr *addr)
{
	int fd[4], port[4], at[4], low[4];
	unsigned n = 0, m = 0;

	is_int(pl_wire_bind_many(addr, 0, 0, 4, fd, port, &n, NULL), 0, "four of any port");
	ok(n == 4 && port[0] != port[1] && port[1] != port[2] && port[2] != port[3],
	   "each has its own");
	for (int k = 0; k < 4; k++)
		close(fd[k]);
	is_int(pl_wire_bind_many(addr, port[0], port[0], 4, at, low, &m, NULL), 0,
	       "four of a range of one");
	ok(m == 1 && low[0] == port[0], "is one");
	is_int(pl_wire_bind_many(addr, port[0], port[0], 4, fd, low, &n, NULL), -1,
	       "and then none");
	close(at[0]);
}

/* One packet to ourselves, left unread for 3 ms: did it arrive before? */
static bool arrives_at_once(int fd, const struct sockaddr_storage *self)
{
	const struct timespec nap = {.tv_nsec = 3000000};
	const uint8_t out[PL_PACKET_BYTES] = {1, 2, 3};
	uint8_t in[64] = {0};
	struct pl_arrival arrival;
	int64_t sent, slept;

	sent = pl_clock_ns();
	pl_wire_send(fd, out, sizeof(out), self);
	slept = pl_clock_ns(); /* loopback has delivered by now */
	nanosleep(&nap, NULL);
	if (pl_wire_receive(fd, &wire_clock, in, sizeof(in), &arrival) != sizeof(out) ||
	    memcmp(in, out, sizeof(out)) != 0 || !pl_addr_is_from(&arrival.from, self))
		return ok(false, "a packet as it was sent");
	/* two clocks are read one after the other: a little play */
	return arrival.at_ns > sent - 100000 && arrival.at_ns < slept + 1000000;
}

/* Not at the first attempt, perhaps: a kernel on which nobody had asked for
 * stamps takes a while to begin, and more than 100 ms asleep are not
 * believed. */
static void test_arrival(const struct pl_addr *addr)
{
	struct sockaddr_storage self;
	struct pl_arrival none;
	uint8_t in[64];
	bool good = false;
	int port, fd = pl_wire_bind(addr, 0, 0, &port, NULL);

	pl_addr_socket(addr, port, &self);
	ok(pl_wire_receive(fd, &wire_clock, in, sizeof(in), &none) == -1, "nothing yet");
	for (int i = 0; i < 200 && !good; i++)
		good = arrives_at_once(fd, &self);
	ok(good, "a packet arrives when it comes, not when it is read");
	close(fd);
}

/* Late by what the pauses took, perhaps, but never before it was sent. */
static void test_pauses(const struct pl_addr *addr)
{
	const uint8_t out[PL_PACKET_BYTES] = {0};
	struct pl_wire_packet v[PL_WIRE_BATCH];
	struct sockaddr_storage self;
	int port, early = 0, n = 0, fd = pl_wire_bind(addr, 0, 0, &port, NULL);

	pl_addr_socket(addr, port, &self);
	busy = true;
	for (int i = 0; i < 200; i++) {
		const int64_t sent_ns = pl_clock_ns();
		struct pl_arrival *a = &v[0].arrival;

		pl_wire_send(fd, out, sizeof(out), &self);
		if (i % 2 ? pl_wire_receive_many(fd, &wire_clock, v) == 1
			  : pl_wire_receive(fd, &wire_clock, v[0].data, sizeof(v[0].data), a) > 0) {
			n++;
			early += a->at_ns < sent_ns;
		}
	}
	busy = false;
	close(fd);
	ok(n > 0 && early == 0, "%d of %d packets came before they were sent", early, n);
}

#define MS INT64_C(1000000)
#define EPOCH (INT64_C(1780000000) * 1000 * MS)

/*
 * A packet that came at @came, by the monotonic clock, read 20 us later, where the wall clock was
 * set by @set_ns between the two (or before, or after).
 */
static int64_t waited(struct pl_wire_clock *c, int64_t came, int64_t set_before,
		      int64_t set_between)
{
	const int64_t read = came + 20000;
	const int64_t stamp = EPOCH + came + set_before;
	const int64_t wall = EPOCH + read + set_before + set_between;

	return pl_wire_waited(c, stamp, wall, read);
}

/* Whatever is done to the wall clock, no packet comes before it was sent. */
static void test_clock_set(void)
{
	static const int64_t step[] = {100000,  10 * MS,  50 * MS,  99 * MS,   1000 * MS,
				       -100000, -10 * MS, -50 * MS, -1000 * MS};
	struct pl_wire_clock c = {.ahead_ns = EPOCH, .at_ns = 0};
	int64_t now = MS, ahead = 0;
	int wrong = 0, after = 0;

	is_int(waited(&c, now, 0, 0), 20000, "20 us from stamp to read");
	for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
		now += MS;
		wrong += waited(&c, now, ahead, step[i]) != 0;
		ahead += step[i];
		now += MS;
		after += waited(&c, now, ahead, 0) != 20000;
	}
	is_int(wrong, 0, "the wall clock set in between: not believed");
	is_int(after, 0, "believed again for the next packet");
	is_int(waited(&c, now + MS, ahead + 3600000 * MS, 0), 0,
	       "set before the packet came: not believed, either");
	ahead += 3600000 * MS;
	for (int i = 0; i < 1000; i++) { /* 500 ppm for ten seconds */
		now += 10 * MS;
		ahead += 5000;
		after += waited(&c, now, ahead, 0) != 20000;
	}
	is_int(after, 0, "a clock that is slewed is believed");
	is_int(pl_wire_waited(&c, EPOCH, EPOCH + 200 * MS, now + MS), 0,
	       "200 ms from stamp to read are not believed");
}

/* Many packets that wait together, too short and too long ones among them. */
static void test_many(const struct pl_addr *addr)
{
	enum { N = 2 * PL_WIRE_BATCH + 3 };
	struct sockaddr_storage self;
	struct pl_wire_packet v[PL_WIRE_BATCH];
	unsigned n = PL_WIRE_BATCH, k = 0, wrong = 0;
	int port, fd = pl_wire_bind(addr, 0, 0, &port, NULL);

	pl_addr_socket(addr, port, &self);
	is_int(pl_wire_receive_many(fd, &wire_clock, v), 0, "none yet");
	for (uint8_t i = 0; i < N; i++) {
		const uint8_t out[N] = {i};

		pl_wire_send(fd, out, i + 1u, &self);
	}
	while (n == PL_WIRE_BATCH) {
		n = pl_wire_receive_many(fd, &wire_clock, v);
		for (unsigned i = 0; i < n; i++, k++)
			wrong += v[i].len != (k < PL_PACKET_BYTES ? k + 1 : PL_PACKET_BYTES + 1u) ||
				 v[i].data[0] != k || !pl_addr_is_from(&v[i].arrival.from, &self) ||
				 v[i].arrival.at_ns > pl_clock_ns();
	}
	ok(k == N && wrong == 0, "%u packets in their order, cut to %d bytes", k,
	   PL_PACKET_BYTES + 1);
	close(fd);
}

/* A buffer that is full: what is dropped then is counted. */
static void test_dropped(const struct pl_addr *addr)
{
	struct sockaddr_storage self;
	struct pl_wire_packet v[PL_WIRE_BATCH];
	const int least = 1;
	const uint8_t out[PL_PACKET_BYTES] = {0};
	uint32_t sent = 0, read = 0, n;
	int port, fd = pl_wire_bind(addr, 0, 0, &port, NULL);

	pl_addr_socket(addr, port, &self);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &least, sizeof(least));
	for (; sent < 100; sent++)
		pl_wire_send(fd, out, sizeof(out), &self);
	while ((n = pl_wire_receive_many(fd, &wire_clock, v)) > 0)
		read += n;
	ok(read > 0 && read < sent, "%u of %u packets have room", read, sent);
	is_int(pl_wire_dropped(fd), sent - read, "those that have none are counted");
	close(fd);
}

int main(void)
{
	const struct pl_addr addr = make("127.0.0.1");

	test_clock_set();
	pl_wire_clock_init(&wire_clock);

	test_bind(&addr);
	test_bind_many(&addr);
	test_arrival(&addr);
	test_pauses(&addr);
	test_many(&addr);
	test_dropped(&addr);
	return done_testing();
}
