/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.c - the UDP socket that probes and replies go through */
#include "config.h"

#include "probes/agent/wire.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WAITED_MAX_NS INT64_C(100000000) /* a longer delay is not believed */
#define ROOM_BYTES (1 << 20)
#define SET_NS 50000 /* two clocks are not read in one moment */

int pl_wire_bind(const struct pl_addr *addr, int port_min, int port_max, int *port,
		 struct pl_err *err)
{
	struct sockaddr_storage to;
	socklen_t len;
	char text[PL_ADDR_CHARS];
	const int yes = 1, room = ROOM_BYTES;
	int fd, saved = EADDRINUSE;

	fd = socket(addr->family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return pl_err_errno(err, "cannot create a socket");
	/* without it, wake-ups count as network: not a reason to fail */
	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof(yes));
	/* as much as one may have: what nobody wants is read at leisure */
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	for (int p = port_min; p <= port_max; p++) {
		len = pl_addr_socket(addr, p, &to);
		if (!bind(fd, (struct sockaddr *)&to, len)) {
			*port = pl_addr_port(fd);
			return fd;
		}
		saved = errno;
		if (saved != EADDRINUSE)
			break;
	}
	close(fd);
	errno = saved;
	pl_addr_format(addr, text);
	if (port_min == 0)
		return pl_err_errno(err, "cannot bind to %s", text);
	return pl_err_errno(err, "cannot bind to %s, ports %d-%d (--ports=LO-HI names others)",
			    text, port_min, port_max);
}

int pl_wire_bind_many(const struct pl_addr *addr, int port_min, int port_max, unsigned want,
		      int *fd, int *port, unsigned *n, struct pl_err *err)
{
	unsigned k;

	for (k = 0; k < want && port_min <= port_max; k++) {
		fd[k] = pl_wire_bind(addr, port_min, port_max, &port[k], k == 0 ? err : NULL);
		if (fd[k] < 0)
			break;
		if (port_max > 0)
			port_min = port[k] + 1;
	}
	*n = k;
	return k > 0 ? 0 : -1;
}

int pl_wire_send(int fd, const uint8_t *packet, size_t len, const struct sockaddr_storage *to)
{
	const socklen_t to_len =
		to->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);

	if (sendto(fd, packet, len, 0, (const struct sockaddr *)to, to_len) < 0)
		return errno;
	return 0;
}

static int64_t nanoseconds(const struct timespec *t)
{
	return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

/* The kernel's receive stamp, CLOCK_REALTIME; false: none. */
static bool get_stamp(struct msghdr *msg, struct timespec *stamp)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
			memcpy(stamp, CMSG_DATA(c), sizeof(*stamp));
			return true;
		}
	return false;
}

/* Read before the monotonic clock, so that a pause between the two lets a packet come late by as
 * much, never before it was sent. */
static int64_t wall_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return nanoseconds(&now);
}

void pl_wire_clock_init(struct pl_wire_clock *clock)
{
	clock->at_ns = pl_clock_ns();
	clock->ahead_ns = wall_clock_ns() - clock->at_ns;
}

/* Two readings of one clock, unless it was set between them. That shows by the other clock: it was
 * read last before the packet came, for packets are taken as soon as they come. A clock that is
 * slewed gains 0.1 % at most. */
static bool was_set(struct pl_wire_clock *clock, int64_t wall_ns, int64_t now_ns)
{
	const int64_t ahead_ns = wall_ns - now_ns;
	const int64_t gained_ns = ahead_ns - clock->ahead_ns;
	const int64_t most_ns = SET_NS + (now_ns - clock->at_ns) / 1000;

	clock->ahead_ns = ahead_ns;
	clock->at_ns = now_ns;
	return gained_ns > most_ns || gained_ns < -most_ns;
}

static int64_t waited(int64_t stamp_ns, int64_t wall_ns)
{
	const int64_t ns = wall_ns - stamp_ns;

	return ns > 0 && ns < WAITED_MAX_NS ? ns : 0;
}

int64_t pl_wire_waited(struct pl_wire_clock *clock, int64_t stamp_ns, int64_t wall_ns,
		       int64_t now_ns)
{
	return was_set(clock, wall_ns, now_ns) ? 0 : waited(stamp_ns, wall_ns);
}

union control {
	struct cmsghdr align;
	char room[CMSG_SPACE(sizeof(struct timespec)) + 64];
};

ssize_t pl_wire_receive(int fd, struct pl_wire_clock *clock, void *data, size_t size,
			struct pl_arrival *arrival)
{
	union control control;
	struct iovec iov = {.iov_base = data, .iov_len = size};
	struct msghdr msg = {
		.msg_name = &arrival->from,
		.msg_namelen = sizeof(arrival->from),
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct timespec stamp;
	const ssize_t len = recvmsg(fd, &msg, 0);
	const int64_t wall_ns = wall_clock_ns();

	if (len < 0)
		return -1;
	arrival->at_ns = pl_clock_ns();
	arrival->waited_ns = 0;
	if (get_stamp(&msg, &stamp))
		arrival->waited_ns =
			pl_wire_waited(clock, nanoseconds(&stamp), wall_ns, arrival->at_ns);
	arrival->at_ns -= arrival->waited_ns;
	return len;
}

static void prepare(struct mmsghdr *msg, struct iovec *iov, union control *control,
		    struct pl_wire_packet *packet)
{
	*iov = (struct iovec){.iov_base = packet->data, .iov_len = sizeof(packet->data)};
	msg->msg_hdr = (struct msghdr){
		.msg_name = &packet->arrival.from,
		.msg_namelen = sizeof(packet->arrival.from),
		.msg_iov = iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(*control),
	};
}

unsigned pl_wire_receive_many(int fd, struct pl_wire_clock *clock,
			      struct pl_wire_packet v[PL_WIRE_BATCH])
{
	struct mmsghdr msg[PL_WIRE_BATCH];
	struct iovec iov[PL_WIRE_BATCH];
	union control control[PL_WIRE_BATCH];
	struct timespec stamp;
	int64_t now_ns, wall_ns;
	bool believed;
	int n;

	for (unsigned k = 0; k < PL_WIRE_BATCH; k++)
		prepare(&msg[k], &iov[k], &control[k], &v[k]);
	n = recvmmsg(fd, msg, PL_WIRE_BATCH, 0, NULL);
	if (n <= 0)
		return 0;
	wall_ns = wall_clock_ns();
	now_ns = pl_clock_ns();
	believed = !was_set(clock, wall_ns, now_ns);
	for (int k = 0; k < n; k++) {
		v[k].len = msg[k].msg_len;
		v[k].arrival.waited_ns = 0;
		if (believed && get_stamp(&msg[k].msg_hdr, &stamp))
			v[k].arrival.waited_ns = waited(nanoseconds(&stamp), wall_ns);
		v[k].arrival.at_ns = now_ns - v[k].arrival.waited_ns;
	}
	return (unsigned)n;
}

uint32_t pl_wire_dropped(int fd)
{
	uint32_t v[SK_MEMINFO_VARS] = {0};
	socklen_t len = sizeof(v);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, v, &len))
		return 0;
	return v[SK_MEMINFO_DROPS];
}
