/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.c - under a flood: when the kernel is to do more, and when to read less */
#include "config.h"

#include "probes/agent/guard.h"

bool pl_guard_naps(struct pl_guard *g, int64_t now_ns)
{
	if (now_ns - g->begun_ns >= PL_GUARD_FLOOD_NS) {
		/* what was long ago says nothing of now */
		g->is_flood = g->useless >= PL_GUARD_FLOOD &&
			      now_ns - g->begun_ns < 2 * PL_GUARD_FLOOD_NS;
		g->begun_ns = now_ns;
		g->useless = 0;
	}
	return g->is_flood;
}

bool pl_guard_note(struct pl_guard *g, unsigned flow, uint32_t n,
		   int64_t now_ns)
{
	const bool has = g->flow[flow].has_tags;

	pl_guard_naps(g, now_ns);
	g->useless += n;
	g->flow[flow].useless += n;
	if (g->flow[flow].useless < (has ? PL_GUARD_TAGS_AGAIN : PL_GUARD_TAGS))
		return false;
	if (has && now_ns - g->flow[flow].at_ns < PL_GUARD_AGAIN_NS)
		return false;
	g->flow[flow].useless = 0;
	g->flow[flow].has_tags = true;
	g->flow[flow].at_ns = now_ns;
	return true;
}

bool pl_guard_relax(struct pl_guard *g, unsigned flow)
{
	const bool had = g->flow[flow].has_tags;

	g->flow[flow].useless = 0;
	g->flow[flow].has_tags = false;
	return had;
}
