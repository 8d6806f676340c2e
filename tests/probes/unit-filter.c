/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-filter.c - the kernel drops what is not ours, and nothing that is */
#include "config.h"

#include "base/rng.h"
#include "probes/agent/exchange.h"
#include "probes/agent/filter.h"
#include "probes/agent/wire.h"
#include "probes/protocol/thesis-packet.h"
#include "tests/tap.h"

#include <netinet/in.h>
#include <unistd.h>

#define RUN UINT64_C(0xfedcba9876543210)
#define TRIES 4000
#define SEEN 37 /* the last request that was answered */
#define NEXT 41 /* the first one that we have not sent */

/* Host 3 hears host 4 in round 7; both have their sockets on the loopback. */
struct scene {
	struct pl_probe_exchange x;
	int fd, peer, stranger;
	struct sockaddr_storage at; /* fd */
	struct pl_wire_clock clock;
	uint64_t n_dropped;
	struct pl_bpf_news replies;
};

static void begin(struct scene *s, const char *text)
{
	struct sockaddr_storage from[2];
	struct pl_addr addr = {0};
	int port, at, none;

	memset(s, 0, sizeof(*s));
	pl_wire_clock_init(&s->clock);
	pl_addr_parse(text, strlen(text), &addr);
	s->fd = pl_wire_bind(&addr, 0, 0, &at, NULL);
	s->peer = pl_wire_bind(&addr, 0, 0, &port, NULL);
	s->stranger = pl_wire_bind(&addr, 0, 0, &none, NULL);
	pl_addr_socket(&addr, at, &s->at);
	pl_addr_socket(&addr, port, &from[0]);
	pl_addr_socket(&addr, port, &from[1]);
	s->x.run = RUN;
	s->x.self = 3;
	s->x.key[5] = 77;
	pl_exchange_open(&s->x, 7, 4, from, 2);
}

static void end(struct scene *s)
{
	close(s->fd);
	close(s->peer);
	close(s->stranger);
}

/* Sends it and says whether it comes through. */
static bool passes(struct scene *s, int from, const uint8_t *data, size_t len)
{
	const socklen_t size = s->at.ss_family == AF_INET ? sizeof(struct sockaddr_in)
							  : sizeof(struct sockaddr_in6);
	struct pl_arrival arrival;
	uint8_t in[64];
	bool passed;

	if (sendto(from, data, len, 0, (struct sockaddr *)&s->at, size) < 0)
		return ok(false, "a packet is sent");
	passed = pl_wire_receive(s->fd, &s->clock, in, sizeof(in), &arrival) == (ssize_t)len;
	s->n_dropped += !passed;
	return passed;
}

/* A packet as it should be, with some fields changed now and then. */
static struct pl_packet make(struct pl_rng *rng)
{
	struct pl_packet p = {
		.direction = pl_rng_below(rng, 2) ? PL_REQUEST : PL_REPLY,
		.round = 7,
		.seq = (uint32_t)pl_rng_below(rng, 45),
		.run = RUN,
		.src = 4,
		.dst = 3,
	};

	switch (pl_rng_below(rng, 6)) {
	case 0:
		p.round = (uint16_t)pl_rng_below(rng, 9);
		break;
	case 1:
		p.src = (uint16_t)pl_rng_below(rng, 6);
		break;
	case 2:
		p.dst = (uint16_t)pl_rng_below(rng, 6);
		break;
	case 3:
		p.run ^= UINT64_C(1) << pl_rng_below(rng, 64);
		break;
	}
	return p;
}

/* What is to come through, from the header's words: may be more than is
 * heard. */
static bool is_wanted(const struct scene *s, const struct pl_packet *p, size_t len, bool from_peer)
{
	if (len != PL_PACKET_BYTES || p->run != RUN || p->dst != 3)
		return false;
	if (s->x.open && p->round == 7)
		return p->src == 4 && from_peer;
	return p->direction == PL_REPLY || p->seq < PL_FILTER_EARLY;
}

/* Packets of all sorts: the filter keeps to its word, and whatever is heard, by
 * an exchange that sees them all, has come through. */
static void test_sorts(struct scene *s, const char *name)
{
	struct pl_rng rng;
	unsigned wrong = 0, deaf = 0, n_heard = 0;

	pl_rng_init(&rng, 1, 0);
	pl_filter_attach(s->fd, &s->x, 0);
	for (int i = 0; i < TRIES; i++) {
		const bool from_peer = pl_rng_below(&rng, 4) > 0;
		const int from = from_peer ? s->peer : s->stranger;
		const struct pl_packet p = make(&rng);
		struct pl_probe_exchange all = s->x;
		uint8_t data[PL_PACKET_BYTES + 1] = {0};
		struct pl_packet heard;
		size_t len = PL_PACKET_BYTES;
		bool passed;
		enum pl_packet_verdict verdict;

		pl_packet_format(data, &p, s->x.key);
		if (pl_rng_below(&rng, 8) == 0)
			len = pl_rng_below(&rng, sizeof(data) + 1);
		passed = passes(s, from, data, len);
		wrong += passed != is_wanted(s, &p, len, from_peer);
		verdict = pl_exchange_judge(&all, data, len,
					    from_peer ? &s->x.peer_addr[0] : &s->at, 0, &heard);
		if (verdict == PL_DROP || (verdict == PL_EARLY && p.seq >= PL_FILTER_EARLY))
			continue;
		n_heard++;
		deaf += !passed;
	}
	ok(wrong == 0 && deaf == 0 && n_heard > TRIES / 20,
	   "%s: of %d packets %u are heard, all through the filter", name, TRIES, n_heard);
}

static bool is_listed(const struct pl_bpf_news *news, uint32_t number)
{
	if (number > news->high)
		return true;
	number = news->high - number;
	return number < 64 && (news->below >> number & 1);
}

/* What comes through where it is known what has come, too. */
static bool is_news(const struct scene *s, const struct pl_packet *p)
{
	const struct pl_bpf_news requests = {s->x.seen_high, ~s->x.seen};

	return is_listed(p->direction == PL_REPLY ? &s->replies : &requests, p->seq);
}

/* And where tags are, besides. */
static bool is_tagged_news(const struct scene *s, const struct pl_packet *p, size_t len,
			   bool from_peer)
{
	if (!is_wanted(s, p, len, from_peer))
		return false;
	if (s->x.open && p->round == 7)
		return is_news(s, p);
	return p->direction == PL_REQUEST && p->round > 7;
}

/* Some were answered, and some of ours. */
static void have_seen(struct scene *s, struct pl_rng *rng)
{
	s->x.seen = pl_rng_u64(rng) | 1;
	s->x.seen_high = SEEN;
	s->replies.below = pl_rng_u64(rng);
	s->replies.high = NEXT - 1;
}

/* Without tags: whatever it is, but of this round no more than news. */
static void test_news(struct scene *s)
{
	struct pl_rng rng;
	unsigned wrong = 0, n_passed = 0, n_new = 0, deaf = 0;

	pl_rng_init(&rng, 5, 0);
	for (int i = 0; i < TRIES; i++) {
		struct pl_packet p = make(&rng), heard;
		uint8_t data[PL_PACKET_BYTES] = {0};
		struct pl_probe_exchange all;
		bool passed, of_round = p.round == 7;

		if (i % (TRIES / 64) == 0) {
			have_seen(s, &rng);
			if (i % (TRIES / 32) == 0) /* as it mostly is */
				s->x.seen = UINT64_MAX;
			pl_filter_attach_news(s->fd, &s->x, &s->replies);
		}
		pl_packet_format(data, &p, s->x.key);
		passed = passes(s, s->peer, data, sizeof(data));
		wrong += passed != (!of_round || is_news(s, &p));
		n_passed += passed;
		n_new += of_round && is_news(s, &p);
		all = s->x;
		deaf += !passed && pl_exchange_judge(&all, data, sizeof(data), &s->x.peer_addr[0],
						     0, &heard) == PL_ANSWER;
	}
	ok(wrong == 0 && deaf == 0 && n_new > TRIES / 20 && n_passed < TRIES - TRIES / 20,
	   "of %d packets %u pass, %u of them news of the round", TRIES, n_passed, n_new);
}

/* From the first request on, and to the last number there is. */
static void test_news_edges(struct scene *s)
{
	static const struct {
		struct pl_bpf_news news;
		uint32_t number;
		bool passes;
	} v[] = {
		{{0, UINT64_MAX}, 0, true},
		{{0, 0}, 0, false},
		{{0, 0}, 1, true},
		{{1, 2}, 0, true},
		{{1, 2}, 1, false},
		{{5, 0xffffffffffffffc0}, 0, false},
		{{63, UINT64_C(1) << 63}, 0, true},
		{{64, UINT64_C(1) << 63}, 0, false},
		{{64, UINT64_C(1) << 63}, 1, true},
		{{100, UINT64_C(1) << 31}, 69, true},
		{{100, UINT64_C(1) << 32}, 68, true},
		{{100, UINT64_C(1) << 32}, 69, false},
		{{UINT32_MAX, 0}, UINT32_MAX, false},
		{{UINT32_MAX, 2}, UINT32_MAX, false},
		{{UINT32_MAX, 2}, UINT32_MAX - 1, true},
		{{UINT32_MAX - 1, 0}, UINT32_MAX, true},
	};
	unsigned wrong = 0;

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		const struct pl_packet p = {.direction = PL_REPLY,
					    .round = 7,
					    .seq = v[i].number,
					    .run = RUN,
					    .src = 4,
					    .dst = 3};
		uint8_t data[PL_PACKET_BYTES];

		pl_filter_attach_news(s->fd, &s->x, &v[i].news);
		pl_packet_format(data, &p, s->x.key);
		if (passes(s, s->peer, data, sizeof(data)) == v[i].passes)
			continue;
		printf("# wrong: %zu\n", i);
		wrong++;
	}
	is_int(wrong, 0, "the first and the last numbers");
}

/* Tags, keys and words of all sorts; in the end what is new is answered,
 * once. */
static void test_tags(struct scene *s, const char *name)
{
	struct pl_rng rng;
	const unsigned least = s->x.open ? TRIES / 50 : 2;
	unsigned wrong = 0, n_passed = 0, n_forged = 0;

	pl_rng_init(&rng, 3, 0);
	for (int i = 0; i < TRIES; i++) {
		const bool from_peer = pl_rng_below(&rng, 4) > 0;
		const bool forged = pl_rng_below(&rng, 2) == 0;
		struct pl_packet p = make(&rng);
		uint8_t data[PL_PACKET_BYTES + 1] = {0};
		size_t len = PL_PACKET_BYTES;
		bool passed;

		if (i % (TRIES / 8) == 0) {
			for (size_t k = 0; k < sizeof(s->x.key); k++)
				s->x.key[k] = (uint8_t)pl_rng_below(&rng, 256);
			have_seen(s, &rng);
			pl_filter_attach_tags(s->fd, &s->x, 0, &s->replies);
		}
		p.hold_ns = p.direction == PL_REPLY ? (uint32_t)pl_rng_below(&rng, 1u << 31) : 0;
		pl_packet_format(data, &p, s->x.key);
		if (forged)
			data[24 + pl_rng_below(&rng, 8)] ^= (uint8_t)(1u << pl_rng_below(&rng, 8));
		if (pl_rng_below(&rng, 8) == 0)
			len = pl_rng_below(&rng, sizeof(data) + 1);
		passed = passes(s, from_peer ? s->peer : s->stranger, data, len);
		wrong += passed != (!forged && is_tagged_news(s, &p, len, from_peer));
		n_passed += passed;
		n_forged += forged && is_tagged_news(s, &p, len, from_peer);
	}
	ok(wrong == 0 && n_passed > least && n_forged > least,
	   "%s: the kernel knows %u right tags from %u wrong ones", name, n_passed, n_forged);
}

/* Of the run, whatever its round and wherever from. */
static void test_run(struct scene *s)
{
	struct pl_rng rng;
	unsigned wrong = 0, n_passed = 0;

	pl_rng_init(&rng, 4, 0);
	pl_filter_attach_run(s->fd, &s->x);
	for (int i = 0; i < TRIES; i++) {
		const struct pl_packet p = make(&rng);
		uint8_t data[PL_PACKET_BYTES] = {0};
		bool passed;

		pl_packet_format(data, &p, s->x.key);
		data[24] ^= 1; /* nobody looks */
		passed = passes(s, s->stranger, data, sizeof(data));
		wrong += passed != (p.run == RUN && p.dst == 3);
		n_passed += passed;
	}
	ok(wrong == 0 && n_passed > TRIES / 2, "of %d packets %u are of the run", TRIES, n_passed);
}

/* The same of the thesis' packet, whose header is all that it has. */
static void test_thesis(struct scene *s)
{
	struct pl_rng rng;
	unsigned wrong = 0, n_passed = 0;

	pl_rng_init(&rng, 2, 0);
	s->x.insecure = true;
	for (int i = 0; i < TRIES; i++) {
		const bool from_peer = pl_rng_below(&rng, 4) > 0;
		struct pl_packet p = make(&rng);
		uint8_t data[PL_PACKET_BYTES] = {0};
		size_t len = PL_THESIS_BYTES;
		bool passed, wanted;

		if (i == TRIES / 2)
			pl_exchange_close(&s->x);
		if (i % (TRIES / 2) == 0)
			pl_filter_attach(s->fd, &s->x, 0);
		if (pl_rng_below(&rng, 8) == 0)
			len = pl_rng_below(&rng, sizeof(data) + 1);
		pl_thesis_format(data, &p);
		passed = passes(s, from_peer ? s->peer : s->stranger, data, len);
		if (s->x.open && p.round == 7)
			wanted = from_peer;
		else
			wanted = p.direction == PL_REQUEST && p.seq < PL_FILTER_EARLY;
		wrong += passed != (wanted && len == PL_THESIS_BYTES);
		n_passed += passed;
	}
	ok(wrong == 0 && n_passed > TRIES / 20, "of %d packets of the thesis %u pass", TRIES,
	   n_passed);
}

static void test_family(const char *text)
{
	uint8_t data[PL_PACKET_BYTES];
	struct sockaddr_storage from;
	struct scene s;

	begin(&s, text);
	if (s.fd < 0) {
		printf("# no %s here\n", text);
		return;
	}
	test_run(&s);
	test_sorts(&s, text);
	test_tags(&s, text);
	test_news(&s);
	test_news_edges(&s);
	pl_exchange_close(&s.x);
	test_sorts(&s, "at rest");
	test_tags(&s, "at rest");
	is_int((int64_t)pl_filter_dropped(s.fd), (int64_t)s.n_dropped,
	       "what was dropped is counted");
	/* a flow that the round does not have hears nothing of the round */
	from = s.x.peer_addr[0];
	pl_exchange_open(&s.x, 7, 4, &from, 1);
	pl_filter_attach(s.fd, &s.x, 1);
	pl_packet_format(data,
			 &(struct pl_packet){.direction = PL_REQUEST,
					     .round = 7,
					     .seq = 99,
					     .run = RUN,
					     .src = 4,
					     .dst = 3},
			 s.x.key);
	ok(!passes(&s, s.peer, data, sizeof(data)), "no flow beyond the peer's");
	test_thesis(&s);
	end(&s);
}

int main(void)
{
	test_family("127.0.0.1");
	test_family("::1");
	return done_testing();
}
