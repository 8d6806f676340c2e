/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.h - under a flood: when the kernel is to do more, and when to read
 * less */
#ifndef PLINK_PROBES_AGENT_GUARD_H
#define PLINK_PROBES_AGENT_GUARD_H

#include "probes/pair/flows.h"

#include <stdbool.h>
#include <stdint.h>

/* So many packets of a flow that were read for nothing make it worth a filter
 * that knows tags; so many more, one that knows what has come since, but not
 * within so long. */
#define PL_GUARD_TAGS 32
#define PL_GUARD_TAGS_AGAIN 256
#define PL_GUARD_AGAIN_NS INT64_C(200000000)
/* So many replays of a flow after each that was heard make it worth a filter
 * that knows what was heard, but no tags, after each of the next so many;
 * unless what it lets through is more than a third of them and so many: then
 * not for so long. */
#define PL_GUARD_NEWS 24
#define PL_GUARD_NEWS_TIMES 256
#define PL_GUARD_FORGED 64
#define PL_GUARD_FORGED_NS INT64_C(1000000000)
/* So many within so long are a flood, which is read only so often: what matters
 * carries the kernel's stamp, and a socket holds more than comes meanwhile. */
#define PL_GUARD_FLOOD 48
#define PL_GUARD_FLOOD_NS INT64_C(10000000)
#define PL_GUARD_NAP_NS INT64_C(700000)

enum pl_guard_act {
	PL_GUARD_NONE,
	PL_GUARD_ATTACH_NEWS,
	PL_GUARD_ATTACH_TAGS,
};

enum pl_guard_kind { PL_GUARD_REQUESTS, PL_GUARD_REPLIES, PL_GUARD_KINDS };

/* Packets of a flow, read one after the other. */
struct pl_guard_read {
	/* requests answered and replies taken; and those that were once more */
	uint32_t heard[PL_GUARD_KINDS], replayed[PL_GUARD_KINDS];
	uint32_t useless; /* refused, out of their round, replayed */
};

/* Knows no socket and no clock; times are monotonic, in ns. Start with {0}. */
struct pl_guard {
	struct pl_guard_flow {
		uint32_t useless; /* since the filter was attached */
		bool has_filter;  /* another one than that of the run */
		int64_t tags_ns;  /* when one with tags was; 0: none yet */
		struct {
			uint32_t heard, replayed; /* of late */
			unsigned times; /* a filter after what is heard */
		} kind[PL_GUARD_KINDS];
		uint32_t other;  /* of late: useless, but not replayed */
		int64_t news_ns; /* none of news before this */
	} flow[PL_FLOWS_MAX];
	int64_t begun_ns; /* of these: */
	uint32_t useless;
	bool is_flood;
};

/* What was read of @flow: is another filter to be attached now, which this
 * takes for done? */
enum pl_guard_act pl_guard_note(struct pl_guard *g, unsigned flow,
				const struct pl_guard_read *read,
				int64_t now_ns);

/* A round began or ended. True: @flow has a filter that knows another round;
 * this takes it for replaced by the one of the run. */
bool pl_guard_relax(struct pl_guard *g, unsigned flow);

/* Is there a flood, so that sockets are to be left for PL_GUARD_NAP_NS? */
bool pl_guard_naps(struct pl_guard *g, int64_t now_ns);

#endif
