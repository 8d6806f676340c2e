/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.h - in a flood, decides when to attach kernel filters and when to read
 * less often */
#ifndef PLINK_PROBES_AGENT_GUARD_H
#define PLINK_PROBES_AGENT_GUARD_H

#include "probes/pair/flows.h"

#include <stdbool.h>
#include <stdint.h>

/* A filter with tags is worth attaching to a flow after PL_GUARD_TAGS useless
 * packets, and again, with what was heard since then, after PL_GUARD_TAGS_AGAIN
 * more, but at least PL_GUARD_AGAIN_NS after the last time. */
#define PL_GUARD_TAGS 32
#define PL_GUARD_TAGS_AGAIN 256
#define PL_GUARD_AGAIN_NS INT64_C(200000000)
/* A filter that knows which packets were heard, but no tags, is worth attaching
 * after PL_GUARD_NEWS replays for each packet heard; then again after each of
 * the next PL_GUARD_NEWS_TIMES packets heard. But if there are PL_GUARD_FORGED
 * useless packets other than replays, and they are more than a third as many as
 * the replays, it is not attached for PL_GUARD_FORGED_NS. */
#define PL_GUARD_NEWS 24
#define PL_GUARD_NEWS_TIMES 256
#define PL_GUARD_FORGED 64
#define PL_GUARD_FORGED_NS INT64_C(1000000000)
/* PL_GUARD_FLOOD useless packets within PL_GUARD_FLOOD_NS are a flood. During a
 * flood sockets are read only once per PL_GUARD_NAP_NS: packets that matter
 * carry the kernel's time stamp, and the socket's buffer holds what arrives
 * meanwhile. */
#define PL_GUARD_FLOOD 48
#define PL_GUARD_FLOOD_NS INT64_C(10000000)
#define PL_GUARD_NAP_NS INT64_C(700000)

enum pl_guard_act {
	PL_GUARD_NONE,
	PL_GUARD_ATTACH_NEWS,
	PL_GUARD_ATTACH_TAGS,
};

enum pl_guard_kind { PL_GUARD_REQUESTS, PL_GUARD_REPLIES, PL_GUARD_KINDS };

/* What was read of a flow at once. */
struct pl_guard_read {
	/* requests answered and replies taken; repetitions of these */
	uint32_t heard[PL_GUARD_KINDS], replayed[PL_GUARD_KINDS];
	uint32_t useless; /* refused, stale or replayed */
};

/* Uses no socket and no clock; times are monotonic, in ns. Start with {0}. */
struct pl_guard {
	struct pl_guard_flow {
		uint32_t useless; /* since the filter was attached */
		bool has_filter;  /* another filter than that of the run */
		int64_t tags_ns;  /* when tags were attached; 0: not yet */
		struct {
			uint32_t heard, replayed; /* recently */
			unsigned times;           /* filters left to attach after packets
						   * heard */
		} kind[PL_GUARD_KINDS];
		uint32_t other;  /* recently: useless, but not replayed */
		int64_t news_ns; /* attach no filter of the third kind before
				  * this */
	} flow[PL_FLOWS_MAX];
	int64_t begun_ns; /* start of the interval that useless counts */
	uint32_t useless;
	bool is_flood;
};

/* Takes note of what was read of @flow. Returns which filter to attach now; the
 * guard assumes that the caller attaches it. */
enum pl_guard_act pl_guard_note(struct pl_guard *g, unsigned flow, const struct pl_guard_read *read,
				int64_t now_ns);

/* Call when a round begins or ends. True: @flow has a filter for the round
 * before, which the caller must replace by the filter of the run. */
bool pl_guard_relax(struct pl_guard *g, unsigned flow);

/* Is there a flood, so that the agent should not read for PL_GUARD_NAP_NS? */
bool pl_guard_naps(struct pl_guard *g, int64_t now_ns);

#endif
