/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-audit-stream.c - streams put together by sequence numbers; frames */
#include "config.h"

#include "audit/frame.h"
#include "audit/stream.h"
#include "base/rng.h"
#include "tests/tap.h"

#include <stdlib.h>

#define BYTES 300

static void add(struct pl_tcp_stream *s, uint32_t seq, uint32_t bytes, int64_t ns)
{
	if (pl_stream_add(s, (struct pl_stream_piece){seq, bytes, ns}))
		abort();
}

static void test_by_hand(void)
{
	struct pl_tcp_stream s = {0};

	pl_stream_begin(&s, 99);
	pl_stream_begin(&s, 99);
	add(&s, 100, 10, 1);
	add(&s, 120, 10, 2);
	is_int((int64_t)s.next, 10, "a gap holds up what follows");
	add(&s, 110, 10, 3);
	ok(s.next == 30 && s.n_points == 2 && s.point[1].ns == 3 && s.point[1].bytes == 30,
	   "and is there when it is filled");
	add(&s, 105, 20, 4);
	ok(s.next == 30 && s.again_bytes == 20, "sent again: counted apart");
	add(&s, 99, 1, 5);
	ok(s.next == 30 && s.again_bytes == 21, "a keep-alive adds nothing");
	add(&s, 140, 5, 6);
	pl_stream_end(&s);
	ok(s.next == 45 && s.lost_bytes == 10 && s.point[2].ns == 6, "a gap at the end is lost");
	pl_stream_fini(&s);
	add(&s, 7000, 5, 1);
	ok(s.next == 5 && !s.has_syn, "without a SYN it begins where it is seen");
	pl_stream_fini(&s);
	pl_stream_begin(&s, UINT32_MAX - 10);
	add(&s, UINT32_MAX - 9, 10, 1);
	add(&s, 0, 10, 2);
	is_int((int64_t)s.next, 20, "sequence numbers wrap");
	pl_stream_fini(&s);
}

/* A piece that nobody captured, and more behind it than numbers can tell. */
static void test_long_gap(void)
{
	const uint32_t step = 1 << 20;
	struct pl_tcp_stream s = {0};

	pl_stream_begin(&s, UINT32_MAX);
	for (uint32_t i = 1; i < 5000; i++)
		add(&s, i * step, step, i);
	pl_stream_end(&s);
	ok(s.next == 5000 * (uint64_t)step && s.lost_bytes == step && s.again_bytes == 0,
	   "5 GB behind a gap are there");
	pl_stream_fini(&s);
}

/* The last piece first: each belongs before all that are kept. An insertion into a row of them
 * would take hours. */
static void test_backwards(void)
{
	const uint32_t n = 1000000;
	struct pl_tcp_stream s = {0};

	pl_stream_begin(&s, UINT32_MAX);
	for (uint32_t i = n; i-- > 0;)
		add(&s, 10 * i, 10, (int64_t)n - i);
	ok(s.next == 10 * (uint64_t)n && s.n_points == 1 && s.n_ahead == 0 && s.again_bytes == 0 &&
		   s.lost_bytes == 0,
	   "a million pieces, the last one first");
	pl_stream_fini(&s);
}

/* What a byte-by-byte account says: the length of what is there from the
 * start. */
static size_t reached(const bool *there)
{
	size_t n = 0;

	while (n < BYTES && there[n])
		n++;
	return n;
}

/* Pieces at random, some of them twice, some never. */
static bool try_at_random(struct pl_rng *rng)
{
	const uint32_t syn = (uint32_t)pl_rng_u64(rng);
	struct pl_tcp_stream s = {0};
	bool there[BYTES] = {false}, good = true;
	size_t seen = 0, last = 0;

	pl_stream_begin(&s, syn);
	for (int64_t ns = 0; ns < 60 && good; ns++) {
		const size_t begin = pl_rng_below(rng, BYTES);
		const size_t left = BYTES - begin;
		const size_t n = 1 + pl_rng_below(rng, left < 40 ? left : 40);

		for (size_t i = begin; i < begin + n; i++)
			there[i] = true;
		last = begin + n > last ? begin + n : last;
		add(&s, syn + 1 + (uint32_t)begin, (uint32_t)n, ns);
		good = s.next == reached(there);
		if (s.next > seen)
			good = good && s.point[s.n_points - 1].ns == ns &&
			       s.point[s.n_points - 1].bytes == s.next;
		seen = s.next;
	}
	pl_stream_end(&s);
	good = good && s.next == last;
	for (size_t i = 1; i < s.n_points; i++)
		good = good && s.point[i - 1].ns < s.point[i].ns &&
		       s.point[i - 1].bytes < s.point[i].bytes;
	for (size_t i = 0; i < last; i++)
		s.lost_bytes -= !there[i];
	good = good && s.lost_bytes == 0;
	pl_stream_fini(&s);
	return good;
}

static void test_at_random(void)
{
	struct pl_rng rng;
	int bad = 0;

	pl_rng_init(&rng, 1, 0);
	for (int i = 0; i < 2000; i++)
		bad += !try_at_random(&rng);
	is_int(bad, 0, "2000 streams at random, as counted byte by byte");
}

/* 10.0.0.1:7 to 10.0.0.2:9, sequence number 5, ten bytes of payload. */
static const uint8_t v4[40] = {0x45, 0, 0,  50, 0,  0,    0, 0, 64, 6, 0, 0, 10, 0,
			       0,    1, 10, 0,  0,  2,    0, 7, 0,  9, 0, 0, 0,  5,
			       0,    0, 0,  0,  80, 0x12, 0, 0, 0,  0, 0, 0};

/* The frame in memory of its own size, so that a sanitizer sees the edge. */
static enum pl_capture_frame_kind parse(const uint8_t *data, size_t n, size_t wire,
					enum pl_capture_link link, struct pl_segment *s)
{
	uint8_t *copy = malloc(n ? n : 1);
	enum pl_capture_frame_kind kind;

	if (!copy)
		abort();
	memcpy(copy, data, n);
	kind = pl_frame_parse((struct pl_capture_frame){copy, n, wire}, link, s);
	free(copy);
	return kind;
}

static void test_frames(void)
{
	uint8_t frame[40];
	struct pl_segment s;
	int cut = 0;

	is_int(parse(v4, 40, 50, PL_LINK_RAW, &s), PL_FRAME_TCP, "a packet");
	ok(s.src_port == 7 && s.dst_port == 9 && s.seq == 5 && s.syn && s.ack &&
		   s.payload_bytes == 10 && s.src.bytes[15] == 1 && s.dst.bytes[15] == 2,
	   "and what it says");
	for (size_t n = 0; n < 40; n++)
		cut += parse(v4, n, 50, PL_LINK_RAW, &s) == PL_FRAME_CUT;
	is_int(cut, 40, "cut short anywhere: said so");
	is_int(parse(v4, 40, 49, PL_LINK_RAW, &s), PL_FRAME_CUT, "longer than the frame is");
	memcpy(frame, v4, 40);
	frame[2] = frame[3] = 0;
	parse(frame, 40, 70040, PL_LINK_RAW, &s);
	is_int(s.payload_bytes, 70000, "no length in the header: that of the frame");
	memcpy(frame, v4, 40);
	frame[9] = 17;
	is_int(parse(frame, 40, 50, PL_LINK_RAW, &s), PL_FRAME_OTHER, "UDP");
	memcpy(frame, v4, 40);
	frame[7] = 1;
	is_int(parse(frame, 40, 50, PL_LINK_RAW, &s), PL_FRAME_FRAGMENT, "a later fragment");
	memcpy(frame, v4, 40);
	frame[32] = 0x40;
	is_int(parse(frame, 40, 50, PL_LINK_RAW, &s), PL_FRAME_CUT,
	       "a TCP header that is too short");
}

static void test_extensions(void)
{
	uint8_t frame[80] = {0x60, 0, 0, 0, 0, 38, 0};
	struct pl_segment s;

	frame[40] = 6; /* hop-by-hop, of 8 bytes; then TCP */
	memcpy(frame + 48, v4 + 20, 20);
	is_int(parse(frame, 68, 78, PL_LINK_RAW, &s), PL_FRAME_TCP,
	       "IPv6 with an extension header");
	ok(s.payload_bytes == 10 && s.src_port == 7, "is passed over");
	frame[41] = 200;
	is_int(parse(frame, 68, 78, PL_LINK_RAW, &s), PL_FRAME_CUT,
	       "one that is longer than the packet");
	frame[6] = 44;
	frame[40] = 6;
	frame[41] = 0;
	frame[43] = 8;
	is_int(parse(frame, 68, 78, PL_LINK_RAW, &s), PL_FRAME_FRAGMENT,
	       "a later fragment of IPv6");
}

/* Whatever the bytes, nothing behind the end is read or believed. */
static void test_noise(void)
{
	struct pl_rng rng;
	struct pl_segment s;
	uint8_t data[64];
	int tcp = 0, too_long = 0;

	pl_rng_init(&rng, 2, 0);
	for (int i = 0; i < 20000; i++) {
		const size_t n = pl_rng_below(&rng, sizeof(data) + 1);
		const enum pl_capture_link link =
			(enum pl_capture_link)pl_rng_below(&rng, PL_LINK_LOOP + 1);

		memset(data, 0, sizeof(data));
		memcpy(data, v4, sizeof(v4));
		for (int k = 0; k < 3; k++)
			data[pl_rng_below(&rng, 40)] = (uint8_t)pl_rng_u64(&rng);
		if (parse(data, n, n, link, &s) != PL_FRAME_TCP)
			continue;
		tcp++;
		too_long += 20 + 20 + s.payload_bytes > n; /* IP, TCP */
	}
	ok(tcp > 0, "20000 packets of noise, %d of them like TCP", tcp);
	is_int(too_long, 0, "none is longer than it is");
}

int main(void)
{
	test_by_hand();
	test_long_gap();
	test_backwards();
	test_at_random();
	test_frames();
	test_extensions();
	test_noise();
	return done_testing();
}
