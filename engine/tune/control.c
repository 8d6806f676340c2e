/* SPDX-License-Identifier: BSD-3-Clause */
/* control.c - messages between rank 0 and each other rank, beside the chunks */
#include "config.h"

#include "engine/tune/control.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define HEAD_BYTES 8

void pl_control_prepare(const struct pl_control *c, size_t bytes)
{
	const int room = (int)(4 * bytes + 65536);

	setsockopt(c->fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
}

bool pl_control_send(const struct pl_control *c, uint32_t kind, const void *content, size_t bytes)
{
	uint32_t head[2] = {htonl(kind), htonl((uint32_t)bytes)};
	struct iovec part[2] = {{head, sizeof(head)}, {(void *)content, bytes}};
	const struct msghdr message = {.msg_iov = part, .msg_iovlen = 2};
	ssize_t n;

	do
		n = sendmsg(c->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)(sizeof(head) + bytes);
}

static uint32_t word(const struct pl_control *c, size_t k)
{
	uint32_t value;

	memcpy(&value, c->data + 4 * k, sizeof(value));
	return ntohl(value);
}

static bool make_room(struct pl_control *c, size_t bytes)
{
	void *more;

	if (bytes <= c->room)
		return true;
	if (bytes > HEAD_BYTES + PL_CONTROL_BYTES_MAX)
		return false;
	more = realloc(c->data, bytes);
	if (!more)
		return false;
	c->data = more;
	c->room = bytes;
	return true;
}

/* As pl_control_receive, up to @all bytes. */
static int read_up_to(struct pl_control *c, size_t all)
{
	while (c->got < all) {
		const ssize_t n = recv(c->fd, c->data + c->got, all - c->got, MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		if (n <= 0)
			return -1;
		c->got += (size_t)n;
	}
	return 1;
}

int pl_control_receive(struct pl_control *c, uint32_t *kind, size_t *bytes)
{
	int rc;

	if (!make_room(c, HEAD_BYTES))
		return -1;
	rc = read_up_to(c, HEAD_BYTES);
	if (rc <= 0)
		return rc;
	*kind = word(c, 0);
	*bytes = word(c, 1);
	if (!make_room(c, HEAD_BYTES + *bytes))
		return -1;
	rc = read_up_to(c, HEAD_BYTES + *bytes);
	if (rc > 0)
		c->got = 0;
	return rc;
}

void pl_control_put(unsigned char *message, size_t k, uint64_t value)
{
	value = htobe64(value);
	memcpy(message + k * sizeof(value), &value, sizeof(value));
}

uint64_t pl_control_get(const unsigned char *message, size_t k)
{
	uint64_t value;

	memcpy(&value, message + k * sizeof(value), sizeof(value));
	return be64toh(value);
}

void pl_control_fini(struct pl_control *c)
{
	free(c->data);
	*c = (struct pl_control){.fd = -1};
}
