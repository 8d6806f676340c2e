/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h - how far one direction of a TCP connection had come, and when */
#ifndef PLINK_AUDIT_STREAM_H
#define PLINK_AUDIT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many bytes had passed by that time. */
struct pl_point {
	int64_t ns;
	uint64_t bytes;
};

/* A piece that came before what precedes it. */
struct pl_piece {
	int64_t ns;
	uint64_t begin, end;
};

/* As one capture saw it. Start with {0}, end with fini. */
struct pl_tcp_stream {
	bool based, has_syn;
	uint32_t base;        /* sequence number of the first byte */
	uint64_t next;        /* all bytes before it were seen, or are lost */
	uint64_t lost_bytes;  /* not in the capture; known from what follows */
	uint64_t again_bytes; /* sent once more */
	struct pl_point *point; /* rising in both */
	size_t n_points, points_room;
	struct pl_piece *ahead; /* a heap: ahead[0] begins first */
	size_t n_ahead, ahead_room;
};

struct pl_stream_piece {
	uint32_t seq, bytes;
	int64_t ns;
};

/* A SYN with that sequence number. */
void pl_stream_begin(struct pl_tcp_stream *s, uint32_t seq);

/* A segment with payload. Without a SYN before it, the stream begins with it.
 * 0, or -1: out of memory. */
int pl_stream_add(struct pl_tcp_stream *s, struct pl_stream_piece piece);

/* There is no more: what is missing is lost. 0, or -1: out of memory. */
int pl_stream_end(struct pl_tcp_stream *s);

void pl_stream_fini(struct pl_tcp_stream *s);

#endif
