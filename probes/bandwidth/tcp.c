/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.c - connections that carry a flow: for the peer of the round, for nobody else */
#include "config.h"

#include "probes/bandwidth/tcp.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connections of others that one call of pl_tcp_accept sends away. */
#define STRANGERS 64

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

/* @what: "listen at", a port. Without the address: then hosts that fail for one reason say the
 * same. */
static int refuse(const char *what, int port_min, int port_max, struct pl_err *err)
{
	const char *why = strerror(errno);

	if (port_max == 0)
		return pl_err_set(err, PL_ESYSTEM, "cannot %s a TCP port: %s", what, why);
	return pl_err_set(err, PL_ESYSTEM,
			  "cannot %s TCP ports %d-%d: %s (--ports=LO-HI names others)", what,
			  port_min, port_max, why);
}

static int listen_at(const struct pl_addr *addr, int port)
{
	const int on = 1;
	const int fd = open_socket(addr);
	int why;

	if (fd < 0)
		return -1;
	if (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) &&
	    !bind_to(fd, addr, port) && !listen(fd, SOMAXCONN))
		return fd;
	why = errno;
	close(fd);
	errno = why;
	return -1;
}

int pl_tcp_listen(const struct pl_addr *addr, int port_min, int port_max, int *port,
		  struct pl_err *err)
{
	for (int p = port_min; p <= port_max; p++) {
		const int fd = listen_at(addr, p);

		if (fd >= 0) {
			*port = pl_addr_port(fd);
			return fd;
		}
		if (errno != EADDRINUSE && errno != EACCES)
			break;
	}
	return refuse("listen at", port_min, port_max, err);
}

/* From any port: it stands in one place in both families' addresses. */
static bool is_peer(const struct sockaddr_storage *from, const struct pl_addr *peer)
{
	const int port = ntohs(((const struct sockaddr_in *)from)->sin_port);
	struct sockaddr_storage want;

	pl_addr_socket(peer, port, &want);
	return pl_addr_is_from(from, &want);
}

int pl_tcp_accept(int listener, const struct pl_addr *peer, uint64_t *refused)
{
	for (int i = 0; i < STRANGERS; i++) {
		struct sockaddr_storage from;
		socklen_t len = sizeof(from);
		const int fd = accept4(listener, (struct sockaddr *)&from, &len,
				       SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0 || is_peer(&from, peer))
			return fd;
		pl_tcp_abort(fd);
		++*refused;
	}
	return -1;
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
	return refuse("connect from", port_min, port_max, err);
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
