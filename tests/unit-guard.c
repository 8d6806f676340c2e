/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-guard.c - when an agent takes what comes for a flood, and no longer */
#include "config.h"

#include "probes/agent/guard.h"
#include "tests/tap.h"

#define MS INT64_C(1000000)

/* A useless packet of flow 0 each @every_ns, for @ns; how many filters. */
static int flood(struct pl_guard *g, int64_t *now_ns, int64_t every_ns,
		 int64_t ns)
{
	const int64_t end = *now_ns + ns;
	int n = 0;

	for (; *now_ns < end; *now_ns += every_ns)
		n += pl_guard_note(g, 0, 1, *now_ns);
	return n;
}

static void test_filters(void)
{
	struct pl_guard g = {0};
	int64_t now = 77 * MS;
	int n = 0;

	for (int i = 1; i < PL_GUARD_TAGS; i++)
		n += pl_guard_note(&g, 0, 1, now);
	n += pl_guard_note(&g, 1, PL_GUARD_TAGS - 1, now);
	is_int(n, 0, "a few packets, of either flow, are worth no filter");
	ok(pl_guard_note(&g, 0, 1, now), "one more of the same flow is");
	ok(!pl_guard_note(&g, 0, 10 * PL_GUARD_TAGS_AGAIN, now),
	   "no other one at once, whatever comes");
	ok(pl_guard_note(&g, 0, 1, now + PL_GUARD_AGAIN_NS), "but later");
	ok(!pl_guard_note(&g, 0, PL_GUARD_TAGS_AGAIN - 1,
			  now + 3 * PL_GUARD_AGAIN_NS),
	   "and not for a few");
	ok(pl_guard_relax(&g, 0), "a round ends: it must go");
	ok(!pl_guard_relax(&g, 0) && !pl_guard_relax(&g, 1),
	   "where there is none, none must");
	ok(!pl_guard_note(&g, 0, 1, now), "packets are counted anew");
}

static void test_naps(void)
{
	const int64_t span = PL_GUARD_FLOOD_NS;
	struct pl_guard g = {0};
	int64_t now = 99 * MS;

	ok(!pl_guard_naps(&g, now), "nothing came: no flood");
	flood(&g, &now, span / (PL_GUARD_FLOOD - 8), 20 * span);
	ok(!pl_guard_naps(&g, now), "a trickle is none");
	flood(&g, &now, span / (PL_GUARD_FLOOD + 8), 2 * span);
	ok(pl_guard_naps(&g, now), "more is one");
	flood(&g, &now, span / (PL_GUARD_FLOOD + 8), 20 * span);
	ok(pl_guard_naps(&g, now), "as long as it lasts");
	ok(!pl_guard_naps(&g, now + 2 * span), "and no longer");
	flood(&g, &now, span / (2 * PL_GUARD_FLOOD), span / 2 + MS);
	ok(!pl_guard_naps(&g, now + 100 * span),
	   "what was long ago is no flood of now");
}

int main(void)
{
	test_filters();
	test_naps();
	return done_testing();
}
