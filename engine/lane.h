/* SPDX-License-Identifier: BSD-3-Clause */
/* lane.h - what carries chunks between two ranks: a TCP connection, and memory that they share */
/*
 * A message is a head of 8 bytes and a chunk: the number of the call, modulo 256, in the first
 * byte, the chunk's number in three, and its length in four, all in network order; the highest bit
 * of the length is the signal. A lane stops reading at the head of a call that its own rank has not
 * begun; the kernel's buffers then hold the peer back.
 *
 * Between ranks of one machine that share memory all this goes in FIFOs (fifo.h), long chunks in
 * several parts, each with the same head. The connection carries only bells there: a byte of any
 * value has the other rank look into the memory.
 */
#ifndef PLINK_ENGINE_LANE_H
#define PLINK_ENGINE_LANE_H

#include "base/err.h"
#include "engine/allreduce.h"
#include "engine/fifo.h"
#include "engine/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_LANE_HEAD_BYTES PL_FIFO_HEAD_BYTES
#define PL_LANE_CHUNKS_MAX ((uint32_t)1 << 24)

/* What waits to be sent; the data belong to the call. */
struct pl_lane_send {
	const unsigned char *data;
	size_t bytes;
	uint32_t chunk;
	unsigned char head[PL_LANE_HEAD_BYTES];
};

/* Start with the descriptor, the peer and zeros, end with fini. */
struct pl_lane {
	struct pl_lane *next; /* for lists of lanes, the engine's */
	bool is_listed;
	bool is_armed; /* epoll is to tell when more can be sent */
	int fd;        /* a connected, non-blocking socket; fini closes it */
	uint32_t peer;
	const char *hub;            /* its name, if it is one; NULL: a rank */
	struct pl_lane_send *queue; /* [room], n of them from first on */
	size_t room, first, n;
	size_t sent;  /* bytes of it, from the first on; over TCP with heads */
	bool blocked; /* the kernel or the memory takes no more now */
	/* the chunk that is coming in, with got of its bytes; NULL: none; in memory of its own, or
	 * lent */
	struct pl_chunk_arrival *arrival, lent;
	uint32_t chunk;
	size_t bytes, got;
	unsigned char head[PL_LANE_HEAD_BYTES]; /* of the next one */
	size_t got_head;
	struct pl_reader reader;
	bool held;                     /* at the head of a call that has not begun */
	bool ended;                    /* the peer has closed it, between two chunks */
	struct pl_fifo_memory *shared; /* fini ends it; NULL: none */
	struct pl_fifo out, in;        /* if it is shared */
};

void pl_lane_fini(struct pl_lane *lane);

#define PL_PEER_CHARS 280

/* Writes "rank 3" or, of a hub of that name, "hub h8". Returns @buf. */
const char *pl_peer_text(char buf[PL_PEER_CHARS], uint32_t peer, const char *hub);

/* Queues a chunk of call @call. 0, or -1 with @err set: out of memory. */
int pl_lane_queue(struct pl_lane *lane, uint8_t call, uint32_t chunk, const void *data,
		  size_t bytes, bool signal, struct pl_err *err);

/* -1, with @err saying that the peer has closed the lane. */
int pl_lane_gone(const struct pl_lane *lane, struct pl_err *err);

/* Sends what is queued. 1 if the first chunk of the queue is all sent now, which *chunk becomes; 0
 * if the queue is empty, or no more can be sent now, which `blocked` tells; -1 with @err set. */
int pl_lane_flush(struct pl_lane *lane, uint32_t *chunk, struct pl_err *err);

/* Where memory is shared: hears all bells, or that the peer has ended. What it wrote before is
 * still to be received. */
void pl_lane_hear(struct pl_lane *lane);

/*
 * Reads on. 1 if a chunk of call @call is all there: *chunk and *arrival, which the caller takes,
 * or which is lent until the lane reads again; 0 if no more can be read now, or what comes next is
 * of another call, or the lane has ended; -1 with @err set: the peer has gone within a chunk, or
 * its chunk is not one of @r, or has another length there.
 */
int pl_lane_receive(struct pl_lane *lane, const struct pl_allreduce *r, uint8_t call,
		    uint32_t *chunk, struct pl_chunk_arrival **arrival, struct pl_err *err);

#endif
