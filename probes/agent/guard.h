/* SPDX-License-Identifier: BSD-3-Clause */
/* guard.h - limits how often sockets are read in a flood */
#ifndef PLINK_PROBES_AGENT_GUARD_H
#define PLINK_PROBES_AGENT_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* PL_GUARD_FLOOD useless packets within PL_GUARD_FLOOD_NS are a flood. During a flood sockets are
 * read only once per PL_GUARD_NAP_NS, and PL_GUARD_READS times PL_WIRE_BATCH packets of each at
 * most: packets that matter carry the kernel's time stamp, and the socket's buffer holds what
 * arrives meanwhile, as much as has room. */
#define PL_GUARD_FLOOD 48
#define PL_GUARD_FLOOD_NS INT64_C(10000000)
#define PL_GUARD_NAP_NS INT64_C(700000)
#define PL_GUARD_READS 1

/* Uses no socket and no clock; times are monotonic, in ns. Start with {0}. */
struct pl_guard {
	int64_t begun_ns; /* start of the interval that useless counts */
	uint32_t useless;
	bool is_flood;
};

/* Takes note of @useless packets read: refused, stale or replayed. */
void pl_guard_note(struct pl_guard *g, uint32_t useless, int64_t now_ns);

/* Is there a flood, so that the agent should not read for PL_GUARD_NAP_NS? */
bool pl_guard_naps(struct pl_guard *g, int64_t now_ns);

#endif
