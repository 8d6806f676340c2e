/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-guard.c - when an agent takes what comes for a flood, and no longer */
#include "config.h"

#include "probes/agent/guard.h"
#include "tests/tap.h"

#define MS INT64_C(1000000)

/* @n packets of a flow that are good for nothing: what is to be done? */
static enum pl_guard_act useless(struct pl_guard *g, unsigned flow, uint32_t n, int64_t now_ns)
{
	const struct pl_guard_read read = {.useless = n};

	return pl_guard_note(g, flow, &read, now_ns);
}

/* One of flow 0 each @every_ns, for @ns. */
static void flood(struct pl_guard *g, int64_t *now_ns, int64_t every_ns, int64_t ns)
{
	const int64_t end = *now_ns + ns;

	for (; *now_ns < end; *now_ns += every_ns)
		useless(g, 0, 1, *now_ns);
}

static void test_tags(void)
{
	struct pl_guard g = {0};
	int64_t now = 77 * MS;
	int n = 0;

	for (int i = 1; i < PL_GUARD_TAGS; i++)
		n += useless(&g, 0, 1, now);
	n += useless(&g, 1, PL_GUARD_TAGS - 1, now);
	is_int(n, PL_GUARD_NONE, "a few packets, of either flow, are worth no filter");
	is_int(useless(&g, 0, 1, now), PL_GUARD_ATTACH_TAGS, "one more of the same flow is");
	is_int(useless(&g, 0, 10 * PL_GUARD_TAGS_AGAIN, now), PL_GUARD_NONE,
	       "no other one at once, whatever comes");
	is_int(useless(&g, 0, 1, now + PL_GUARD_AGAIN_NS), PL_GUARD_ATTACH_TAGS, "but later");
	is_int(useless(&g, 0, PL_GUARD_TAGS_AGAIN - 1, now + 3 * PL_GUARD_AGAIN_NS), PL_GUARD_NONE,
	       "and not for a few");
	ok(pl_guard_relax(&g, 0), "a round ends: it must go");
	ok(!pl_guard_relax(&g, 0) && !pl_guard_relax(&g, 1), "where there is none, none must");
	is_int(useless(&g, 0, 1, now), PL_GUARD_NONE, "packets are counted anew");
}

/* One of @kind is heard and @n times replayed. */
static enum pl_guard_act replay(struct pl_guard *g, enum pl_guard_kind kind, uint32_t n,
				int64_t now_ns)
{
	struct pl_guard_read read = {.useless = n};

	read.heard[kind] = 1;
	read.replayed[kind] = n;
	return pl_guard_note(g, 0, &read, now_ns);
}

static void test_news(enum pl_guard_kind kind, enum pl_guard_kind other)
{
	struct pl_guard g = {0};
	int64_t now = 77 * MS;
	int n = 0;

	/* tags come first, and cost more */
	is_int(replay(&g, kind, PL_GUARD_TAGS, now), PL_GUARD_ATTACH_TAGS, "replays are of no use");
	for (int i = 0; i < 1000; i++)
		n += replay(&g, kind, PL_GUARD_NEWS / 4, now);
	is_int(n, PL_GUARD_NONE, "few of each are read for less than a filter");
	is_int(replay(&g, kind, 30 * PL_GUARD_NEWS, now), PL_GUARD_ATTACH_NEWS, "more are not");
	is_int(replay(&g, other, 0, now), PL_GUARD_NONE, "what is not replayed is worth no filter");
	now += 2 * PL_GUARD_FLOOD_NS;
	for (int i = 0; i < PL_GUARD_NEWS_TIMES; i++)
		n += replay(&g, kind, 3, now) == PL_GUARD_ATTACH_NEWS;
	is_int(n, PL_GUARD_NEWS_TIMES, "what is, each time, for a while");
	is_int(replay(&g, kind, 0, now), PL_GUARD_NONE, "and no longer");
	ok(!pl_guard_naps(&g, now + PL_GUARD_FLOOD_NS),
	   "with it there is no flood to be read now and then");
	ok(pl_guard_relax(&g, 0), "a round ends: it must go, too");
}

/* Replays that are to draw attention from what has no right tag. */
static void test_mixed(void)
{
	struct pl_guard g = {0};
	int64_t now = 77 * MS;

	replay(&g, PL_GUARD_REQUESTS, PL_GUARD_TAGS, now);
	replay(&g, PL_GUARD_REQUESTS, 3 * PL_GUARD_NEWS, now);
	is_int(useless(&g, 0, PL_GUARD_FORGED - 1, now), PL_GUARD_NONE,
	       "with replays kept out a few forged ones may come");
	is_int(useless(&g, 0, 1, now), PL_GUARD_ATTACH_TAGS,
	       "of more the tags are looked at, at once");
	is_int(replay(&g, PL_GUARD_REQUESTS, 30 * PL_GUARD_NEWS, now), PL_GUARD_NONE,
	       "and not only for a moment");
	now += PL_GUARD_FORGED_NS;
	is_int(replay(&g, PL_GUARD_REQUESTS, 30 * PL_GUARD_NEWS, now), PL_GUARD_ATTACH_TAGS,
	       "later it may be as before");
	is_int(replay(&g, PL_GUARD_REQUESTS, 30 * PL_GUARD_NEWS, now), PL_GUARD_ATTACH_NEWS,
	       "and is");
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
	ok(!pl_guard_naps(&g, now + 100 * span), "what was long ago is no flood of now");
}

int main(void)
{
	test_tags();
	test_news(PL_GUARD_REQUESTS, PL_GUARD_REPLIES);
	test_news(PL_GUARD_REPLIES, PL_GUARD_REQUESTS);
	test_mixed();
	test_naps();
	return done_testing();
}
