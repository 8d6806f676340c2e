/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h - the bytes of one direction of a TCP connection over time */
#ifndef PLINK_AUDIT_STREAM_H
#define PLINK_AUDIT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of bytes that had passed at a time. */
struct pl_point {
	int64_t ns;
	uint64_t bytes;
};

/* A piece of the stream that came before the bytes in front of it. */
struct pl_piece {
	int64_t ns;
	uint64_t begin, end;
};

/* One direction of a connection, as one capture shows it. Start with {0}, end with fini. */
struct pl_tcp_stream {
	bool based, has_syn;
	uint32_t base;          /* sequence number of the first byte */
	uint64_t next;          /* all bytes before this one were seen or are lost */
	uint64_t lost_bytes;    /* not in the capture, but later bytes are */
	uint64_t again_bytes;   /* sent again */
	struct pl_point *point; /* both fields are rising */
	size_t n_points, points_room;
	struct pl_piece *ahead; /* a heap: ahead[0] begins first */
	size_t n_ahead, ahead_room;
};

struct pl_stream_piece {
	uint32_t seq, bytes;
	int64_t ns;
};

/* Takes a SYN with this sequence number, if it is the first packet. */
void pl_stream_begin(struct pl_tcp_stream *s, uint32_t seq);

/* Takes a segment with payload. If no SYN came before, the stream begins with this segment. 0, or
 * -1: out of memory. */
int pl_stream_add(struct pl_tcp_stream *s, struct pl_stream_piece piece);

/* Ends the stream: bytes that are still missing count as lost. 0, or -1: out of memory. */
int pl_stream_end(struct pl_tcp_stream *s);

void pl_stream_fini(struct pl_tcp_stream *s);

#endif
