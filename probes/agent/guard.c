/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.c - decides under a flood when the kernel filters more and when the
 * agent reads less */
#include "config.h"

#include "probes/agent/guard.h"

#define LATELY 16 /* heard */

bool pl_guard_naps(struct pl_guard *g, int64_t now_ns)
{
	if (now_ns - g->begun_ns >= PL_GUARD_FLOOD_NS) {
		/* older packets do not count any more */
		g->is_flood = g->useless >= PL_GUARD_FLOOD &&
			      now_ns - g->begun_ns < 2 * PL_GUARD_FLOOD_NS;
		g->begun_ns = now_ns;
		g->useless = 0;
	}
	return g->is_flood;
}

static bool has_news(const struct pl_guard_flow *f)
{
	return f->kind[PL_GUARD_REQUESTS].times > 0 || f->kind[PL_GUARD_REPLIES].times > 0;
}

static uint32_t sum(const uint32_t v[PL_GUARD_KINDS])
{
	return v[PL_GUARD_REQUESTS] + v[PL_GUARD_REPLIES];
}

/* Adds what was read to the recent counts, which are halved from time to
 * time. */
static void remember(struct pl_guard_flow *f, const struct pl_guard_read *read)
{
	uint32_t heard = 0;

	for (size_t k = 0; k < PL_GUARD_KINDS; k++) {
		f->kind[k].heard += read->heard[k];
		f->kind[k].replayed += read->replayed[k];
		heard += f->kind[k].heard;
	}
	f->other += read->useless - sum(read->replayed);
	if (heard < LATELY)
		return;
	for (size_t k = 0; k < PL_GUARD_KINDS; k++) {
		f->kind[k].heard /= 2;
		f->kind[k].replayed /= 2;
	}
	f->other /= 2;
}

static void forget(struct pl_guard_flow *f)
{
	for (size_t k = 0; k < PL_GUARD_KINDS; k++)
		f->kind[k].heard = f->kind[k].replayed = 0;
	f->other = 0;
}

/* What has no right tag comes with the replays, or now that tags are not
 * known. */
static bool is_mixed(const struct pl_guard_flow *f)
{
	return f->other >= PL_GUARD_FORGED &&
	       3 * f->other >
		       f->kind[PL_GUARD_REQUESTS].replayed + f->kind[PL_GUARD_REPLIES].replayed;
}

/* A filter without tags costs little and keeps out what was heard until then:
 * is what it is to keep out more than that? As long as it is, after each that
 * is heard. */
static bool is_worth_news(struct pl_guard_flow *f, const struct pl_guard_read *read, int64_t now_ns)
{
	bool now = false;

	if (now_ns < f->news_ns)
		return false;
	for (size_t k = 0; k < PL_GUARD_KINDS; k++) {
		if (f->kind[k].replayed >= PL_GUARD_NEWS * (f->kind[k].heard + 1)) {
			f->kind[k].times = PL_GUARD_NEWS_TIMES;
			f->kind[k].heard = f->kind[k].replayed = 0;
			now = true;
		} else if (f->kind[k].times > 0 && read->heard[k] > 0) {
			f->kind[k].times--;
			now = true;
		}
	}
	return now;
}

static bool is_worth_tags(struct pl_guard_flow *f, int64_t now_ns)
{
	if (is_mixed(f)) {
		const bool had_news = has_news(f);

		f->news_ns = now_ns + PL_GUARD_FORGED_NS;
		forget(f);
		if (had_news)
			return true;
	}
	if (f->useless < (f->tags_ns ? PL_GUARD_TAGS_AGAIN : PL_GUARD_TAGS))
		return false;
	return !f->tags_ns || now_ns - f->tags_ns >= PL_GUARD_AGAIN_NS;
}

enum pl_guard_act pl_guard_note(struct pl_guard *g, unsigned flow, const struct pl_guard_read *read,
				int64_t now_ns)
{
	struct pl_guard_flow *f = &g->flow[flow];
	/* replays are few where each is soon kept out */
	const uint32_t n = read->useless - (has_news(f) ? sum(read->replayed) : 0);

	pl_guard_naps(g, now_ns);
	g->useless += n;
	f->useless += n;
	remember(f, read);
	if (is_worth_tags(f, now_ns)) {
		for (size_t k = 0; k < PL_GUARD_KINDS; k++)
			f->kind[k].times = 0;
		f->useless = 0;
		f->has_filter = true;
		f->tags_ns = now_ns;
		return PL_GUARD_ATTACH_TAGS;
	}
	if (!is_worth_news(f, read, now_ns))
		return PL_GUARD_NONE;
	f->has_filter = true;
	return PL_GUARD_ATTACH_NEWS;
}

bool pl_guard_relax(struct pl_guard *g, unsigned flow)
{
	const bool had = g->flow[flow].has_filter;

	g->flow[flow] = (struct pl_guard_flow){0};
	return had;
}
