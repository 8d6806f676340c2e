/* SPDX-License-Identifier: BSD-3-Clause */
/* looks.h - repeats a flow from one host to another that lost segments */
#ifndef PLINK_PROBES_BANDWIDTH_LOOKS_H
#define PLINK_PROBES_BANDWIDTH_LOOKS_H

#include "probes/bandwidth/transfer.h"
#include "probes/run/probe.h"

#define PL_LOOKS 3 /* measurements of one flow, at most */
#define PL_LOOKS_TEXT 200
#define PL_LOOKS_DOUBT "not reliable: " /* how a doubt's text begins */

/*
 * A lost segment halves TCP's window, and the flow needs longer to open it again than the flow
 * lasts. So the rate of a single flow, and of flows that share a link with it, depends on which of
 * them lost a segment and when.
 */
struct pl_looks {
	size_t src, dst;
	bool tried;
	struct pl_flow_figures v[PL_LOOKS]; /* [n] */
	size_t n;
	char why[PL_MSG_TEXT]; /* reason of the last failure; empty: none */
};

/* Adds the result of a way that is DONE or FAILED, of the same hosts each time; at most
 * PL_LOOKS. */
void pl_looks_add(struct pl_looks *looks, const struct pl_way *way);

/*
 * Runs a flow on each of way[n] by pl_transfer and adds the result to the looks of its source,
 * looks[host]. *lossy: did any of them lose much? 0 or -1 as pl_transfer.
 */
int pl_looks_run(struct pl_looks *looks, struct pl_coordinator *c, size_t round, struct pl_way *way,
		 size_t n, const struct pl_flow_ask *ask, bool *lossy, struct pl_err *err);

/* Has a flow lost so much that repeating it is worth the time: at least ten segments, and at least
 * one in 200? A few are sent again on any path. */
bool pl_looks_lossy(const struct pl_flow_figures *flow);

/* The measurement whose rate holds; there must be at least one. Alone: the fastest, since losses
 * only slow a flow down; together: the median, since one flow's loss is another's gain. */
const struct pl_flow_figures *pl_looks_best(const struct pl_looks *looks,
					    enum pl_bandwidth_way kind);

/*
 * Does that rate say little about the links? Alone: all PL_LOOKS measurements were needed, and the
 * best two differ by a twentieth or more. Together: the measurements differ by a fourth of the
 * median or more, or at least ten segments and one in 200 were lost. If so, the reason is written
 * to @text.
 */
bool pl_looks_doubt(const struct pl_looks *looks, enum pl_bandwidth_way kind,
		    char text[PL_LOOKS_TEXT]);

#endif
