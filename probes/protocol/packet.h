/* SPDX-License-Identifier: BSD-3-Clause */
/* packet.h - the probe on the wire: 32 bytes (plink-protocol(5)) */
#ifndef PLINK_PROBES_PROTOCOL_PACKET_H
#define PLINK_PROBES_PROTOCOL_PACKET_H

#include <stddef.h>
#include <stdint.h>

#define PL_PACKET_VERSION 4 /* version of packets and lines */
#define PL_PACKET_BYTES 32
#define PL_PACKET_KEY_BYTES 16 /* SipHash-2-4 */

/* Sent on the wire and covered by the tag, so that no request passes for a reply. */
enum pl_direction {
	PL_REQUEST = 1,
	PL_REPLY = 2,
	/* the first bytes of a TCP connection: a sender joins a flow, and the receiver starts it;
	 * seq is the number of the connection */
	PL_JOIN = 3,
	PL_GO = 4,
};

/*
 * Big-endian on the wire, at these offsets: version 0, direction 1, round 2, seq 4, run 8, src 16,
 * dst 18, hold_ns 20, tag 24 (8 bytes, SipHash-2-4 of bytes 0 to 23 under the run's key).
 */
struct pl_packet {
	enum pl_direction direction;
	uint16_t round;
	uint32_t seq;
	uint64_t run;
	uint16_t src, dst; /* host indices: sender, receiver of this packet */
	uint32_t hold_ns;  /* replies: from receipt of the request to sending */
};

void pl_packet_format(uint8_t out[PL_PACKET_BYTES], const struct pl_packet *p,
		      const uint8_t key[PL_PACKET_KEY_BYTES]);

/* 0, or -1 with *p unchanged: not 32 bytes, another version, neither a request
 * nor a reply, or the tag is wrong under this key (compared in constant
 * time). */
int pl_packet_parse(struct pl_packet *p, const void *data, size_t len,
		    const uint8_t key[PL_PACKET_KEY_BYTES]);

/* The same for the packet that a TCP connection begins with: only a join or a go. */
int pl_packet_parse_stream(struct pl_packet *p, const void *data, size_t len,
			   const uint8_t key[PL_PACKET_KEY_BYTES]);

/* Clamps a hold time to the range of hold_ns: 0 to UINT32_MAX. */
uint32_t pl_packet_hold(int64_t hold_ns);

#endif
