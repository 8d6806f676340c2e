/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.h - data under way between hosts, and the rates they share links at */
/*
 * Every flow passes the sender's card, between racks both uplinks, and the
 * receiver's card, at one rate. Rates are max-min fair: they rise together until
 * a link is full, then those of its flows stay and the others rise on
 * (progressive filling: Bertsekas and Gallager, Data Networks, 6.5.2).
 * A change moves only flows that share links, directly or through others.
 */
#ifndef PLINK_PREDICT_FLOWS_H
#define PLINK_PREDICT_FLOWS_H

#include "predict/events.h"
#include "predict/network.h"
#include "predict/predict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_FLOW_LINKS 4
#define PL_FLOW_NONE UINT32_MAX

struct pl_flow {
	double left_bytes, rate, since_s;
	double cap; /* bytes per s of its own: the pair's, the connection's */
	enum pl_bound cap_bound, bound; /* who sets cap; who sets the rate */
	uint32_t link[PL_FLOW_LINKS];   /* PL_FLOW_NONE: passes fewer */
	uint32_t before[PL_FLOW_LINKS], after[PL_FLOW_LINKS]; /* on the link */
	uint32_t version; /* of its end, as events know it */
	uint32_t owner;   /* the caller's */
	uint32_t seen;    /* by the last walk of that number */
	bool settled;
};

struct pl_link {
	double bytes_per_s, left;
	uint32_t first; /* node on it: flow * PL_FLOW_LINKS + slot */
	uint32_t seen, n_open;
	enum pl_bound bound;
};

/* Start with {0}, end with fini. */
struct pl_flows {
	const struct pl_network *net;
	struct pl_events *events; /* gets an event for each end */
	uint32_t kind;            /* of these events; what: the flow */
	struct pl_flow *flow;
	size_t n_flows, room;
	uint32_t free; /* first of the unused, chained by before[0] */
	struct pl_link *link;
	size_t n_links;
	uint32_t *touched_flow, *touched_link; /* by the walk in hand */
	size_t n_touched_flows, n_touched_links, touched_room;
	uint32_t walk;
};

/* Links carry that share of their rates. 0, or -1: no memory. @net and @events
 * must outlive it. */
int pl_flows_init(struct pl_flows *f, const struct pl_network *net,
		  double share, struct pl_events *events, uint32_t kind);
void pl_flows_fini(struct pl_flows *f);

struct pl_flow_start {
	size_t src, dst; /* hosts, not the same */
	double bytes, now_s;
	double cap; /* INFINITY: none */
	enum pl_bound cap_bound;
	uint32_t owner;
};
/* *id is the flow, to be known in events. 0, or -1: no memory. */
int pl_flows_start(struct pl_flows *f, const struct pl_flow_start *start,
		   uint32_t *id);

/* Is that event the end of the flow, not one that a change of rate undid? */
bool pl_flows_is_end(const struct pl_flows *f, const struct pl_event *event);

/* Takes the flow away at its end and gives its owner; *bound is what set its
 * rate in the end. 0, or -1: no memory. */
int pl_flows_end(struct pl_flows *f, const struct pl_event *event,
		 uint32_t *owner, enum pl_bound *bound);

#endif
