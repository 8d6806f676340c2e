/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-packet.c - probes on the wire: form, tags, and what is refused */
#include "config.h"

#include "probes/protocol/packet.h"
#include "tests/tap.h"

/* Key 00 01 .. 0f, as in the paper on SipHash. */
static void make_key(uint8_t key[PL_PACKET_KEY_BYTES])
{
	for (size_t i = 0; i < PL_PACKET_KEY_BYTES; i++)
		key[i] = (uint8_t)i;
}

static const struct pl_packet reply = {
	.direction = PL_REPLY,
	.round = 0x0304,
	.seq = 0x05060708,
	.run = UINT64_C(0x1112131415161718),
	.src = 0x2122,
	.dst = 0x3132,
	.hold_ns = 0x41424344,
};

/* The tag was computed by a separate implementation of SipHash-2-4, itself checked with the vector
 * of its paper. */
static const uint8_t wire[PL_PACKET_BYTES] = {
	0x04, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x11, 0x12, 0x13,
	0x14, 0x15, 0x16, 0x17, 0x18, 0x21, 0x22, 0x31, 0x32, 0x41, 0x42,
	0x43, 0x44, 0x1f, 0x6e, 0x49, 0x43, 0x58, 0x8c, 0xff, 0xc7,
};

static bool same(const struct pl_packet *a, const struct pl_packet *b)
{
	return a->direction == b->direction && a->round == b->round && a->seq == b->seq &&
	       a->run == b->run && a->src == b->src && a->dst == b->dst && a->hold_ns == b->hold_ns;
}

static void test_form(void)
{
	uint8_t key[PL_PACKET_KEY_BYTES], out[PL_PACKET_BYTES];
	struct pl_packet back = {0};

	make_key(key);
	pl_packet_format(out, &reply, key);
	ok(!memcmp(out, wire, sizeof(wire)), "every byte is where it should");
	is_int(pl_packet_parse(&back, wire, sizeof(wire), key), 0, "is read");
	ok(same(&back, &reply), "and gives the same packet");
}

static void test_refused(void)
{
	uint8_t key[PL_PACKET_KEY_BYTES], bad[PL_PACKET_BYTES + 1] = {0};
	struct pl_packet back = reply;
	int taken = 0;

	make_key(key);
	for (size_t bit = 0; bit < 8 * PL_PACKET_BYTES; bit++) {
		memcpy(bad, wire, sizeof(wire));
		bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
		taken += !pl_packet_parse(&back, bad, sizeof(wire), key);
	}
	is_int(taken, 0, "no flipped bit passes");
	memcpy(bad, wire, sizeof(wire));
	for (size_t len = 0; len < PL_PACKET_BYTES; len++)
		taken += !pl_packet_parse(&back, bad, len, key);
	is_int(taken, 0, "nothing shorter passes");
	ok(pl_packet_parse(&back, bad, sizeof(bad), key), "nothing longer");
	key[15] ^= 1;
	ok(pl_packet_parse(&back, wire, sizeof(wire), key), "no other key");
	ok(same(&back, &reply), "what is refused changes nothing");
}

/* What begins a connection is no probe, and no probe begins one. */
static void test_streams(void)
{
	uint8_t key[PL_PACKET_KEY_BYTES], out[PL_PACKET_BYTES];
	struct pl_packet join = reply, back = {0};
	int wrong = 0;

	make_key(key);
	ok(pl_packet_parse_stream(&back, wire, sizeof(wire), key), "a reply begins no connection");
	for (int direction = 0; direction < 256; direction++) {
		const bool fit = direction == PL_JOIN || direction == PL_GO;

		join.direction = (enum pl_direction)direction;
		pl_packet_format(out, &join, key);
		wrong += fit == (pl_packet_parse_stream(&back, out, sizeof(out), key) != 0);
	}
	is_int(wrong, 0, "a join and a go do, and nothing else");
	join.direction = PL_JOIN;
	pl_packet_format(out, &join, key);
	ok(!pl_packet_parse_stream(&back, out, sizeof(out), key) && same(&back, &join),
	   "it is read as it was written");
	out[PL_PACKET_BYTES - 1] ^= 1;
	ok(pl_packet_parse_stream(&back, out, sizeof(out), key), "not with another tag");
}

/* A tag over an impossible version or direction is no excuse. */
static void test_well_tagged_nonsense(void)
{
	uint8_t key[PL_PACKET_KEY_BYTES], out[PL_PACKET_BYTES];
	struct pl_packet odd = reply, back;
	int wrong = 0;

	make_key(key);
	for (int direction = 0; direction < 256; direction++) {
		const bool good = direction == PL_REQUEST || direction == PL_REPLY;

		odd.direction = (enum pl_direction)direction;
		pl_packet_format(out, &odd, key);
		wrong += good != !pl_packet_parse(&back, out, sizeof(out), key);
	}
	is_int(wrong, 0, "only two directions are read, however well tagged");
}

static void test_hold(void)
{
	is_int(pl_packet_hold(-5), 0, "a hold time below 0 is 0");
	is_int(pl_packet_hold(1234), 1234, "ns as they are");
	is_int(pl_packet_hold(INT64_C(4294967295)), 4294967295, "the largest");
	is_int(pl_packet_hold(INT64_C(4294967296)), 4294967295, "saturates");
}

int main(void)
{
	test_form();
	test_refused();
	test_well_tagged_nonsense();
	test_hold();
	test_streams();
	return done_testing();
}
