/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c - what a captured packet says of a TCP stream */
#include "config.h"

#include "audit/frame.h"

#include <string.h>

#define TYPE_IPV4 0x0800
#define TYPE_IPV6 0x86dd
#define TYPE_VLAN 0x8100
#define TYPE_SERVICE_VLAN 0x88a8
#define PROTOCOL_TCP 6
#define TCP_SYN 0x02
#define TCP_ACK 0x10
#define VLANS_MAX 4
#define EXTENSIONS_MAX 8

/* What is left of a frame. */
struct cursor {
	const uint8_t *p;
	size_t n;    /* bytes that were kept */
	size_t wire; /* that there were */
};

static uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t get32(const uint8_t *p)
{
	return (uint32_t)get16(p) << 16 | get16(p + 2);
}

static bool skip(struct cursor *c, size_t n)
{
	if (c->n < n)
		return false;
	c->p += n;
	c->n -= n;
	c->wire -= n;
	return true;
}

struct pl_ip pl_ip_of_v4(const uint8_t bytes[4])
{
	struct pl_ip ip = {{0}};

	ip.bytes[10] = ip.bytes[11] = 0xff;
	memcpy(ip.bytes + 12, bytes, 4);
	return ip;
}

/* What is behind the IP header, and how many bytes of it there were. */
static enum pl_capture_frame_kind parse_tcp(struct cursor c, size_t ip_payload,
					    struct pl_segment *s)
{
	size_t header;

	if (c.n < 20)
		return PL_FRAME_CUT;
	header = (size_t)(c.p[12] >> 4) * 4;
	if (header < 20 || header > ip_payload)
		return PL_FRAME_CUT;
	s->src_port = get16(c.p);
	s->dst_port = get16(c.p + 2);
	s->seq = get32(c.p + 4);
	s->syn = c.p[13] & TCP_SYN;
	s->ack = c.p[13] & TCP_ACK;
	s->payload_bytes = (uint32_t)(ip_payload - header);
	return PL_FRAME_TCP;
}

static enum pl_capture_frame_kind parse_v4(struct cursor c, struct pl_segment *s)
{
	size_t header, total;

	if (c.n < 20)
		return PL_FRAME_CUT;
	header = (size_t)(c.p[0] & 15) * 4;
	/* 0: the card was to cut it up, and fills the length in itself */
	total = get16(c.p + 2) ? get16(c.p + 2) : c.wire;
	if (header < 20 || total < header || total > c.wire)
		return PL_FRAME_CUT;
	if (c.p[9] != PROTOCOL_TCP)
		return PL_FRAME_OTHER;
	if (get16(c.p + 6) & 0x1fff)
		return PL_FRAME_FRAGMENT;
	s->src = pl_ip_of_v4(c.p + 12);
	s->dst = pl_ip_of_v4(c.p + 16);
	if (!skip(&c, header))
		return PL_FRAME_CUT;
	return parse_tcp(c, total - header, s);
}

/* Passes over one extension header; false: there is none. */
static bool is_extension(uint8_t next)
{
	return next == 0 || next == 43 || next == 44 || next == 60;
}

static enum pl_capture_frame_kind parse_v6(struct cursor c, struct pl_segment *s)
{
	size_t payload;
	uint8_t next;

	if (c.n < 40)
		return PL_FRAME_CUT;
	payload = get16(c.p + 4) ? get16(c.p + 4) : c.wire - 40;
	next = c.p[6];
	if (payload > c.wire - 40)
		return PL_FRAME_CUT;
	memcpy(s->src.bytes, c.p + 8, 16);
	memcpy(s->dst.bytes, c.p + 24, 16);
	skip(&c, 40);
	for (int i = 0; i < EXTENSIONS_MAX && is_extension(next); i++) {
		const size_t len = next == 44 || c.n < 2 ? 8 : ((size_t)c.p[1] + 1) * 8;

		if (c.n < 8)
			return PL_FRAME_CUT;
		if (next == 44 && get16(c.p + 2) & 0xfff8)
			return PL_FRAME_FRAGMENT;
		next = c.p[0];
		if (payload < len || !skip(&c, len))
			return PL_FRAME_CUT;
		payload -= len;
	}
	if (next != PROTOCOL_TCP)
		return PL_FRAME_OTHER;
	return parse_tcp(c, payload, s);
}

static enum pl_capture_frame_kind parse_ip(struct cursor c, struct pl_segment *s)
{
	if (c.n < 1)
		return PL_FRAME_CUT;
	if (c.p[0] >> 4 == 4)
		return parse_v4(c, s);
	return c.p[0] >> 4 == 6 ? parse_v6(c, s) : PL_FRAME_OTHER;
}

static enum pl_capture_frame_kind parse_ethernet(struct cursor c, struct pl_segment *s)
{
	uint16_t type;

	if (!skip(&c, 12))
		return PL_FRAME_CUT;
	for (int i = 0; i <= VLANS_MAX; i++) {
		if (c.n < 2)
			return PL_FRAME_CUT;
		type = get16(c.p);
		skip(&c, 2);
		if (type == TYPE_IPV4 || type == TYPE_IPV6)
			return parse_ip(c, s);
		if ((type != TYPE_VLAN && type != TYPE_SERVICE_VLAN))
			return PL_FRAME_OTHER;
		if (!skip(&c, 2))
			return PL_FRAME_CUT;
	}
	return PL_FRAME_OTHER;
}

/* @at: where the protocol stands; @len: of the whole header. */
static enum pl_capture_frame_kind parse_cooked(struct cursor c, size_t at, size_t len,
					       struct pl_segment *s)
{
	uint16_t type;

	if (c.n < len)
		return PL_FRAME_CUT;
	type = get16(c.p + at);
	skip(&c, len);
	return type == TYPE_IPV4 || type == TYPE_IPV6 ? parse_ip(c, s) : PL_FRAME_OTHER;
}

enum pl_capture_frame_kind pl_frame_parse(struct pl_capture_frame frame, enum pl_capture_link link,
					  struct pl_segment *segment)
{
	struct cursor c = {frame.data, frame.n, frame.wire_bytes};

	memset(segment, 0, sizeof(*segment));
	if (c.wire < c.n)
		return PL_FRAME_CUT;
	switch (link) {
	case PL_LINK_ETHERNET:
		return parse_ethernet(c, segment);
	case PL_LINK_RAW:
		return parse_ip(c, segment);
	case PL_LINK_SLL:
		return parse_cooked(c, 14, 16, segment);
	case PL_LINK_SLL2:
		return parse_cooked(c, 0, 20, segment);
	case PL_LINK_LOOP:
		return skip(&c, 4) ? parse_ip(c, segment) : PL_FRAME_CUT;
	}
	return PL_FRAME_OTHER;
}
