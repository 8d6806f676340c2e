/* SPDX-License-Identifier: BSD-3-Clause */
/* lane.c - what carries chunks between two ranks: a TCP connection, and memory that they share */
#include "config.h"

#include "engine/lane.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* Of a length in a head. */
#define SIGNAL ((uint32_t)1 << 31)

/* That one call of the kernel takes. */
#define CHUNKS_AT_ONCE 16

void pl_lane_fini(struct pl_lane *lane)
{
	if (lane->fd >= 0)
		close(lane->fd);
	free(lane->queue);
	pl_reader_fini(&lane->reader);
	if (lane->arrival != &lane->lent)
		free(lane->arrival);
	pl_fifo_memory_destroy(lane->shared);
	*lane = (struct pl_lane){.fd = -1};
}

/* What is left of a chunk goes in parts. */
static size_t bytes_of_part(size_t left)
{
	return left < PL_FIFO_PART_MAX ? left : PL_FIFO_PART_MAX;
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

const char *pl_peer_text(char buf[PL_PEER_CHARS], uint32_t peer, const char *hub)
{
	if (hub)
		snprintf(buf, PL_PEER_CHARS, "hub %s", hub);
	else
		snprintf(buf, PL_PEER_CHARS, "rank %u", peer);
	return buf;
}

/* For the arguments of one call. */
#define PEER(lane) pl_peer_text((char[PL_PEER_CHARS]){0}, (lane)->peer, (lane)->hub)

int pl_lane_gone(const struct pl_lane *lane, struct pl_err *err)
{
	return pl_err_set(err, PL_ESYSTEM, "%s has closed its connection", PEER(lane));
}

static int failed(const struct pl_lane *lane, const char *what, struct pl_err *err)
{
	if (errno == EPIPE || errno == ECONNRESET)
		return pl_lane_gone(lane, err);
	return pl_err_errno(err, "cannot %s %s", what, PEER(lane));
}

static const struct pl_lane_send *queued(const struct pl_lane *lane, size_t i)
{
	return &lane->queue[(lane->first + i) % lane->room];
}

/* What is to be sent, of as many chunks as one call takes, without the bytes that are sent. Returns
 * how many parts. */
static size_t gather(const struct pl_lane *lane, struct iovec part[2 * CHUNKS_AT_ONCE])
{
	size_t skip = lane->sent, n = 0;

	for (size_t i = 0; i < lane->n && i < CHUNKS_AT_ONCE; i++) {
		const struct pl_lane_send *s = queued(lane, i);

		if (skip < PL_LANE_HEAD_BYTES) {
			part[n++] =
				(struct iovec){(void *)(s->head + skip), PL_LANE_HEAD_BYTES - skip};
			skip = PL_LANE_HEAD_BYTES;
		}
		skip -= PL_LANE_HEAD_BYTES;
		part[n++] = (struct iovec){(void *)(s->data + skip), s->bytes - skip};
		skip = 0;
	}
	return n;
}

/* 1: the first of the queue is all sent, and maybe some of the next ones; 0: the kernel takes no
 * more. */
static int write_first(struct pl_lane *lane, struct pl_err *err)
{
	while (lane->sent < PL_LANE_HEAD_BYTES + queued(lane, 0)->bytes) {
		struct iovec part[2 * CHUNKS_AT_ONCE];
		const struct msghdr message = {.msg_iov = part, .msg_iovlen = gather(lane, part)};
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

/* Has the peer look into the memory; whether it is still there is found out elsewhere. */
static void ring(const struct pl_lane *lane)
{
	send(lane->fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* As write_first, into shared memory. */
static int share_first(struct pl_lane *lane, struct pl_err *err)
{
	const struct pl_lane_send *s = &lane->queue[lane->first];

	if (lane->ended)
		return pl_lane_gone(lane, err);
	while (lane->sent < s->bytes) {
		const size_t n = bytes_of_part(s->bytes - lane->sent);
		void *part = pl_fifo_reserve(&lane->out, n);

		if (!part)
			return 0;
		memcpy(part, s->data + lane->sent, n);
		if (pl_fifo_write(&lane->out, s->head, n))
			ring(lane);
		lane->sent += n;
	}
	return 1;
}

int pl_lane_flush(struct pl_lane *lane, uint32_t *chunk, struct pl_err *err)
{
	const struct pl_lane_send *first;
	int rc;

	if (lane->n == 0)
		return 0;
	rc = lane->shared ? share_first(lane, err) : write_first(lane, err);
	lane->blocked = rc == 0;
	if (rc <= 0)
		return rc;
	first = queued(lane, 0);
	*chunk = first->chunk;
	lane->sent -= (lane->shared ? 0 : PL_LANE_HEAD_BYTES) + first->bytes;
	lane->first = (lane->first + 1) % lane->room;
	lane->n--;
	return 1;
}

int pl_lane_queue(struct pl_lane *lane, uint8_t call, uint32_t chunk, const void *data,
		  size_t bytes, bool signal, struct pl_err *err)
{
	struct pl_lane_send *s;

	if (make_room(lane))
		return pl_err_nomem(err);
	s = &lane->queue[(lane->first + lane->n++) % lane->room];
	*s = (struct pl_lane_send){.data = data, .bytes = bytes, .chunk = chunk};
	put32(s->head, (uint32_t)call << 24 | chunk);
	put32(s->head + 4, (uint32_t)bytes | (signal ? SIGNAL : 0));
	return 0;
}

void pl_lane_hear(struct pl_lane *lane)
{
	char bells[64];
	ssize_t n;

	do
		n = recv(lane->fd, bells, sizeof(bells), MSG_DONTWAIT);
	while (n > 0 || (n < 0 && errno == EINTR));
	lane->ended |= n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

static int broken(const struct pl_lane *lane, struct pl_err *err)
{
	return pl_err_set(err, PL_EINPUT, "%s writes into shared memory what it may not",
			  PEER(lane));
}

/* Reads on until *have is @want. 1; 0: no more can be read now, or the peer has ended, which it may
 * between two chunks only. */
static int read_to(struct pl_lane *lane, unsigned char *to, size_t *have, size_t want,
		   struct pl_err *err)
{
	const int rc = pl_reader_fill(&lane->reader, lane->fd, to, have, want);

	if (rc >= 0)
		return rc;
	if (errno == ENOMEM)
		return pl_err_nomem(err);
	if (errno != 0)
		return failed(lane, "receive from", err);
	if (lane->arrival || lane->got_head > 0)
		return pl_lane_gone(lane, err);
	lane->ended = true;
	return 0;
}

/* Where the chunk is or will be: in shared memory, at its place in the buffer, or in memory of its
 * own. */
static int find_memory(struct pl_lane *lane, const struct pl_allreduce *r, struct pl_err *err)
{
	const bool is_there = lane->shared && lane->bytes <= PL_FIFO_PART_MAX;
	const unsigned char *at = is_there ? pl_fifo_read(&lane->in, lane->bytes)
					   : pl_allreduce_place(r, lane->chunk, lane->peer);

	if (is_there && !at)
		return broken(lane, err);
	lane->got = is_there ? lane->bytes : 0;
	lane->lent = (struct pl_chunk_arrival){.data = (unsigned char *)at, .is_lent = true};
	lane->arrival = at ? &lane->lent : pl_chunk_arrival_create(r->transport.spare, lane->bytes);
	if (!lane->arrival)
		return pl_err_nomem(err);
	lane->arrival->peer = lane->peer;
	lane->arrival->signal = get32(lane->head + 4) & SIGNAL;
	return 0;
}

/* The head is there: 1 if its chunk can be read, 0 if its call has not
 * begun. */
static int begin_chunk(struct pl_lane *lane, const struct pl_allreduce *r, uint8_t call,
		       struct pl_err *err)
{
	const uint32_t chunk = get32(lane->head) % PL_LANE_CHUNKS_MAX;
	const uint32_t bytes = get32(lane->head + 4) & ~SIGNAL;

	lane->held = lane->head[0] != call;
	if (lane->held)
		return 0;
	if (bytes == 0 || bytes != pl_allreduce_bytes(r, chunk))
		return pl_err_set(err, PL_EINPUT,
				  "%s sends %u bytes of chunk %u, which has %zu here: the ranks' "
				  "buffers differ",
				  PEER(lane), bytes, chunk, pl_allreduce_bytes(r, chunk));
	lane->chunk = chunk;
	lane->bytes = bytes;
	lane->got_head = 0;
	return find_memory(lane, r, err) ? -1 : 1;
}

/* 1: the chunk is all there; 0: no more can be read now. */
static int receive_stream(struct pl_lane *lane, const struct pl_allreduce *r, uint8_t call,
			  struct pl_err *err)
{
	int rc = 1;

	if (!lane->arrival)
		rc = read_to(lane, lane->head, &lane->got_head, PL_LANE_HEAD_BYTES, err);
	if (rc > 0 && !lane->arrival)
		rc = begin_chunk(lane, r, call, err);
	if (rc > 0)
		rc = read_to(lane, lane->arrival->data, &lane->got, lane->bytes, err);
	return rc;
}

static void free_parts(struct pl_lane *lane)
{
	if (pl_fifo_free(&lane->in))
		ring(lane);
}

/* Copies the part of the chunk that is there. */
static int take_part(struct pl_lane *lane, struct pl_err *err)
{
	const size_t n = bytes_of_part(lane->bytes - lane->got);
	const unsigned char *part = pl_fifo_read(&lane->in, n);

	if (!part)
		return broken(lane, err);
	memcpy(lane->arrival->data + lane->got, part, n);
	lane->got += n;
	free_parts(lane);
	return 1;
}

/* As receive_stream, out of shared memory. */
static int receive_parts(struct pl_lane *lane, const struct pl_allreduce *r, uint8_t call,
			 struct pl_err *err)
{
	int rc = 1;

	if (!lane->arrival)
		free_parts(lane);
	while (rc > 0 && !(lane->arrival && lane->got == lane->bytes)) {
		const unsigned char *head = pl_fifo_head(&lane->in);

		if (!head)
			return 0;
		memcpy(lane->head, head, PL_LANE_HEAD_BYTES);
		rc = lane->arrival ? take_part(lane, err) : begin_chunk(lane, r, call, err);
	}
	return rc;
}

int pl_lane_receive(struct pl_lane *lane, const struct pl_allreduce *r, uint8_t call,
		    uint32_t *chunk, struct pl_chunk_arrival **arrival, struct pl_err *err)
{
	const int rc = lane->shared ? receive_parts(lane, r, call, err)
				    : receive_stream(lane, r, call, err);

	if (rc <= 0)
		return rc;
	*chunk = lane->chunk;
	*arrival = lane->arrival;
	lane->arrival = NULL;
	return 1;
}
