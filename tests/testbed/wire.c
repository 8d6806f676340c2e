/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.c - what `exec` and a host's first process say to each other */
#include "config.h"

#include "tests/testbed/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

union control {
	struct cmsghdr header;
	char space[CMSG_SPACE(TB_FDS * sizeof(int))];
};

static ssize_t send_some(int sock, const struct msghdr *msg)
{
	ssize_t n;

	do {
		n = sendmsg(sock, msg, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n;
}

int tb_wire_send(int sock, const void *data, size_t len, const int *fd, size_t n_fds)
{
	struct iovec iov;
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	union control control = {0};
	size_t sent = 0;

	if (n_fds) {
		msg.msg_control = control.space;
		msg.msg_controllen = CMSG_SPACE(n_fds * sizeof(int));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(n_fds * sizeof(int));
		memcpy(CMSG_DATA(&control.header), fd, n_fds * sizeof(int));
	}
	while (sent < len) {
		ssize_t n;

		iov.iov_base = (char *)(uintptr_t)data + sent;
		iov.iov_len = len - sent;
		n = send_some(sock, &msg);
		if (n < 0)
			return -1;
		sent += (size_t)n;
		msg.msg_control = NULL;
		msg.msg_controllen = 0;
	}
	return 0;
}

static size_t take_fds(struct msghdr *msg, int fd[TB_FDS])
{
	struct cmsghdr *header = CMSG_FIRSTHDR(msg);
	size_t n;

	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return 0;
	n = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	memcpy(fd, CMSG_DATA(header), n * sizeof(int));
	return n;
}

ssize_t tb_wire_receive_fds(int sock, void *data, size_t len, int *fd, size_t n_fds)
{
	struct iovec iov = {.iov_base = data, .iov_len = len};
	union control control = {0};
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.space,
		.msg_controllen = sizeof(control.space),
	};
	int got[TB_FDS];
	size_t n_got;
	ssize_t n;

	do {
		n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n;
	n_got = take_fds(&msg, got);
	if (n_got != n_fds) {
		for (size_t i = 0; i < n_got; i++)
			close(got[i]);
		/* cut off: there was no descriptor free */
		errno = msg.msg_flags & MSG_CTRUNC ? EMFILE : EPROTO;
		return -1;
	}
	memcpy(fd, got, n_fds * sizeof(int));
	return n;
}

int tb_wire_receive(int sock, void *data, size_t len)
{
	size_t got = 0;

	while (got < len) {
		const ssize_t n = recv(sock, (char *)data + got, len - got, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		got += (size_t)n;
	}
	return 0;
}
