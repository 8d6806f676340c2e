/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.h - under a flood: when the kernel is to do more, and when to read less */
#ifndef PLINK_PROBES_AGENT_GUARD_H
#define PLINK_PROBES_AGENT_GUARD_H

#include "probes/pair/flows.h"

#include <stdbool.h>
#include <stdint.h>

/* So many packets of a flow that were read for nothing make it worth a filter that
 * knows tags; so many more, one that knows what has come since, but not within
 * so long. */
#define PL_GUARD_TAGS 32
#define PL_GUARD_TAGS_AGAIN 256
#define PL_GUARD_AGAIN_NS INT64_C(200000000)
/* So many within so long are a flood, which is read only so often: what matters
 * carries the kernel's stamp, and a socket holds more than comes meanwhile. */
#define PL_GUARD_FLOOD 48
#define PL_GUARD_FLOOD_NS INT64_C(10000000)
#define PL_GUARD_NAP_NS INT64_C(700000)

/* Knows no socket and no clock; times are monotonic, in ns. Start with {0}. */
struct pl_guard {
	struct {
		uint32_t useless; /* since the filter was attached */
		bool has_tags;    /* the filter */
		int64_t at_ns;    /* when it was attached */
	} flow[PL_FLOWS_MAX];
	int64_t begun_ns; /* of these: */
	uint32_t useless;
	bool is_flood;
};

/* @n packets of @flow were read for nothing: refused, out of their round, or one more
 * reply to the same. True: a filter with tags is to be attached now, which this
 * takes for done. */
bool pl_guard_note(struct pl_guard *g, unsigned flow, uint32_t n,
		   int64_t now_ns);

/* A round began or ended. True: @flow has a filter with tags, which knows another
 * round; this takes it for replaced by the one of the run. */
bool pl_guard_relax(struct pl_guard *g, unsigned flow);

/* Is there a flood, so that sockets are to be left for PL_GUARD_NAP_NS? */
bool pl_guard_naps(struct pl_guard *g, int64_t now_ns);

#endif
