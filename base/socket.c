/* SPDX-License-Identifier: BSD-3-Clause */
/* socket.c - connections between processes that know an address */
#include "config.h"

#include "base/socket.h"

#include "base/clock.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SECOND_NS ((int64_t)1000 * 1000 * 1000)
#define RETRY_MS 50

bool pl_socket_is_ready(int fd, short events, int64_t deadline_ns)
{
	struct pollfd p = {.fd = fd, .events = events};

	for (;;) {
		const int64_t left_ns = deadline_ns - pl_clock_ns();
		const int64_t left_ms = left_ns / 1000000 + 1;
		int rc;

		if (left_ns <= 0)
			return false;
		rc = poll(&p, 1, left_ms < 60000 ? (int)left_ms : 60000);
		if (rc > 0)
			return true;
		if (rc < 0 && errno != EINTR)
			return false;
	}
}

bool pl_socket_read(int fd, void *to, size_t bytes, int64_t deadline_ns)
{
	for (size_t got = 0; got < bytes;) {
		ssize_t n;

		if (!pl_socket_is_ready(fd, POLLIN, deadline_ns))
			return false;
		n = recv(fd, (char *)to + got, bytes - got, 0);
		if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
			return false;
		got += n > 0 ? (size_t)n : 0;
	}
	return true;
}

bool pl_socket_write(int fd, const void *from, size_t bytes, int64_t deadline_ns)
{
	for (size_t sent = 0; sent < bytes;) {
		ssize_t n;

		if (!pl_socket_is_ready(fd, POLLOUT, deadline_ns))
			return false;
		n = send(fd, (const char *)from + sent, bytes - sent, MSG_NOSIGNAL);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return false;
		sent += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* The addresses; NULL with @err set. */
static struct addrinfo *resolve(const char *address, bool listens, struct pl_err *err)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
				       .ai_flags = AI_NUMERICSERV | (listens ? AI_PASSIVE : 0)};
	const char *colon = strrchr(address, ':');
	const bool brackets = address[0] == '[' && colon > address + 1 && colon[-1] == ']';
	struct addrinfo *found = NULL;
	char *host;
	int why;

	if (!colon || colon == address || !colon[1] ||
	    (!brackets && memchr(address, ':', (size_t)(colon - address)))) {
		pl_err_set(err, PL_EUSAGE, "\"%s\": HOST:PORT or [IPV6]:PORT must stand here",
			   address);
		return NULL;
	}
	host = pl_string_copy(address + brackets, (size_t)(colon - address) - 2U * brackets);
	if (!host) {
		pl_err_nomem(err);
		return NULL;
	}
	why = getaddrinfo(host, colon + 1, &hints, &found);
	free(host);
	if (why)
		pl_err_set(err, PL_ESYSTEM, "%s: %s", address,
			   why == EAI_SYSTEM ? strerror(errno) : gai_strerror(why));
	return why ? NULL : found;
}

/* Debian's /etc/hosts has 127.0.1.1 for the machine's own name, which others know by another
 * address. */
static void widen(const struct addrinfo *to)
{
	struct sockaddr_in *at = (void *)to->ai_addr;

	if (to->ai_family == AF_INET && at->sin_addr.s_addr == htonl(0x7f000101))
		at->sin_addr.s_addr = htonl(INADDR_ANY);
}

int pl_socket_listen(const char *address, struct pl_err *err)
{
	struct addrinfo *found = resolve(address, true, err);
	const int on = 1;
	int fd;

	if (!found)
		return -1;
	if (strncmp(address, "127.0.1.1:", 10) != 0)
		widen(found);
	fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, SOMAXCONN)) {
		pl_err_errno(err, "cannot listen at %s", address);
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	freeaddrinfo(found);
	return fd;
}

/* A connection; -1: not yet. */
static int connect_once(const struct addrinfo *to, int64_t deadline_ns)
{
	const int64_t patience_ns = pl_clock_ns() + 5 * SECOND_NS;
	const int fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int failed = 0;
	socklen_t length = sizeof(failed);

	if (fd < 0)
		return -1;
	if ((connect(fd, to->ai_addr, to->ai_addrlen) == 0 || errno == EINPROGRESS) &&
	    pl_socket_is_ready(fd, POLLOUT,
			       patience_ns < deadline_ns ? patience_ns : deadline_ns) &&
	    getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &length) == 0 && !failed)
		return fd;
	close(fd);
	return -1;
}

int pl_socket_connect(const char *address, int64_t deadline_ns, struct pl_err *err)
{
	struct addrinfo *found = resolve(address, false, err);
	int fd = -1;

	if (!found)
		return -1;
	while (fd < 0 && pl_clock_ns() < deadline_ns) {
		for (const struct addrinfo *to = found; to && fd < 0; to = to->ai_next)
			fd = connect_once(to, deadline_ns);
		if (fd < 0)
			poll(NULL, 0, RETRY_MS);
	}
	freeaddrinfo(found);
	if (fd < 0)
		pl_err_set(err, PL_EPARTIAL, "nothing listens at %s", address);
	return fd;
}
