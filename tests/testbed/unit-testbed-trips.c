/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-testbed-trips.c - requests and answers of a trace are joined, rightly */
#include "config.h"

#include "probes/protocol/packet.h"
#include "tests/tap.h"
#include "tests/testbed/network/trips.h"

#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <string.h>

#define N 3
#define PACKETS_MAX 4000

static struct tb_traced trace[PACKETS_MAX];
static size_t n_traced;
static struct tb_trips trips[N * N];

static struct tb_traced *add(uint16_t src, uint16_t dst, int64_t applied_ns, uint8_t protocol,
			     uint32_t payload)
{
	struct tb_traced *t = &trace[n_traced++];

	*t = (struct tb_traced){
		.applied_ns = applied_ns, .src = src, .dst = dst, .len = 20 + 8 + payload};
	t->head[0] = 0x45;
	t->head[9] = protocol;
	return t;
}

static void add_probe(uint16_t src, uint16_t dst, enum pl_direction direction, uint16_t round,
		      uint32_t seq, int64_t applied_ns)
{
	static const uint8_t key[PL_PACKET_KEY_BYTES];
	const struct pl_packet p = {
		.direction = direction, .round = round, .seq = seq, .src = src, .dst = dst};
	struct tb_traced *t = add(src, dst, applied_ns, IPPROTO_UDP, PL_PACKET_BYTES);

	pl_packet_format(t->head + 28, &p, key);
}

static void add_echo(uint16_t src, uint16_t dst, uint8_t type, uint16_t id, uint16_t seq,
		     int64_t applied_ns)
{
	struct tb_traced *t = add(src, dst, applied_ns, IPPROTO_ICMP, 56);

	t->head[20] = type;
	t->head[24] = (uint8_t)(id >> 8);
	t->head[25] = (uint8_t)id;
	t->head[26] = (uint8_t)(seq >> 8);
	t->head[27] = (uint8_t)seq;
}

static void judge_after(uint32_t change)
{
	const struct tb_trips_input in = {
		.packet = trace, .len = n_traced, .change = change, .n = N};

	if (tb_trips(&in, trips, NULL))
		ok(0, "out of memory");
}

static void judge(void)
{
	judge_after(0);
	n_traced = 0;
}

static void is_trips(size_t from, size_t to, int64_t n, int64_t p10_ns, const char *what)
{
	const struct tb_trips *t = &trips[from * N + to];

	is_int((int64_t)t->n, n, what);
	if (n > 0)
		is_int(t->p10_ns, p10_ns, "... and their p10");
}

static void test_none(void)
{
	struct tb_traced *t;

	judge();
	is_trips(0, 1, 0, 0, "no packets, no trips");
	add_probe(0, 1, PL_REQUEST, 0, 0, 5);
	add_probe(0, 1, PL_REQUEST, 0, 1, 5);
	add_probe(1, 0, PL_REPLY, 0, 2, 5);
	judge();
	is_trips(0, 1, 0, 0, "none of which both halves came through");
	is_trips(1, 0, 0, 0, "nor the other way");
	t = add(0, 1, 5, IPPROTO_UDP, 4);
	t->head[28] = PL_PACKET_VERSION;
	t->head[29] = PL_REQUEST;
	t = add(0, 1, 5, IPPROTO_TCP, 40);
	t->head[20] = ICMP_ECHO;
	t = add(0, 1, 5, IPPROTO_ICMP, 40);
	t->head[0] = 0x4f; /* a head of 60 bytes */
	t->len = 60;
	t = add(0, 1, 5, IPPROTO_ICMP, 40);
	t->head[0] = 0x42;
	add_echo(N, 1, ICMP_ECHO, 1, 1, 5);
	add_echo(1, N, ICMP_ECHOREPLY, 1, 1, 5);
	judge();
	is_trips(0, 1, 0, 0, "other packets are none");
}

/* Both ways at once, as plink probes; answers take longer than requests. */
static void test_probes(void)
{
	for (uint32_t seq = 0; seq <= 100; seq++) {
		const int64_t more = (seq * 37) % 101;

		add_probe(0, 1, PL_REQUEST, 7, seq, 1000 + more);
		add_probe(1, 0, PL_REQUEST, 7, seq, 5000);
		add_probe(1, 0, PL_REPLY, 7, seq, 200000);
		add_probe(0, 1, PL_REPLY, 7, seq, 70000);
	}
	judge();
	/* more is 0 for the warm-up and 1 to 100 for the others */
	is_trips(0, 1, 100, 201010, "all but the warm-up count");
	is_int(trips[1].min_ns, 201001, "the least");
	is_int(trips[1].p50_ns, 201050, "the median");
	is_trips(1, 0, 100, 75000, "the other way is another pair");
	is_trips(0, 2, 0, 0, "and of a third host there is none");
}

static void test_rounds(void)
{
	for (uint16_t round = 1; round <= 3; round++)
		for (uint32_t seq = 0; seq < 11U + round; seq++) {
			add_probe(2, 0, PL_REQUEST, round, seq, round == 2 ? 10 : 1000);
			add_probe(0, 2, PL_REPLY, round, seq, 5);
		}
	judge();
	is_trips(2, 0, 12, 15, "of several rounds the fastest");
}

static void test_echoes(void)
{
	for (uint16_t seq = 0; seq < 10; seq++) {
		add_echo(0, 1, ICMP_ECHO, 77, seq, 300 + seq);
		add_echo(1, 0, ICMP_ECHOREPLY, 77, seq, 30);
		add_echo(0, 1, ICMP_ECHO, 78, seq, 900);
		add_echo(1, 0, ICMP_ECHOREPLY, 79, seq, 1);
	}
	judge();
	is_trips(0, 1, 10, 330, "echoes: each counts, by process");
	is_trips(1, 0, 0, 0, "an answer is no request");
}

/* Everything twice, the copies later: as they arrive, and with the copy of a request behind the
 * answer. */
static void test_copies(void)
{
	for (uint32_t seq = 0; seq <= 10; seq++) {
		add_probe(0, 1, PL_REQUEST, 7, seq, 100 + seq);
		if (seq % 2)
			add_probe(0, 1, PL_REQUEST, 7, seq, 5000);
		add_probe(1, 0, PL_REPLY, 7, seq, 10000);
		if (seq % 2 == 0)
			add_probe(0, 1, PL_REQUEST, 7, seq, 1);
		add_probe(1, 0, PL_REPLY, 7, seq, 2);
	}
	judge();
	is_trips(0, 1, 10, 10101, "copies: what came first counts");
	is_int(trips[1].p50_ns, 10105, "... in the median too");
	is_trips(1, 0, 0, 0, "copies are no trips of the other way");
}

/* Ten trips, then one on its way as the delays change, then ten more. */
static void test_changes(void)
{
	for (uint32_t seq = 0; seq <= 20; seq++) {
		const size_t at = n_traced;

		add_probe(0, 1, PL_REQUEST, 7, seq, seq <= 10 ? 100 : 40);
		add_probe(1, 0, PL_REPLY, 7, seq, seq < 10 ? 100 : 40);
		trace[at].change = seq > 10;
		trace[at + 1].change = seq >= 10;
	}
	judge_after(0);
	is_trips(0, 1, 9, 200, "before a change: all but the warm-up");
	judge_after(1);
	is_trips(0, 1, 10, 80, "after it: all that came later");
	judge_after(2);
	is_trips(0, 1, 0, 0, "after one that never was: none");
	n_traced = 0;
}

int main(void)
{
	test_none();
	test_probes();
	test_rounds();
	test_echoes();
	test_copies();
	test_changes();
	return done_testing();
}
