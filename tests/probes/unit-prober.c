/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-prober.c - a directed pair measured in invented time */
#include "config.h"

#include "base/rng.h"
#include "probes/pair/prober.h"
#include "tests/tap.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)

static const struct pl_prober_options plain = {
	.probes_min = 40,
	.probes_max = 200,
	.tolerance = {.share = 0.02, .ns = 1000},
	.gap_ns = 1 * MS,
	.pair_ns = 10000 * MS,
	.limit_ns = 60000 * MS,
	.silence_ns = 2000 * MS,
	.packets_max = PL_PACKETS_LIMIT,
	.n_flows = 1,
};

/* A network with replies under way. */
struct network {
	int64_t rtt_ns, spread_ns; /* uniform in [rtt, rtt + spread) */
	int64_t longer_ns;         /* on flows that are not the first of four */
	int dead_flow;             /* which is never answered; 0: none */
	int lost_percent;
	int64_t dead_until_ns, dead_from_ns; /* nothing is answered */
	int copies;                          /* replies per probe */
	uint32_t hold_ns;
	int64_t waited_ns;            /* replies, before they are read */
	uint64_t seed;                /* 0: 1 */
	int64_t late_ns;              /* by so much it wakes up too late */
	int spins;                    /* out: awake with nothing to do */
	int64_t stall_ns, stalled_ns; /* so long, of every so long, all waits */
	struct pl_rng rng;
	struct {
		int64_t at_ns;
		uint32_t seq;
	} due[256];
	size_t n_due;
};

/* When a host that stands still for stalled_ns of every stall_ns reads it. */
static int64_t after_stall(const struct network *net, int64_t at_ns)
{
	int64_t into;

	if (net->stall_ns == 0)
		return at_ns;
	into = at_ns % net->stall_ns;
	return into < net->stalled_ns ? at_ns - into + net->stalled_ns : at_ns;
}

static void transmit(struct network *net, uint32_t seq, int64_t now)
{
	int64_t rtt = net->rtt_ns;

	if (net->spread_ns)
		rtt += (int64_t)pl_rng_below(&net->rng, (uint64_t)net->spread_ns);
	if (seq % 4)
		rtt += net->longer_ns;
	if ((int)pl_rng_below(&net->rng, 100) < net->lost_percent ||
	    (net->dead_flow && (int)(seq % 4) == net->dead_flow) || now < net->dead_until_ns ||
	    (net->dead_from_ns && now >= net->dead_from_ns))
		return;
	for (int c = 0; c < net->copies && net->n_due < 256; c++) {
		net->due[net->n_due].at_ns = after_stall(net, now + rtt);
		net->due[net->n_due++].seq = seq;
	}
}

/* The earliest reply's index, or n_due. */
static size_t earliest(const struct network *net)
{
	size_t best = net->n_due;

	for (size_t i = 0; i < net->n_due; i++)
		if (best == net->n_due || net->due[i].at_ns < net->due[best].at_ns)
			best = i;
	return best;
}

/* Runs to the end; the end in ns after the start. */
static int64_t simulate(struct network *net, const struct pl_prober_options *options,
			struct pl_probed_pair *pair)
{
	struct pl_prober p;
	int64_t now = 0;
	uint32_t seq;

	if (net->copies == 0)
		net->copies = 1;
	pl_rng_init(&net->rng, net->seed ? net->seed : 1, 0);
	if (pl_prober_init(&p, options, now))
		return -1;
	for (;;) {
		size_t next;

		while (pl_prober_step(&p, now, &seq))
			transmit(net, seq, now);
		if (p.done)
			break;
		if (pl_prober_wake(&p) <= now) {
			net->spins++;
			now += US;
			continue;
		}
		next = earliest(net);
		if (next < net->n_due && net->due[next].at_ns <= pl_prober_wake(&p)) {
			now = net->due[next].at_ns;
			pl_prober_hear(&p, &(struct pl_prober_heard){
						   .seq = net->due[next].seq,
						   .hold_ns = net->hold_ns,
						   .at_ns = now,
						   .waited_ns = net->waited_ns,
					   });
			net->due[next] = net->due[--net->n_due];
		} else {
			now = pl_prober_wake(&p) + net->late_ns;
		}
	}
	pl_prober_result(&p, pair);
	pl_prober_fini(&p);
	return now;
}

static bool adds_up(const struct pl_probed_pair *p)
{
	return p->sent == p->answered + p->lost && p->late <= p->answered;
}

static void test_constant(void)
{
	struct network net = {.rtt_ns = 100 * US, .hold_ns = 7000, .waited_ns = 5000};
	struct pl_probed_pair p;
	const int64_t end = simulate(&net, &plain, &p);

	is_int((int64_t)p.sent, 40, "equal round trips: settled at the least");
	is_int(p.rtt.p10_ns, 93 * US, "the hold time is subtracted");
	is_int(p.rtt.raw_ns, 105 * US, "but not from the raw value, which has the wait, too");
	ok(p.rtt.min_ns == p.rtt.p10_ns && p.rtt.p99_ns == p.rtt.p10_ns, "everywhere");
	is_int(end, 40 * MS + 100 * US, "one warm-up, then a probe per gap");
	ok(adds_up(&p) && p.lost == 0 && p.duplicate == 0, "nothing is lost");
}

static void test_spread(void)
{
	struct network net = {.rtt_ns = 100 * US, .spread_ns = 1000 * US};
	struct pl_prober_options close = plain, wide = plain;
	struct pl_probed_pair p;

	simulate(&net, &close, &p);
	is_int((int64_t)p.sent, 200, "a wide spread is never settled: the most");
	ok(p.rtt.p10_ns > 150 * US && p.rtt.p10_ns < 260 * US, "p10 is about right");
	ok(p.rtt.min_ns <= p.rtt.p10_ns && p.rtt.p10_ns <= p.rtt.p50_ns &&
		   p.rtt.p50_ns <= p.rtt.p90_ns && p.rtt.p90_ns <= p.rtt.p99_ns,
	   "percentiles ascend");
	wide.tolerance.ns = 100 * US;
	simulate(&net, &wide, &p);
	ok(p.sent > 40 && p.sent < 200, "less precision, fewer probes (%d)", (int)p.sent);
	close.pair_ns = 50 * MS;
	simulate(&net, &close, &p);
	ok(p.sent >= 40 && p.sent < 60, "a pair's time ends it (%d)", (int)p.sent);
}

static void test_loss(void)
{
	struct network net = {.rtt_ns = 100 * US, .lost_percent = 20};
	struct pl_probed_pair p;
	const int64_t end = simulate(&net, &plain, &p);

	is_int((int64_t)p.answered, 40, "losses are made up for");
	ok(p.lost > 0 && adds_up(&p), "and counted (%d)", (int)p.lost);
	is_int(p.rtt.p10_ns, 100 * US, "and are in no percentile");
	ok(end < 200 * MS, "and cost 3 ms, not a second, each");
}

/* 1 % each way: pairs end when both directions have, against the round trips that they took one
 * after the other. */
static void test_loss_time(void)
{
	struct pl_probed_pair p;
	int64_t took = 0, least = 0;

	for (uint64_t pair = 0; pair < 200; pair++) {
		int64_t longest = 0;

		for (uint64_t way = 1; way <= 2; way++) {
			struct network net = {
				.rtt_ns = 2 * MS, .lost_percent = 2, .seed = 2 * pair + way};
			const int64_t end = simulate(&net, &plain, &p);

			longest = end > longest ? end : longest;
			least += (int64_t)(p.sent + 1) * net.rtt_ns;
		}
		took += 2 * longest;
	}
	ok((double)took < 1.2 * (double)least,
	   "1 %% loss costs %.3f times the time of the round trips", (double)took / (double)least);
}

/* Stalls make replies late, which are counted, and no storm. */
static void test_stalls(void)
{
	struct network net = {.rtt_ns = 500 * US,
			      .spread_ns = 50 * US,
			      .stall_ns = 1000 * MS,
			      .stalled_ns = 300 * MS};
	struct pl_prober_options o = plain;
	struct pl_probed_pair p;
	int64_t end;

	o.probes_min = o.probes_max = 2000;
	end = simulate(&net, &o, &p);
	ok(p.late > 0 && p.lost == 0 && adds_up(&p),
	   "a host that stalls: late replies (%d), none lost", (int)p.late);
	ok((int64_t)p.late <= 7 * (end / net.stall_ns + 1), "and few probes a stall");
	ok(p.rtt.p10_ns < 510 * US && p.rtt.p50_ns < 550 * US,
	   "that move no percentile they are not of");
}

static void test_dead(void)
{
	struct network net = {.dead_from_ns = 1, .dead_until_ns = 1};
	struct pl_probed_pair p;
	const int64_t end = simulate(&net, &plain, &p);

	ok(p.answered == 0 && p.rtt.p10_ns == 0, "no reply at all");
	ok(p.sent > 3 && p.sent == p.lost && p.sent < 20, "a few probes were tried (%d)",
	   (int)p.sent);
	is_int(end, 2000 * MS, "given up after the silence");
	net = (struct network){.rtt_ns = MS, .dead_from_ns = 20 * MS};
	simulate(&net, &plain, &p);
	ok(p.answered >= 15 && p.answered < 20 && adds_up(&p),
	   "died on the way: what there was is kept (%d)", (int)p.answered);
}

static void test_late_start(void)
{
	struct network net = {.rtt_ns = 300 * US, .dead_until_ns = 30 * MS};
	struct pl_probed_pair p;
	const int64_t end = simulate(&net, &plain, &p);

	ok(p.sent == 40 && p.lost == 0,
	   "a peer that comes later: warm-up is repeated, nothing is lost");
	ok(end < 120 * MS, "and soon noticed");
}

static void test_slow_start(void)
{
	struct network net = {.rtt_ns = 700 * MS};
	struct pl_probed_pair p;

	simulate(&net, &plain, &p);
	ok(p.sent == 40 && p.answered == 40 && p.late == 0,
	   "700 ms: no probe is given up early (%d late)", (int)p.late);
	is_int(p.rtt.p10_ns, 700 * MS, "and the time is right");
}

/* Round trips longer than the gap: a probe leaves every gap all the same. */
static void test_long(void)
{
	struct network net = {.rtt_ns = 20 * MS};
	struct pl_prober_options o = plain;
	struct pl_probed_pair p;
	int64_t end = simulate(&net, &o, &p);

	/* the warm-up, 39 gaps, and the last round trip; the first wait is given up some times */
	ok(end >= (20 + 39 + 20) * MS && end < (20 + 39 + 20 + 20) * MS, "one a gap (%d ms)",
	   (int)(end / MS));
	ok(p.sent == 40 && p.late == 0 && adds_up(&p), "and no more than are wanted");
	net.lost_percent = 5;
	end = simulate(&net, &o, &p);
	ok(p.answered == 40 && p.lost > 0 && adds_up(&p) && end < 400 * MS,
	   "after a loss one at a time, until an answer (%d ms)", (int)(end / MS));
	net.lost_percent = 0;
	o.gap_ns = PL_PROBER_GAP_NS - 1;
	end = simulate(&net, &o, &p);
	ok(end >= 41 * 20 * MS, "one at a time where the gap is small");
	for (net.seed = 1; net.seed <= 300; net.seed++) {
		o = plain;
		o.pair_ns = 60 * MS;
		net.rtt_ns = 4 * MS;
		net.spread_ns = 4 * MS;
		net.late_ns = 60 * US;
		simulate(&net, &o, &p);
	}
	is_int(net.spins, 0, "always a time to wake up, or done");
	net = (struct network){.rtt_ns = 700 * MS};
	o = plain;
	o.probes_min = o.probes_max = 100;
	end = simulate(&net, &o, &p);
	ok(p.answered == 100 && end >= 3 * 700 * MS, "no more than %d are on their way",
	   PL_PROBER_OPEN);
	net = (struct network){.rtt_ns = 20 * MS, .dead_from_ns = 60 * MS};
	simulate(&net, &plain, &p);
	ok(p.answered > 0 && p.sent < 60 && adds_up(&p), "to a peer that died few leave (%d)",
	   (int)p.sent);
}

static void test_duplicates(void)
{
	struct network net = {.rtt_ns = 100 * US, .copies = 3};
	struct pl_probed_pair p;

	simulate(&net, &plain, &p);
	ok(p.sent == 40 && p.answered == 40, "copies are no answers");
	/* copies of the last reply come when all is over */
	ok(p.duplicate >= 78 && p.duplicate <= 80, "but counted (%d)", (int)p.duplicate);
}

static void test_late(void)
{
	struct pl_prober_options o = plain;
	struct pl_prober p;
	struct pl_probed_pair pair;
	uint32_t seq;

	o.gap_ns = PL_PROBER_GAP_NS - 1; /* one at a time */
	pl_prober_init(&p, &o, 0);
	is_int(pl_prober_reply(&p, 0, 0, 0), -1, "a reply to nothing");
	ok(pl_prober_step(&p, 0, &seq) && seq == 0, "warm-up leaves");
	ok(!pl_prober_step(&p, 1, &seq), "stop and wait");
	is_int(pl_prober_reply(&p, 1, 0, 2), -1, "a reply to the next one");
	is_int(pl_prober_reply(&p, 0, 0, MS), 0, "warm-up is answered");
	ok(pl_prober_step(&p, MS, &seq) && seq == 1, "the first that counts");
	is_int(pl_prober_wake(&p), 4 * MS, "given up four deviations after the mean");
	ok(pl_prober_step(&p, 4 * MS, &seq) && seq == 2, "the next leaves");
	pl_prober_reply(&p, 1, 0, 8 * MS);
	ok(!pl_prober_step(&p, 8 * MS, &seq), "the late one ends no wait");
	is_int(pl_prober_wake(&p), 10 * MS, "which is twice as long");
	pl_prober_reply(&p, 2, 0, 9 * MS);
	pl_prober_reply(&p, 1, 0, 10 * MS);
	pl_prober_result(&p, &pair);
	is_int((int64_t)pair.late, 1, "one late");
	is_int((int64_t)pair.lost, 0, "none lost after all");
	is_int((int64_t)pair.duplicate, 1, "one duplicate of the late one");
	is_int(pair.rtt.p99_ns, 7 * MS, "the late one is in the sample");
	is_int(pair.rtt.min_ns, 5 * MS, "as is the other");
	pl_prober_fini(&p);
}

static uint32_t most(uint32_t bound)
{
	return bound - 1;
}

/* Replies that all take as long: what is overdue is given up 1 ms after
 * them. */
static void test_margin(void)
{
	struct pl_prober_options o = plain;
	struct pl_prober p;
	int64_t now = 0;
	uint32_t seq;

	o.gap_ns = PL_PROBER_GAP_NS - 1;
	pl_prober_init(&p, &o, 0);
	for (int i = 0; i < 20; i++) {
		pl_prober_step(&p, now, &seq);
		pl_prober_reply(&p, seq, 0, now + 5 * MS);
		now += 5 * MS;
	}
	ok(pl_prober_step(&p, now, &seq), "one more leaves");
	is_int(pl_prober_wake(&p), now + 6 * MS, "1 ms longer is waited for it");
	pl_prober_fini(&p);
}

static void test_jitter(void)
{
	struct pl_prober p;
	uint32_t seq;

	pl_prober_init(&p, &plain, 0);
	p.chance = most;
	pl_prober_step(&p, 0, &seq);
	pl_prober_reply(&p, 0, 0, 100 * US);
	is_int(pl_prober_wake(&p), 2 * MS - 1, "up to a gap beyond the gap");
	ok(!pl_prober_step(&p, 2 * MS - 2, &seq), "not sooner");
	ok(pl_prober_step(&p, 2 * MS - 1, &seq), "but then");
	pl_prober_reply(&p, 1, 0, 12 * MS);
	is_int(pl_prober_wake(&p), 12 * MS + 62500 - 1,
	       "or to a sixteenth of it beyond a reply that took longer");
	pl_prober_fini(&p);
}

static void test_limit(void)
{
	struct network net = {.rtt_ns = 100 * US, .lost_percent = 97};
	struct pl_prober_options o = plain;
	struct pl_probed_pair p;

	o.silence_ns = 1000000 * MS;
	o.limit_ns = 3000 * MS;
	is_int(simulate(&net, &o, &p), 3000 * MS, "the limit ends all");
	ok(p.answered < 40 && adds_up(&p), "with what there is");
}

/* Paths of equal length are one sample; else the median path holds. */
static void test_flows(void)
{
	struct network net = {.rtt_ns = 500 * US, .spread_ns = 4 * US};
	struct pl_prober_options o = plain;
	struct pl_probed_pair p;

	o.n_flows = 4;
	simulate(&net, &o, &p);
	ok(p.answered == 40, "flows that agree need no more probes");
	ok(p.rtt.spread_ns < 4 * US && p.rtt.p10_ns < 501 * US, "and are one sample");
	net = (struct network){.rtt_ns = 300 * US,
			       .spread_ns = 4 * US,
			       .longer_ns = 200 * US,
			       .waited_ns = 9 * US};
	simulate(&net, &o, &p);
	ok(p.answered >= 4 * 36 && p.answered < 200,
	   "flows that do not are settled each (%d probes)", (int)p.answered);
	ok(p.rtt.p10_ns >= 500 * US && p.rtt.p10_ns < 504 * US,
	   "one fast path of four is not what most get");
	is_int(p.rtt.raw_ns, p.rtt.p10_ns + 9 * US, "the raw value is of the same flow");
	ok(p.rtt.spread_ns > 195 * US && p.rtt.spread_ns < 205 * US,
	   "by how much they differ is told");
	ok(p.rtt.min_ns <= p.rtt.p10_ns && p.rtt.p10_ns <= p.rtt.p50_ns &&
		   p.rtt.p50_ns <= p.rtt.p90_ns && p.rtt.p90_ns <= p.rtt.p99_ns,
	   "percentiles ascend");
	net = (struct network){.rtt_ns = 300 * US, .dead_flow = 2};
	simulate(&net, &o, &p);
	ok(p.answered >= 40 && p.rtt.p10_ns == 300 * US && p.rtt.spread_ns == 0,
	   "a flow that is never answered does not count");
	ok(p.lost * 3 >= p.answered - 3, "but its losses do");
}

/* What a budget allows is never exceeded, warm-up included. */
static void test_packets_max(void)
{
	struct network net = {.rtt_ns = 100 * US, .lost_percent = 50};
	struct pl_prober_options o = plain;
	struct pl_probed_pair p;

	o.packets_max = 60;
	simulate(&net, &o, &p);
	is_int((int64_t)p.packets, 60, "no packet more than allowed");
	ok(p.answered > 0 && p.sent <= 60 && p.sent == p.answered + p.lost,
	   "what was answered counts");
	net.lost_percent = 100;
	o.packets_max = 3;
	simulate(&net, &o, &p);
	is_int((int64_t)p.packets, 3, "nor where nothing is answered");
}

/* All that may be sent is given up: there is nothing to do but to listen. */
static void test_all_late(void)
{
	struct pl_prober_options o = plain;
	struct pl_prober p;
	struct pl_probed_pair pair;
	uint32_t seq;

	o.probes_min = o.probes_max = 2;
	pl_prober_init(&p, &o, 0);
	pl_prober_step(&p, 0, &seq);
	pl_prober_reply(&p, seq, 0, MS);
	for (int64_t now = MS; now < 100 * MS; now += MS)
		pl_prober_step(&p, now, &seq);
	is_int(seq, 2, "two probes are sent, both are given up");
	ok(!p.done, "but the pair is not");
	is_int(pl_prober_wake(&p), MS + o.silence_ns, "until the silence");
	pl_prober_reply(&p, 2, 0, 120 * MS);
	pl_prober_step(&p, 120 * MS, &seq);
	ok(p.done, "one late answer is enough");
	pl_prober_result(&p, &pair);
	ok(pair.sent == 2 && pair.late == 1 && pair.lost == 1 && adds_up(&pair),
	   "and is the sample");
	pl_prober_fini(&p);
}

int main(void)
{
	test_all_late();
	test_flows();
	test_packets_max();
	test_constant();
	test_spread();
	test_loss();
	test_loss_time();
	test_stalls();
	test_dead();
	test_late_start();
	test_slow_start();
	test_long();
	test_duplicates();
	test_late();
	test_jitter();
	test_limit();
	test_margin();
	return done_testing();
}
