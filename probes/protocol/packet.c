/* SPDX-License-Identifier: BSD-3-Clause */
/* packet.c - the probe on the wire: 32 bytes, request and reply alike */
#include "config.h"

#include "probes/protocol/packet.h"

#include <sodium.h>

#define TAGGED_BYTES 24
#define TAG_BYTES 8

_Static_assert(PL_PACKET_KEY_BYTES == crypto_shorthash_KEYBYTES, "key size");
_Static_assert(TAG_BYTES == crypto_shorthash_BYTES, "tag size");
_Static_assert(TAGGED_BYTES + TAG_BYTES == PL_PACKET_BYTES, "packet size");

/* @value as @n bytes, most significant first. */
static void put(uint8_t *out, size_t n, uint64_t value)
{
	while (n-- > 0) {
		out[n] = (uint8_t)(value & 0xff);
		value >>= 8;
	}
}

static uint64_t get(const uint8_t *in, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | in[i];
	return value;
}

void pl_packet_format(uint8_t out[PL_PACKET_BYTES], const struct pl_packet *p,
		      const uint8_t key[PL_PACKET_KEY_BYTES])
{
	put(out, 1, PL_PACKET_VERSION);
	put(out + 1, 1, (uint64_t)p->direction);
	put(out + 2, 2, p->round);
	put(out + 4, 4, p->seq);
	put(out + 8, 8, p->run);
	put(out + 16, 2, p->src);
	put(out + 18, 2, p->dst);
	put(out + 20, 4, p->hold_ns);
	crypto_shorthash(out + TAGGED_BYTES, out, TAGGED_BYTES, key);
}

/* One of the two directions that are in place. */
static int parse(struct pl_packet *p, const uint8_t *in, size_t len,
		 const uint8_t key[PL_PACKET_KEY_BYTES], const enum pl_direction fit[2])
{
	uint8_t tag[TAG_BYTES];

	if (len != PL_PACKET_BYTES || in[0] != PL_PACKET_VERSION)
		return -1;
	if (in[1] != fit[0] && in[1] != fit[1])
		return -1;
	crypto_shorthash(tag, in, TAGGED_BYTES, key);
	if (sodium_memcmp(tag, in + TAGGED_BYTES, TAG_BYTES))
		return -1;
	p->direction = in[1] == fit[0] ? fit[0] : fit[1];
	p->round = (uint16_t)get(in + 2, 2);
	p->seq = (uint32_t)get(in + 4, 4);
	p->run = get(in + 8, 8);
	p->src = (uint16_t)get(in + 16, 2);
	p->dst = (uint16_t)get(in + 18, 2);
	p->hold_ns = (uint32_t)get(in + 20, 4);
	return 0;
}

int pl_packet_parse(struct pl_packet *p, const void *data, size_t len,
		    const uint8_t key[PL_PACKET_KEY_BYTES])
{
	static const enum pl_direction fit[] = {PL_REQUEST, PL_REPLY};

	return parse(p, data, len, key, fit);
}

int pl_packet_parse_stream(struct pl_packet *p, const void *data, size_t len,
			   const uint8_t key[PL_PACKET_KEY_BYTES])
{
	static const enum pl_direction fit[] = {PL_JOIN, PL_GO};

	return parse(p, data, len, key, fit);
}

uint32_t pl_packet_hold(int64_t hold_ns)
{
	if (hold_ns < 0)
		return 0;
	return hold_ns > UINT32_MAX ? UINT32_MAX : (uint32_t)hold_ns;
}
