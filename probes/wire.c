/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.c - the UDP socket that probes and replies go through */
#include "config.h"

#include "probes/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <unistd.h>

static int bound_port(int fd)
{
	struct sockaddr_storage addr;
	socklen_t len = sizeof(addr);

	if (getsockname(fd, (struct sockaddr *)&addr, &len))
		return -1;
	if (addr.ss_family == AF_INET)
		return ntohs(((struct sockaddr_in *)&addr)->sin_port);
	return ntohs(((struct sockaddr_in6 *)&addr)->sin6_port);
}

int pl_wire_bind(const struct pl_addr *addr, int port_min, int port_max,
		 int *port, struct pl_err *err)
{
	struct sockaddr_storage to;
	socklen_t len;
	char text[PL_ADDR_CHARS];
	int fd, saved = EADDRINUSE;

	fd = socket(addr->family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return pl_err_errno(err, "cannot create a socket");
	for (int p = port_min; p <= port_max; p++) {
		len = pl_addr_socket(addr, p, &to);
		if (!bind(fd, (struct sockaddr *)&to, len)) {
			*port = bound_port(fd);
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
	return pl_err_errno(err, "cannot bind to %s, ports %d-%d", text,
			    port_min, port_max);
}

int pl_wire_send(int fd, const uint8_t packet[PL_PACKET_BYTES],
		 const struct sockaddr_storage *to)
{
	const socklen_t len = to->ss_family == AF_INET
				      ? sizeof(struct sockaddr_in)
				      : sizeof(struct sockaddr_in6);

	if (sendto(fd, packet, PL_PACKET_BYTES, 0, (const struct sockaddr *)to,
		   len) < 0)
		return errno;
	return 0;
}

ssize_t pl_wire_receive(int fd, void *data, size_t size,
			struct sockaddr_storage *from)
{
	socklen_t len = sizeof(*from);

	return recvfrom(fd, data, size, 0, (struct sockaddr *)from, &len);
}
