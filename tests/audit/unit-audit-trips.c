/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-audit-trips.c - round trips of TCP streams: what counts, and what does
 * not */
#include "config.h"

#include "audit/trips.h"
#include "base/rng.h"
#include "tests/tap.h"

#define MS INT64_C(1000000)

static void test_one(void)
{
	struct pl_trips t = {.n = 0};

	ok(!pl_trips_answered(&t, 5, 1, true) && t.n == 0, "an answer to nothing is none");
	pl_trips_sent(&t, 100, 0, 1);
	ok(!t.based, "nor is an empty segment sent");
	pl_trips_sent(&t, UINT32_MAX - 9, 20, 1000);
	pl_trips_answered(&t, 10, 4000, true);
	ok(t.n == 1 && t.trip[0].ns == 3000 && t.trip[0].bare,
	   "a segment across the end of the numbers");
	pl_trips_answered(&t, 10, 5000, true);
	ok(t.n == 1, "answered once");
	pl_trips_answered(&t, 11, 5000, true);
	ok(t.n == 1, "what was never sent is not answered");
	pl_trips_sent(&t, 10, 100, 10000);
	pl_trips_sent(&t, 110, 100, 11000);
	pl_trips_answered(&t, 210, 15000, false);
	ok(t.n == 2 && t.trip[1].ns == 4000 && !t.trip[1].bare,
	   "of two at once the last one counts");
	pl_trips_sent(&t, 210, 100, 20000);
	pl_trips_answered(&t, 260, 21000, true);
	pl_trips_answered(&t, 310, 25000, true);
	ok(t.n == 3 && t.trip[2].ns == 5000, "half an answer is none");
	pl_trips_sent(&t, 310, 100, 30000);
	pl_trips_sent(&t, 410, 100, 30000);
	pl_trips_sent(&t, 310, 100, 50000);
	pl_trips_answered(&t, 410, 51000, true);
	pl_trips_answered(&t, 510, 52000, true);
	ok(t.n == 3 && t.n_again == 1,
	   "what was sent again, and what was on its way then, does not count");
	pl_trips_sent(&t, 510, 1, 60000);
	pl_trips_answered(&t, 511, 59000, true);
	ok(t.n == 3, "a clock that was set back does not count");
	pl_trips_fini(&t);
}

static void test_no_answers(void)
{
	struct pl_trips t = {.n = 0};

	for (uint32_t i = 0; i < 300000; i++)
		pl_trips_sent(&t, i * 10, 10, i);
	ok(t.open_room < 300000, "where nobody answers memory has an end");
	pl_trips_answered(&t, 3000000, 300007, true);
	ok(t.n == 1 && t.trip[0].ns == 8, "and the last ones are still known");
	pl_trips_fini(&t);
}

struct path {
	struct pl_rng rng;
	struct pl_trips t;
	uint32_t seq;
	int64_t now_ns;
};

/* Up to six segments, 1 us apart; the receiver answers every second one at once
 * and holds back the answer to a last odd one for 40 ms. One may be lost, and
 * is sent again with all behind it after 200 ms. The path takes @rtt_ns. */
static void burst(struct path *p, int64_t rtt_ns)
{
	const uint32_t n = 1 + (uint32_t)pl_rng_below(&p->rng, 6);
	const uint32_t lost = (uint32_t)pl_rng_below(&p->rng, 40);
	const uint32_t len = 1 + (uint32_t)pl_rng_below(&p->rng, 60000);
	const uint32_t whole = lost < n ? lost : n;

	for (uint32_t i = 0; i < n; i++)
		pl_trips_sent(&p->t, p->seq + i * len, len, p->now_ns + 1000 * i);
	for (uint32_t i = 0; i < whole; i++) {
		const bool last = i + 1 == whole;
		int64_t ns = p->now_ns + 1000 * i + rtt_ns;

		if (i % 2 == 0 && !last)
			continue;
		if (i % 2 == 0)
			ns += 40 * MS;
		pl_trips_answered(&p->t, p->seq + (i + 1) * len, ns, true);
	}
	p->now_ns += 200 * MS;
	for (uint32_t i = whole; i < n; i++)
		pl_trips_sent(&p->t, p->seq + i * len, len, p->now_ns + 1000 * i);
	pl_trips_answered(&p->t, p->seq + n * len, p->now_ns + 6000 + rtt_ns, true);
	p->seq += n * len;
	p->now_ns += 100 * MS;
}

static void test_path(void)
{
	const int64_t rtt_ns = 250000;
	struct path p = {.now_ns = 5 * MS, .seq = 4000000000u};
	size_t held = 0, wrong = 0;

	pl_rng_init(&p.rng, 11, 0);
	for (int i = 0; i < 20000; i++)
		burst(&p, rtt_ns);
	for (size_t i = 0; i < p.t.n; i++) {
		held += p.t.trip[i].ns == rtt_ns + 40 * MS;
		wrong += p.t.trip[i].ns != rtt_ns && p.t.trip[i].ns != rtt_ns + 40 * MS;
	}
	ok(p.t.n > 20000 && wrong == 0,
	   "%zu round trips of 20000 bursts with losses: all are the path's", p.t.n);
	ok(held > 1000 && p.t.n_again > 1000,
	   "%zu of them held back by a timer; %llu segments sent again", held,
	   (unsigned long long)p.t.n_again);
	pl_trips_fini(&p.t);
}

int main(void)
{
	test_one();
	test_no_answers();
	test_path();
	return done_testing();
}
