/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.h - what a captured packet says of a TCP stream */
#ifndef PLINK_AUDIT_FRAME_H
#define PLINK_AUDIT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the packets of a capture begin. */
enum pl_capture_link {
	PL_LINK_ETHERNET,
	PL_LINK_RAW,  /* with the IP header (TUN devices) */
	PL_LINK_SLL,  /* "cooked" */
	PL_LINK_SLL2, /* its second version */
	PL_LINK_LOOP, /* an address family of four bytes */
};

/* An address, IPv4 as ::ffff:a.b.c.d. */
struct pl_ip {
	uint8_t bytes[16];
};

struct pl_ip pl_ip_of_v4(const uint8_t bytes[4]);

struct pl_segment {
	struct pl_ip src, dst;
	uint16_t src_port, dst_port;
	uint32_t seq;
	uint32_t acked; /* where ack is set: all before that has come */
	bool syn, ack, fin;
	uint32_t payload_bytes;
	size_t header_bytes; /* up to the payload, from the packet's start */
};

/* A packet as a capture has it. */
struct pl_capture_frame {
	const uint8_t *data;
	size_t n;          /* bytes that were kept */
	size_t wire_bytes; /* that there were */
};

enum pl_capture_frame_kind {
	PL_FRAME_TCP,
	PL_FRAME_OTHER,    /* no TCP */
	PL_FRAME_CUT,      /* too little of it was kept */
	PL_FRAME_FRAGMENT, /* of an IP packet, not its beginning */
};

/* Fills *segment where the frame is one of TCP. */
enum pl_capture_frame_kind pl_frame_parse(struct pl_capture_frame frame,
					  enum pl_capture_link link,
					  struct pl_segment *segment);

#endif
