/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.h - the TCP segment in a captured packet */
#ifndef PLINK_AUDIT_FRAME_H
#define PLINK_AUDIT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The header that the packets of a capture begin with. */
enum pl_capture_link {
	PL_LINK_ETHERNET,
	PL_LINK_RAW,  /* the IP header (TUN devices) */
	PL_LINK_SLL,  /* Linux "cooked" */
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
	bool syn, ack;
	uint32_t payload_bytes;
};

/* A packet as captured. */
struct pl_capture_frame {
	const uint8_t *data;
	size_t n;          /* bytes that were kept */
	size_t wire_bytes; /* length of the packet on the wire */
};

enum pl_capture_frame_kind {
	PL_FRAME_TCP,
	PL_FRAME_OTHER,    /* not TCP */
	PL_FRAME_CUT,      /* too few bytes were kept, or the lengths are wrong */
	PL_FRAME_FRAGMENT, /* of an IP packet, but not the first one */
};

/* Reads the headers of a frame; fills *segment for PL_FRAME_TCP. */
enum pl_capture_frame_kind pl_frame_parse(struct pl_capture_frame frame, enum pl_capture_link link,
					  struct pl_segment *segment);

#endif
