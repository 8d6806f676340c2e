/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.c - decides when what comes is a flood, in which an agent reads less often */
#include "config.h"

#include "probes/agent/guard.h"

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

void pl_guard_note(struct pl_guard *g, uint32_t useless, int64_t now_ns)
{
	pl_guard_naps(g, now_ns);
	g->useless += useless;
}
