/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-fping.c - what fping prints, and a shell spoken to as if it were an
 * agent */
#include "config.h"

#include "base/rng.h"
#include "probes/fping/talk.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MS INT64_C(1000000)
#define S (1000 * MS)

static void refuse(const char *line, const char *why)
{
	struct pl_fping_trip v[8];
	size_t n;

	ok(pl_fping_trips(line, "10.0.0.2", v, 8, &n) == -1, "%s", why);
}

static void test_nonsense(void)
{
	refuse("", "nothing");
	refuse("10.0.0.2", "a target alone");
	refuse("10.0.0.2 :", "no figure");
	refuse("10.0.0.20 : 1.0", "another target");
	refuse("10.0.0.2 1.0", "no colon");
	refuse("10.0.0.2 : 1.0 x", "a word");
	refuse("10.0.0.2 : -1.0", "less than nothing");
	refuse("10.0.0.2 : 1.", "nothing behind the point");
	refuse("10.0.0.2 : .5", "nothing before it");
	refuse("10.0.0.2 : 1e3", "an exponent");
	refuse("10.0.0.2 : nan", "no number");
	refuse("10.0.0.2 : 1.1234567", "a tenth of a ns");
	refuse("10.0.0.2 : 99999999999999999999", "more than any timeout");
	refuse("10.0.0.2 : 1 2 3 4 5 6 7 8 9", "more than was asked for");
	refuse("10.0.0.2 : [0], 64 bytes, 0.05 ms (0.05 avg, 0% loss)",
	       "a line of a single request");
	refuse("ICMP Host Unreachable from 10.0.0.1 for ICMP Echo sent to "
	       "10.0.0.2",
	       "an error");
}

static void test_good(void)
{
	struct pl_fping_trip v[8];
	size_t n;

	ok(!pl_fping_trips("10.0.0.2    : 0.032 - 1.24 30.1 123\t5", "10.0.0.2", v, 8, &n) &&
		   n == 6,
	   "six answers");
	ok(v[0].rtt_ns == 32000 && v[0].step_ns == 1000, "in us below 1 ms");
	ok(v[1].rtt_ns == PL_FPING_LOST, "one lost");
	ok(v[2].rtt_ns == 1240000 && v[2].step_ns == 10000, "in 10 us");
	ok(v[3].rtt_ns == 30100000 && v[3].step_ns == 100000, "in 100 us");
	ok(v[4].rtt_ns == 123 * MS && v[4].step_ns == MS, "in ms");
	ok(v[5].rtt_ns == 5 * MS, "behind a tab");
	ok(!pl_fping_trips("fd00::2 : 0.5", "fd00::2", v, 1, &n) && n == 1 && v[0].rtt_ns == 500000,
	   "IPv6, whose address has colons");
	ok(pl_fping_is_idle("", "a") && pl_fping_is_idle("  ", "a") &&
		   pl_fping_is_idle("a : [0], timed out (NaN avg, 100% loss)", "a") &&
		   !pl_fping_is_idle("a: error while sending ping", "a"),
	   "what tells nothing is told from what does");
}

/* Figures written as fping does read back to within half of their step. */
static void test_digits(void)
{
	struct pl_rng rng;
	int bad = 0;

	pl_rng_init(&rng, 7, 0);
	for (int i = 0; i < 20000; i++) {
		const int scale = (int)pl_rng_below(&rng, 7);
		double ms = (1 + (double)pl_rng_below(&rng, 1000000)) / 1e3;
		struct pl_fping_trip v;
		char line[64];
		int64_t off;
		size_t n;

		for (int k = 0; k < scale; k++)
			ms /= 10;
		snprintf(line, sizeof(line), "h : %.*f",
			 ms < 1     ? 3
			 : ms < 10  ? 2
			 : ms < 100 ? 1
				    : 0,
			 ms);
		if (pl_fping_trips(line, "h", &v, 1, &n)) {
			bad++;
			continue;
		}
		off = v.rtt_ns - (int64_t)(ms * 1e6 + 0.5);
		bad += off < -v.step_ns / 2 - 1 || off > v.step_ns / 2 + 1;
	}
	ok(bad == 0, "20000 figures read back within half a step");
}

/* A shell being spoken to. */
struct talk {
	struct pl_fping f;
	int64_t now_ns;
	char out[PL_LINE_CHARS];
	size_t len;
	struct pl_msg msg;
};

static enum pl_fping_heard hear(struct talk *t, const char *line)
{
	return pl_fping_hear(&t->f, line, t->now_ns, &t->msg, t->out, &t->len);
}

static struct pl_msg round_of(uint16_t round)
{
	struct pl_msg msg = {
		.kind = PL_MSG_ROUND, .round = round, .peer = 3, .packets_max = PL_PACKETS_LIMIT};

	pl_addr_parse("10.0.0.2", 8, &msg.addr);
	return msg;
}

static void tell(struct talk *t, const struct pl_msg *msg)
{
	t->len = pl_fping_tell(&t->f, msg, t->now_ns, t->out);
}

/* Answers the request in t->out: @n answers of @ms, of which every @lost-th is
 * lost (0: none). */
static enum pl_fping_heard answer(struct talk *t, const char *target, const char *ms, unsigned lost,
				  int status)
{
	char line[PL_LINE_CHARS];
	unsigned turn, count;
	int len;

	if (sscanf(t->out, "p %u %u", &turn, &count) != 2)
		return PL_FPING_STRANGE;
	snprintf(line, sizeof(line), "begin %u", turn);
	hear(t, line);
	len = snprintf(line, sizeof(line), "%s :", target);
	for (unsigned i = 0; i < count; i++)
		len += snprintf(line + len, sizeof(line) - (size_t)len, " %s",
				lost && i % lost == 0 ? "-" : ms);
	hear(t, line);
	snprintf(line, sizeof(line), "done %u %d", turn, status);
	return hear(t, line);
}

static void start(struct talk *t, uint32_t min, uint32_t max)
{
	struct pl_msg run = {.kind = PL_MSG_RUN};
	const struct pl_msg set = {.kind = PL_MSG_SETTINGS,
				   .settings = {.probes_min = min,
						.probes_max = max,
						.tolerance = {.share = 0.02, .ns = 10000},
						.gap_ns = MS,
						.pair_ns = S,
						.limit_ns = 30 * S,
						.silence_ns = 5 * S}};

	memset(t, 0, sizeof(*t));
	pl_fping_init(&t->f, NULL);
	ok(hear(t, "Welcome") == PL_FPING_STRANGE && hear(t, "begin 0") == PL_FPING_STRANGE &&
		   hear(t, "addr eth9 10.9.9.9/24") == PL_FPING_STRANGE &&
		   hear(t, "ready") == PL_FPING_STRANGE && hear(t, "done 0 0") == PL_FPING_STRANGE,
	   "a banner is none of it, whatever it says");
	ok(hear(t, "plink-fping 5.1") == PL_FPING_MESSAGE && t->msg.kind == PL_MSG_HELLO &&
		   t->msg.protocol == PL_PROTOCOL,
	   "the greeting");
	ok(hear(t, "addr lo 127.0.0.1/8") == PL_FPING_MORE, "a loopback address is not wanted");
	ok(hear(t, "addr eth0@if5 10.0.0.1/24") == PL_FPING_MESSAGE && t->msg.kind == PL_MSG_ADDR &&
		   !strcmp(t->msg.addr.iface, "eth0") && t->msg.addr.prefix == 24,
	   "one of the network is");
	run.addr = t->msg.addr;
	ok(hear(t, "ready") == PL_FPING_MESSAGE && t->msg.kind == PL_MSG_READY, "ready");
	tell(t, &run);
	ok(t->len == 0, "there is no key to be told");
	tell(t, &set);
	ok(answer(t, "10.0.0.1", "0.010", 0, 0) == PL_FPING_MESSAGE &&
		   t->msg.kind == PL_MSG_BOUND && t->msg.n_ports == 1 && t->msg.echo_ns == 10000,
	   "it pings itself");
}

/* Is it there? It tells when it does not run fping. */
static void test_asked(void)
{
	const struct pl_msg ping = {.kind = PL_MSG_PING};
	struct pl_msg msg = round_of(5);
	char request[PL_LINE_CHARS];
	struct talk t;

	start(&t, 40, 1000);
	tell(&t, &ping);
	is_str(t.out, "ping\n", "a shell is asked as an agent is");
	ok(hear(&t, "pong") == PL_FPING_MESSAGE && t.msg.kind == PL_MSG_PONG, "and answers so");
	tell(&t, &msg);
	memcpy(request, t.out, sizeof(request));
	tell(&t, &ping);
	memcpy(t.out, request, sizeof(request));
	ok(answer(&t, "10.0.0.2", "1.25", 0, 0) == PL_FPING_MESSAGE && t.msg.kind == PL_MSG_RESULT,
	   "what it does then is done");
	ok(hear(&t, "pong") == PL_FPING_MESSAGE && t.msg.kind == PL_MSG_PONG,
	   "and the answer comes after it");
	is_int(pl_fping_deaf_ns(&t.f), 1041 * MS,
	       "41 ms and a second for the last one: so long it is deaf");
	pl_fping_fini(&t.f);
}

static void test_pair(void)
{
	struct pl_msg msg = round_of(5);
	struct talk t;
	int runs = 1;

	start(&t, 40, 1000);
	tell(&t, &msg);
	ok(!strcmp(t.out, "p 2 41 1 250 10.0.0.1 10.0.0.2 -q\n"),
	   "one more than the least, for warm-up");
	ok(answer(&t, "10.0.0.2", "1.25", 0, 0) == PL_FPING_MESSAGE &&
		   t.msg.kind == PL_MSG_RESULT && t.msg.round == 5 && t.msg.peer == 3,
	   "equal answers are settled at once");
	ok(t.msg.pair.packets == 41 && t.msg.pair.sent == 40 && t.msg.pair.answered == 40 &&
		   t.msg.pair.lost == 0 && t.msg.pair.rtt.p10_ns == 1250000 &&
		   t.msg.pair.step_ns == 10000,
	   "figures, and their step");
	tell(&t, &msg);
	ok(answer(&t, "10.0.0.2", "1.25", 2, 0) == PL_FPING_MORE && t.len > 0,
	   "half of them lost: it asks again");
	ok(strstr(t.out, " 21 1 50 ") != NULL,
	   "for what is missing, and waits no longer than it must");
	while (answer(&t, "10.0.0.2", "1.25", 2, 0) == PL_FPING_MORE && runs < 50)
		runs++;
	ok(t.msg.kind == PL_MSG_RESULT && t.msg.pair.answered >= 40 &&
		   t.msg.pair.sent == t.msg.pair.answered + t.msg.pair.lost,
	   "until there are enough");
	msg.packets_max = 20;
	tell(&t, &msg);
	ok(answer(&t, "10.0.0.2", "1.25", 0, 0) == PL_FPING_MESSAGE && t.msg.pair.packets == 20,
	   "no more than the budget");
	pl_fping_fini(&t.f);
}

static void test_step(void)
{
	const struct pl_msg msg = round_of(5);
	struct talk t;
	char line[PL_LINE_CHARS];
	int len, more = 0;

	/* 100 us apart, far beyond 2 % + 10 us but one step */
	start(&t, 40, 200);
	t.f.settings.tolerance = (struct pl_tolerance){.share = 0, .ns = 0};
	tell(&t, &msg);
	hear(&t, "begin 2");
	len = snprintf(line, sizeof(line), "10.0.0.2 :");
	for (int i = 0; i < 41; i++)
		len += snprintf(line + len, sizeof(line) - (size_t)len, " %s",
				i % 3 ? "30.1" : "30.2");
	hear(&t, line);
	ok(hear(&t, "done 2 0") == PL_FPING_MESSAGE && t.msg.pair.step_ns == 100000,
	   "no pair is measured to less than the printed step");
	tell(&t, &msg);
	hear(&t, "begin 3");
	len = snprintf(line, sizeof(line), "10.0.0.2 :");
	for (int i = 0; i < 41; i++)
		len += snprintf(line + len, sizeof(line) - (size_t)len, " 3%d.%d", i % 9, i % 7);
	hear(&t, line);
	more = hear(&t, "done 3 0") == PL_FPING_MORE;
	ok(more, "what scatters more goes on");
	pl_fping_fini(&t.f);
}

static void test_silence(void)
{
	const struct pl_msg msg = round_of(6);
	struct talk t;
	int runs = 0;

	start(&t, 40, 1000);
	tell(&t, &msg);
	for (; runs < 20; runs++) {
		t.now_ns += S;
		if (answer(&t, "10.0.0.2", "-", 0, 1) != PL_FPING_MORE || !strstr(t.out, "-q"))
			break;
	}
	ok(runs == 4, "nothing is answered: over after the silence (%d)", runs);
	ok(t.len > 0 && strstr(t.out, "p 7 1 ") == t.out, "then it is asked why");
	hear(&t, "begin 7");
	hear(&t, "ICMP Host Unreachable from 10.0.0.1 for ICMP Echo sent to "
		 "10.0.0.2");
	hear(&t, "10.0.0.2 : [0], timed out (NaN avg, 100% loss)");
	ok(hear(&t, "done 7 1") == PL_FPING_MESSAGE && t.msg.kind == PL_MSG_RESULT &&
		   t.msg.pair.answered == 0 &&
		   strstr(t.msg.text, "ICMP Host Unreachable from 10.0.0.1"),
	   "and that is the reason");
	pl_fping_fini(&t.f);
}

static void test_faults(void)
{
	const struct pl_msg msg = round_of(7), rest = {.kind = PL_MSG_REST};
	struct talk t;

	start(&t, 40, 1000);
	tell(&t, &msg);
	tell(&t, &rest);
	ok(answer(&t, "10.0.0.2", "1.25", 0, 0) == PL_FPING_MORE && t.len == 0,
	   "what was called off is nothing");
	tell(&t, &msg);
	hear(&t, "begin 2");
	ok(hear(&t, "done 2 0") == PL_FPING_MORE, "nor is an earlier answer");
	hear(&t, "begin 3");
	hear(&t, "fping: can't create socket (must run as root?)");
	ok(hear(&t, "done 3 4") == PL_FPING_MESSAGE && strstr(t.msg.text, "must run as root"),
	   "what fping complains of is the reason");
	ok(hear(&t, "done x") == PL_FPING_STRANGE && hear(&t, "begin -1") == PL_FPING_STRANGE,
	   "a turn that is none");
	pl_fping_fini(&t.f);

	pl_fping_init(&t.f, "10.9.0.0/16");
	hear(&t, "plink-fping 5.1");
	hear(&t, "addr eth0 10.0.0.1/24");
	ok(hear(&t, "ready") == PL_FPING_MESSAGE && t.msg.kind == PL_MSG_ERROR &&
		   strstr(t.msg.text, "10.9.0.0/16") && strstr(t.msg.text, "eth0 10.0.0.1"),
	   "no address there: says which there are");
	ok(hear(&t, "error fping is not installed") == PL_FPING_MESSAGE &&
		   t.msg.kind == PL_MSG_ERROR,
	   "an error of the shell's");
	pl_fping_fini(&t.f);
}

int main(void)
{
	test_nonsense();
	test_good();
	test_digits();
	test_asked();
	test_pair();
	test_step();
	test_silence();
	test_faults();
	return done_testing();
}
