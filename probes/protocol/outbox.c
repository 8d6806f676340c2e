/* SPDX-License-Identifier: BSD-3-Clause */
/* outbox.c - bytes that wait until a pipe takes them */
#include "config.h"

#include "probes/protocol/outbox.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEAST ((size_t)4096) /* room, once there is any */

size_t pl_outbox_waiting(const struct pl_outbox *box)
{
	return box->end - box->begin;
}

static void wipe(struct pl_outbox *box)
{
	if (box->data)
		sodium_memzero(box->data, box->room);
	free(box->data);
	box->data = NULL;
	box->room = 0;
}

/* What waits moves to the front of more room. */
static int grow(struct pl_outbox *box, size_t need)
{
	const size_t waiting = pl_outbox_waiting(box);
	struct pl_outbox more = {.most = box->most, .end = waiting};

	more.room = box->room ? box->room : LEAST;
	while (more.room < need)
		more.room *= 2;
	more.data = malloc(more.room);
	if (!more.data)
		return -1;
	if (waiting)
		memcpy(more.data, box->data + box->begin, waiting);
	wipe(box);
	*box = more;
	return 0;
}

uint8_t *pl_outbox_room(struct pl_outbox *box, size_t len)
{
	const size_t waiting = pl_outbox_waiting(box);

	if (len > box->most || waiting > box->most - len)
		return NULL;
	if (waiting + len > box->room) {
		if (grow(box, waiting + len))
			return NULL;
	} else if (box->end + len > box->room) {
		memmove(box->data, box->data + box->begin, waiting);
		box->begin = 0;
		box->end = waiting;
	}
	return box->data + box->end;
}

void pl_outbox_add(struct pl_outbox *box, size_t len)
{
	box->end += len;
}

int pl_outbox_put(struct pl_outbox *box, const void *data, size_t len)
{
	uint8_t *to;

	if (len == 0)
		return 0;
	to = pl_outbox_room(box, len);
	if (!to)
		return -1;
	memcpy(to, data, len);
	pl_outbox_add(box, len);
	return 0;
}

int pl_outbox_flush(struct pl_outbox *box, int fd, size_t most, bool once)
{
	while (box->begin < box->end) {
		size_t len = pl_outbox_waiting(box);
		ssize_t put;

		if (len > most)
			len = most;
		put = write(fd, box->data + box->begin, len);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return errno == EAGAIN || errno == EWOULDBLOCK ? 1 : -1;
		box->begin += (size_t)put;
		if (once)
			break;
	}
	if (box->begin < box->end)
		return 1;
	box->begin = box->end = 0;
	return 0;
}

void pl_outbox_fini(struct pl_outbox *box)
{
	wipe(box);
	box->begin = box->end = 0;
}
