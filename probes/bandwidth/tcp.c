/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.c - connections that carry a flow: for the peer of the round, for nobody
 * else */
#include "config.h"

#include "probes/bandwidth/tcp.h"

#include "probes/agent/bpf.h"

#include <errno.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 32

/* A filter of the kernel's (socket(7), SO_ATTACH_FILTER): packets whose source
 * is @peer pass. An accepted connection inherits it. */
static int hear_only(int fd, const struct pl_addr *peer)
{
	struct pl_bpf code;
	struct sock_fprog program = {.filter = code.v};

	code.n = 0;
	pl_bpf_must_come_from(&code, peer->family, peer->bytes);
	pl_bpf_accept(&code);
	program.len = code.n;
	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
}

static int open_socket(const struct pl_addr *addr)
{
	return socket(addr->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static int bind_to(int fd, const struct pl_addr *addr, int port)
{
	struct sockaddr_storage at;
	const socklen_t len = pl_addr_socket(addr, port, &at);

	return bind(fd, (const struct sockaddr *)&at, len);
}

static int refuse(const struct pl_addr *addr, int port_min, int port_max, struct pl_err *err)
{
	char text[PL_ADDR_CHARS];
	const char *why = strerror(errno);

	if (port_max == 0)
		return pl_err_set(err, PL_ESYSTEM, "cannot bind to %s: %s",
				  pl_addr_format(addr, text), why);
	return pl_err_set(err, PL_ESYSTEM,
			  "cannot bind to %s, TCP ports %d-%d: %s "
			  "(--ports=LO-HI names others)",
			  pl_addr_format(addr, text), port_min, port_max, why);
}

static int listen_at(const struct pl_addr *addr, const struct pl_addr *peer, int port)
{
	const int on = 1;
	const int fd = open_socket(addr);
	int why;

	if (fd < 0)
		return -1;
	if (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) && !hear_only(fd, peer) &&
	    !bind_to(fd, addr, port) && !listen(fd, BACKLOG))
		return fd;
	why = errno;
	close(fd);
	errno = why;
	return -1;
}

int pl_tcp_listen(const struct pl_addr *addr, const struct pl_addr *peer, int port_min,
		  int port_max, int *port, struct pl_err *err)
{
	if (addr->family != peer->family)
		return pl_err_set(err, PL_EINPUT, "the peer's address is of another family");
	for (int p = port_min; p <= port_max; p++) {
		const int fd = listen_at(addr, peer, p);

		if (fd >= 0) {
			*port = pl_addr_port(fd);
			return fd;
		}
		if (errno != EADDRINUSE && errno != EACCES)
			break;
	}
	return refuse(addr, port_min, port_max, err);
}

int pl_tcp_accept(int listener)
{
	return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

static int connect_from(const struct pl_addr *addr, int port, const struct sockaddr_storage *to,
			socklen_t len)
{
	const int fd = open_socket(addr);
	int why;

	if (fd < 0)
		return -1;
	if (!bind_to(fd, addr, port) &&
	    (!connect(fd, (const struct sockaddr *)to, len) || errno == EINPROGRESS))
		return fd;
	why = errno;
	close(fd);
	errno = why;
	return -1;
}

int pl_tcp_connect(const struct pl_addr *addr, int port_min, int port_max,
		   const struct pl_addr *peer, int peer_port, struct pl_err *err)
{
	struct sockaddr_storage to;
	const socklen_t len = pl_addr_socket(peer, peer_port, &to);

	for (int p = port_min; p <= port_max; p++) {
		const int fd = connect_from(addr, p, &to, len);

		if (fd >= 0)
			return fd;
		if (errno != EADDRINUSE && errno != EADDRNOTAVAIL && errno != EACCES)
			return pl_err_errno(err, "cannot connect");
	}
	return refuse(addr, port_min, port_max, err);
}

int pl_tcp_is_connected(int fd, int *why)
{
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	socklen_t len = sizeof(*why);

	if (poll(&p, 1, 0) <= 0 || p.revents == 0)
		return 0;
	*why = 0;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, why, &len))
		*why = errno;
	return *why ? -1 : 1;
}

void pl_tcp_abort(int fd)
{
	const struct linger at_once = {.l_onoff = 1, .l_linger = 0};

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(fd);
}

/* 0, or -1: not known. */
static int ask_kernel(int fd, struct tcp_info *info)
{
	socklen_t len = sizeof(*info);

	memset(info, 0, sizeof(*info));
	return getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &len);
}

uint64_t pl_tcp_resent(int fd)
{
	struct tcp_info info;

	return ask_kernel(fd, &info) ? 0 : info.tcpi_total_retrans;
}

int64_t pl_tcp_rtt_ns(int fd)
{
	struct tcp_info info;

	return ask_kernel(fd, &info) ? 0 : (int64_t)info.tcpi_rtt * 1000;
}
