/* SPDX-License-Identifier: BSD-3-Clause */
/* lane.c - one TCP connection between two ranks, which carries chunks */
#include "config.h"

#include "engine/lane.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* Of a length in a head: the chunk is in the FIFO. */
#define IN_FIFO ((uint32_t)1 << 31)

void pl_lane_fini(struct pl_lane *lane)
{
	if (lane->fd >= 0)
		close(lane->fd);
	free(lane->queue);
	if (lane->arrival != &lane->lent)
		free(lane->arrival);
	pl_fifo_memory_destroy(lane->shared);
	*lane = (struct pl_lane){.fd = -1};
}

static void put32(unsigned char *at, uint32_t value)
{
	value = htonl(value);
	memcpy(at, &value, sizeof(value));
}

static uint32_t get32(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return ntohl(value);
}

/* A full queue becomes twice as long, with the first entry in front. */
static int make_room(struct pl_lane *lane)
{
	const size_t room = lane->room ? 2 * lane->room : 16;
	struct pl_lane_send *queue;

	if (lane->n < lane->room)
		return 0;
	queue = pl_array_create(room, sizeof(*queue));
	if (!queue)
		return -1;
	for (size_t i = 0; i < lane->n; i++)
		queue[i] = lane->queue[(lane->first + i) % lane->room];
	free(lane->queue);
	lane->queue = queue;
	lane->room = room;
	lane->first = 0;
	return 0;
}

int pl_lane_gone(const struct pl_lane *lane, struct pl_err *err)
{
	return pl_err_set(err, PL_ESYSTEM, "rank %u has closed its connection",
			  lane->peer);
}

static int failed(const struct pl_lane *lane, const char *what,
		  struct pl_err *err)
{
	if (errno == EPIPE || errno == ECONNRESET)
		return pl_lane_gone(lane, err);
	return pl_err_errno(err, "cannot %s rank %u", what, lane->peer);
}

/* 1: the first of the queue is all sent; 0: the kernel takes no more. */
static int write_first(struct pl_lane *lane, struct pl_err *err)
{
	const struct pl_lane_send *s = &lane->queue[lane->first];
	const size_t all = PL_LANE_HEAD_BYTES + s->bytes;

	while (lane->sent < all) {
		const size_t skip = lane->sent < PL_LANE_HEAD_BYTES
					    ? 0
					    : lane->sent - PL_LANE_HEAD_BYTES;
		struct iovec part[2] = {
			{(void *)(s->head + lane->sent),
			 PL_LANE_HEAD_BYTES - lane->sent},
			{(void *)(s->data + skip), s->bytes - skip}};
		const bool in_data = lane->sent >= PL_LANE_HEAD_BYTES;
		const struct msghdr message = {.msg_iov = part + in_data,
					       .msg_iovlen = 2U - in_data};
		const ssize_t n = sendmsg(lane->fd, &message, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		if (n < 0)
			return failed(lane, "send to", err);
		lane->sent += (size_t)n;
	}
	return 1;
}

int pl_lane_flush(struct pl_lane *lane, uint32_t *chunk, struct pl_err *err)
{
	int rc;

	if (lane->n == 0)
		return 0;
	rc = write_first(lane, err);
	if (rc <= 0)
		return rc;
	*chunk = lane->queue[lane->first].chunk;
	lane->first = (lane->first + 1) % lane->room;
	lane->n--;
	lane->sent = 0;
	return 1;
}

int pl_lane_send(struct pl_lane *lane, uint8_t call, uint32_t chunk,
		 const void *data, size_t bytes, struct pl_err *err)
{
	struct pl_lane_send *s;
	void *fifo;

	if (make_room(lane))
		return pl_err_nomem(err);
	fifo = pl_fifo_write(&lane->out, bytes);
	if (fifo)
		memcpy(fifo, data, bytes);
	s = &lane->queue[(lane->first + lane->n++) % lane->room];
	*s = (struct pl_lane_send){
		.data = data, .bytes = fifo ? 0 : bytes, .chunk = chunk};
	put32(s->head, (uint32_t)call << 24 | chunk);
	put32(s->head + 4, (uint32_t)bytes | (fifo ? IN_FIFO : 0));
	return lane->n == 1 ? pl_lane_flush(lane, &chunk, err) : 0;
}

/* Reads what is left of the chunk that is coming in, and of the head behind it.
 * 1: something came; 0: nothing can be read now. */
static int read_some(struct pl_lane *lane, struct pl_err *err)
{
	const size_t left = lane->arrival ? lane->bytes - lane->got : 0;
	struct iovec part[2] = {
		{lane->arrival ? lane->arrival->data + lane->got : NULL, left},
		{lane->head + lane->got_head,
		 PL_LANE_HEAD_BYTES - lane->got_head}};
	struct msghdr message = {.msg_iov = part + (left == 0),
				 .msg_iovlen = left ? 2 : 1};
	ssize_t n;

	do
		n = recvmsg(lane->fd, &message, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (n < 0)
		return failed(lane, "receive from", err);
	if (n == 0 && (lane->arrival || lane->got_head > 0))
		return pl_lane_gone(lane, err);
	lane->ended = n == 0;
	if ((size_t)n <= left) {
		lane->got += (size_t)n;
	} else {
		lane->got += left;
		lane->got_head += (size_t)n - left;
	}
	return n > 0;
}

/* Where the chunk is or will be: in the FIFO, at its place in the buffer, or in
 * memory of its own. */
static int find_memory(struct pl_lane *lane, const struct pl_allreduce *r,
		       bool in_fifo, struct pl_err *err)
{
	unsigned char *at =
		in_fifo ? pl_fifo_read(&lane->in, lane->bytes)
			: pl_allreduce_place(r, lane->chunk, lane->peer);

	if (in_fifo && !at)
		return pl_err_set(err, PL_EINPUT,
				  "rank %u sends chunk %u in memory that is "
				  "not shared",
				  lane->peer, lane->chunk);
	lane->lent = (struct pl_chunk_arrival){.data = at, .is_lent = true};
	lane->arrival = at ? &lane->lent : pl_chunk_arrival_create(lane->bytes);
	if (!lane->arrival)
		return pl_err_nomem(err);
	lane->arrival->peer = lane->peer;
	return 0;
}

/* The head is there: 1 if its chunk can be read, 0 if its call has not
 * begun. */
static int begin_chunk(struct pl_lane *lane, const struct pl_allreduce *r,
		       uint8_t call, struct pl_err *err)
{
	const uint32_t chunk = get32(lane->head) % PL_LANE_CHUNKS_MAX;
	const uint32_t bytes = get32(lane->head + 4) & ~IN_FIFO;
	const bool in_fifo = get32(lane->head + 4) & IN_FIFO;

	lane->held = lane->head[0] != call;
	if (lane->held)
		return 0;
	if (bytes == 0 || bytes != pl_allreduce_bytes(r, chunk))
		return pl_err_set(err, PL_EINPUT,
				  "rank %u sends %u bytes of chunk %u, which "
				  "has %zu here: the ranks' buffers differ",
				  lane->peer, bytes, chunk,
				  pl_allreduce_bytes(r, chunk));
	lane->chunk = chunk;
	lane->bytes = bytes;
	lane->got = in_fifo ? bytes : 0;
	lane->got_head = 0;
	return find_memory(lane, r, in_fifo, err) ? -1 : 1;
}

int pl_lane_receive(struct pl_lane *lane, const struct pl_allreduce *r,
		    uint8_t call, uint32_t *chunk,
		    struct pl_chunk_arrival **arrival, struct pl_err *err)
{
	int rc = 1;

	if (!lane->arrival)
		pl_fifo_free(&lane->in);
	while (rc > 0 && !lane->arrival && lane->got_head < PL_LANE_HEAD_BYTES)
		rc = read_some(lane, err);
	if (rc > 0 && !lane->arrival)
		rc = begin_chunk(lane, r, call, err);
	while (rc > 0 && lane->got < lane->bytes)
		rc = read_some(lane, err);
	if (rc <= 0)
		return rc;
	*chunk = lane->chunk;
	*arrival = lane->arrival;
	lane->arrival = NULL;
	return 1;
}
