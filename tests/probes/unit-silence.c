/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-silence.c - for how long somebody has said nothing, in invented time */
#include "config.h"

#include "base/rng.h"
#include "probes/protocol/silence.h"
#include "tests/tap.h"

#define MS INT64_C(1000000)
#define S (1000 * MS)

/* Looks every @step_ns for @ns; the silence then. */
static int64_t look_for(struct pl_silence *s, int64_t *now_ns, int64_t ns, int64_t step_ns)
{
	const int64_t end_ns = *now_ns + ns;

	while (*now_ns < end_ns) {
		*now_ns += step_ns;
		pl_silence_look(s, *now_ns);
	}
	return s->ns;
}

static void test_counts(void)
{
	struct pl_silence s;
	int64_t now = 77 * S;

	pl_silence_break(&s, now);
	is_int(pl_silence_look(&s, now), 0, "somebody has just spoken");
	is_int(pl_silence_look(&s, now + 5), 5, "5 ns ago");
	now += 5;
	is_int(look_for(&s, &now, 9 * S, 100 * MS), 9 * S + 5,
	       "what was looked at is counted, to the ns");
	pl_silence_break(&s, now);
	is_int(pl_silence_look(&s, now + 3), 3, "a word ends it");
	is_int(look_for(&s, &now, 40 * S, S), 40 * S, "looks a second apart miss nothing");
}

/* Who does not look for a while does not take the other end for silent. */
static void test_stops(void)
{
	struct pl_silence s;
	int64_t now = 0;

	pl_silence_break(&s, now);
	now += 1000 * S;
	is_int(pl_silence_look(&s, now), S, "stopped for long: a second");
	is_int(look_for(&s, &now, 2 * S, 100 * MS), 3 * S, "then it goes on as before");
	now += 86400 * S;
	is_int(pl_silence_look(&s, now), 4 * S, "stopped once more");
	now += S - 1;
	is_int(pl_silence_look(&s, now), 5 * S - 1, "a little less than that");
}

/* Whatever the looks: never more than has passed, and no less than a second for each look, or what
 * has passed. */
static void test_bounds(void)
{
	struct pl_rng rng;
	int wrong = 0;

	pl_rng_init(&rng, 11, 0);
	for (int i = 0; i < 2000; i++) {
		const int64_t begun = (int64_t)pl_rng_below(&rng, 1u << 30);
		int64_t now = begun, least = 0;
		struct pl_silence s;

		pl_silence_break(&s, now);
		for (int k = 0; k < 20; k++) {
			const int64_t step = (int64_t)pl_rng_below(&rng, 3000) * MS;

			now += step;
			least += step < S ? step : S;
			pl_silence_look(&s, now);
		}
		wrong += s.ns > now - begun || s.ns != least;
	}
	is_int(wrong, 0, "2000 silences are within their bounds");
}

int main(void)
{
	test_counts();
	test_stops();
	test_bounds();
	return done_testing();
}
