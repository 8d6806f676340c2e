/* SPDX-License-Identifier: BSD-3-Clause */
/* looks.h - flows from one host to another, repeated where segments were
 * lost */
#ifndef PLINK_PROBES_BANDWIDTH_LOOKS_H
#define PLINK_PROBES_BANDWIDTH_LOOKS_H

#include "probes/bandwidth/transfer.h"
#include "probes/run/probe.h"

#define PL_LOOKS 3 /* at most */
#define PL_LOOKS_TEXT 200
#define PL_LOOKS_DOUBT "not reliable: " /* how a doubt's text begins */

/*
 * A segment that is lost halves TCP's window, and it takes the flow seconds to
 * open it again: longer than it lasts. Of a single flow then, and of those that
 * share a link with it, the rate says who lost when.
 */
struct pl_looks {
	size_t src, dst;
	bool tried;
	struct pl_flow_figures v[PL_LOOKS]; /* [n] */
	size_t n;
	char why[PL_MSG_TEXT]; /* the last one that failed; empty: none */
};

/* Takes a way that is DONE or FAILED, of the same hosts each time; PL_LOOKS at
 * most. */
void pl_looks_add(struct pl_looks *looks, const struct pl_way *way);

/* Has a flow lost so much that another look is worth its time: ten segments,
 * and one in 200? A few are sent again on any path. */
bool pl_looks_lossy(const struct pl_flow_figures *flow);

/* The look whose rate holds, of one at least: alone the fastest, since what is
 * lost only slows a flow down; together, where one's loss is the other's gain,
 * the median. */
const struct pl_flow_figures *pl_looks_best(const struct pl_looks *looks,
					    enum pl_bandwidth_way kind);

/*
 * Does that rate say little of the links? Alone: each look had losses, and the
 * best two differ by a twentieth or more. Together: looks differ by a fourth of
 * the median or more, or one segment in 200 was lost. Then the reason is in
 * @text.
 */
bool pl_looks_doubt(const struct pl_looks *looks, enum pl_bandwidth_way kind,
		    char text[PL_LOOKS_TEXT]);

#endif
