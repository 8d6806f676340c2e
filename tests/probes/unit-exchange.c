/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-exchange.c - who is answered in a round, and who is not */
#include "config.h"

#include "probes/agent/early.h"
#include "probes/agent/exchange.h"
#include "probes/protocol/address.h"
#include "tests/tap.h"

#include <arpa/inet.h>

/* Host 3 in round 5 with host 4, who is at 10.0.0.4 port 4444. */
struct scene {
	struct pl_probe_exchange mine, theirs;
	struct sockaddr_storage my_addr, their_addr;
};

static struct sockaddr_storage address(const char *s, int port)
{
	struct sockaddr_storage to;
	struct pl_addr addr = {0};

	pl_addr_parse(s, strlen(s), &addr);
	pl_addr_socket(&addr, port, &to);
	return to;
}

static void set_up(struct scene *s)
{
	memset(s, 0, sizeof(*s));
	s->my_addr = address("10.0.0.3", 3333);
	s->their_addr = address("10.0.0.4", 4444);
	s->mine.run = s->theirs.run = 99;
	memset(s->mine.key, 7, sizeof(s->mine.key));
	memset(s->theirs.key, 7, sizeof(s->theirs.key));
	s->mine.self = 3;
	s->theirs.self = 4;
	pl_exchange_open(&s->mine, 5, 4, &s->their_addr, 1);
	pl_exchange_open(&s->theirs, 5, 3, &s->my_addr, 1);
}

/* What I make of a request of theirs. */
static enum pl_packet_verdict ask(struct scene *s, uint32_t seq)
{
	uint8_t data[PL_PACKET_BYTES];
	struct pl_packet packet;

	pl_exchange_request(&s->theirs, seq, data);
	return pl_exchange_judge(&s->mine, data, sizeof(data), &s->their_addr, 0, &packet);
}

static void test_talk(void)
{
	uint8_t data[PL_PACKET_BYTES];
	struct pl_packet packet;
	struct scene s;

	set_up(&s);
	pl_exchange_request(&s.theirs, 12, data);
	is_int(pl_exchange_judge(&s.mine, data, sizeof(data), &s.their_addr, 0, &packet), PL_ANSWER,
	       "the peer's request is answered");
	pl_exchange_reply(&s.mine, &packet, 345, data);
	is_int(pl_exchange_judge(&s.theirs, data, sizeof(data), &s.my_addr, 0, &packet), PL_TAKE,
	       "the answer is taken");
	ok(packet.seq == 12 && packet.hold_ns == 345, "with seq and hold time");
	is_int((int64_t)(s.mine.refused + s.mine.stale + s.theirs.refused + s.theirs.stale), 0,
	       "nothing is dropped");
}

/* One thing wrong at a time. */
static void test_strangers(void)
{
	uint8_t data[PL_PACKET_BYTES];
	struct sockaddr_storage port = address("10.0.0.4", 4445);
	struct sockaddr_storage host = address("10.0.0.5", 4444);
	struct sockaddr_storage six = address("::ffff:10.0.0.4", 4444);
	struct pl_packet packet;
	struct scene s;

	set_up(&s);
	pl_exchange_request(&s.theirs, 1, data);
	is_int(pl_exchange_judge(&s.mine, data, sizeof(data), &port, 0, &packet), PL_DROP,
	       "another port");
	is_int(pl_exchange_judge(&s.mine, data, sizeof(data), &host, 0, &packet), PL_DROP,
	       "another address");
	is_int(pl_exchange_judge(&s.mine, data, sizeof(data), &six, 0, &packet), PL_DROP,
	       "another family");
	is_int(pl_exchange_judge(&s.mine, data, 31, &s.their_addr, 0, &packet), PL_DROP,
	       "cut short");
	s.theirs.key[3] ^= 1;
	is_int(ask(&s, 2), PL_DROP, "another key");
	s.theirs.key[3] ^= 1;
	s.theirs.run++;
	is_int(ask(&s, 3), PL_DROP, "another run");
	s.theirs.run--;
	s.theirs.self = 5;
	is_int(ask(&s, 4), PL_DROP, "another host of this run");
	s.theirs.self = 4;
	s.theirs.peer = 2;
	is_int(ask(&s, 5), PL_DROP, "meant for another host");
	s.theirs.peer = 3;
	is_int((int64_t)s.mine.refused, 8, "all are counted");
	is_int(ask(&s, 6), PL_ANSWER, "and the peer is still answered");
}

static void test_other_rounds(void)
{
	struct scene s;

	set_up(&s);
	s.theirs.round = 4;
	is_int(ask(&s, 1), PL_EARLY, "the round before");
	s.theirs.round = 6;
	is_int(ask(&s, 1), PL_EARLY, "the round to come");
	s.theirs.round = 5;
	pl_exchange_close(&s.mine);
	is_int(ask(&s, 1), PL_EARLY, "at rest");
	is_int((int64_t)s.mine.stale, 3, "counted as stale");
	is_int((int64_t)s.mine.refused, 0, "not as refused");
}

/* A reply never makes a reply: no two hosts can be set on each other. */
static void test_no_loop(void)
{
	uint8_t data[PL_PACKET_BYTES];
	struct pl_packet packet;
	struct scene s;

	set_up(&s);
	pl_exchange_request(&s.mine, 1, data);
	is_int(pl_exchange_judge(&s.mine, data, sizeof(data), &s.their_addr, 0, &packet), PL_DROP,
	       "my own request thrown back");
	packet.seq = 1;
	pl_exchange_reply(&s.mine, &packet, 0, data);
	is_int(pl_exchange_judge(&s.mine, data, sizeof(data), &s.their_addr, 0, &packet), PL_DROP,
	       "my own reply thrown back");
}

static void test_replay(void)
{
	struct scene s;
	int answered = 0;

	set_up(&s);
	is_int(ask(&s, 0), PL_ANSWER, "the first request is number 0");
	is_int(ask(&s, 0), PL_DROP, "recorded and sent again: dropped");
	is_int(ask(&s, 3), PL_ANSWER, "numbers may be missing");
	is_int(ask(&s, 2), PL_ANSWER, "overtaken, but new");
	is_int(ask(&s, 2), PL_DROP, "once only");
	is_int(ask(&s, 66), PL_ANSWER, "63 on from number 3");
	is_int(ask(&s, 3), PL_DROP, "which is known still");
	is_int(ask(&s, 4), PL_ANSWER, "and what is not known is new");
	is_int(ask(&s, 1), PL_DROP, "too old to know");
	is_int(ask(&s, 1000), PL_ANSWER, "far ahead");
	for (uint32_t seq = 0; seq < 1100; seq++)
		answered += ask(&s, seq) == PL_ANSWER;
	is_int(answered, 63 + 99, "all again: only what is new");
	is_int(ask(&s, UINT32_MAX), PL_ANSWER, "the last number");
	is_int(ask(&s, UINT32_MAX), PL_DROP, "also once");
	pl_exchange_open(&s.mine, 6, 4, &s.their_addr, 1);
	is_int(ask(&s, 2000), PL_EARLY, "not in the next round");
}

/* Each flow has its own port on either side. */
static void test_flows(void)
{
	struct sockaddr_storage theirs[2] = {address("10.0.0.4", 4444), address("10.0.0.4", 4445)};
	uint8_t data[PL_PACKET_BYTES];
	struct pl_packet packet;
	struct scene s;

	set_up(&s);
	pl_exchange_open(&s.mine, 5, 4, theirs, 2);
	pl_exchange_request(&s.theirs, 1, data);
	is_int(pl_exchange_judge(&s.mine, data, sizeof(data), &theirs[1], 0, &packet), PL_DROP,
	       "another flow's port");
	is_int(pl_exchange_judge(&s.mine, data, sizeof(data), &theirs[1], 2, &packet), PL_DROP,
	       "a socket beyond the pair's flows");
	is_int(pl_exchange_judge(&s.mine, data, sizeof(data), &theirs[1], 1, &packet), PL_ANSWER,
	       "the flow's own port");
	is_int(pl_exchange_judge(&s.mine, data, sizeof(data), &theirs[0], 0, &packet), PL_DROP,
	       "recorded and sent again by another flow");
	is_int((int64_t)s.mine.refused, 3, "all three are counted");
}

/* The peer's request 1 of @round comes at 1000 ns, while I rest; I begin round 5 with host 4. */
static void ask_early(struct scene *s, struct pl_early *early, uint16_t round,
		      const struct sockaddr_storage *from)
{
	const struct pl_arrival arrival = {.from = *from, .at_ns = 1000};
	uint8_t data[PL_PACKET_BYTES];
	struct pl_packet packet;

	set_up(s);
	pl_exchange_close(&s->mine);
	s->theirs.round = round;
	pl_exchange_request(&s->theirs, 1, data);
	is_int(pl_exchange_judge(&s->mine, data, sizeof(data), from, 0, &packet), PL_EARLY,
	       "a request that comes while I rest");
	*early = (struct pl_early){0};
	pl_early_keep(early, data, &arrival, 0);
	pl_exchange_open(&s->mine, 5, 4, &s->their_addr, 1);
}

static void test_early(void)
{
	const struct sockaddr_storage other = address("10.0.0.9", 4444);
	struct pl_early early = {0};
	struct pl_packet packet;
	struct scene s;

	set_up(&s);
	ok(!pl_early_take(&early, &s.mine, 0, &packet), "nothing was kept");
	ask_early(&s, &early, 5, &s.their_addr);
	ok(pl_early_take(&early, &s.mine, 2000, &packet) && packet.seq == 1,
	   "is answered when its round begins");
	ok(early.arrival.at_ns == 1000 && early.flow == 0, "as what came when it came");
	is_int((int64_t)s.mine.stale, 0, "and is not stale");
	ok(!pl_early_take(&early, &s.mine, 2000, &packet), "once");
	is_int(ask(&s, 1), PL_DROP, "also where it comes again");
	ask_early(&s, &early, 6, &s.their_addr);
	ok(!pl_early_take(&early, &s.mine, 2000, &packet), "another round's");
	ask_early(&s, &early, 5, &other);
	ok(!pl_early_take(&early, &s.mine, 2000, &packet), "a stranger's");
	ask_early(&s, &early, 5, &s.their_addr);
	ok(!pl_early_take(&early, &s.mine, 2000 + PL_EARLY_NS, &packet), "too long ago");
	ok(s.mine.stale == 1 && s.mine.refused == 0 && s.mine.seen == 0,
	   "what is not answered leaves no trace but that");
}

int main(void)
{
	test_early();
	test_flows();
	test_talk();
	test_strangers();
	test_other_rounds();
	test_no_loop();
	test_replay();
	return done_testing();
}
