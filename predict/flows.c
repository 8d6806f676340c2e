/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.c - data under way between hosts, and the rates they share links at */
#include "config.h"

#include "predict/flows.h"

#include "src/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_links(struct pl_flows *f, size_t first, size_t n, double rate,
		      enum pl_bound bound)
{
	for (size_t i = first; i < first + n; i++)
		f->link[i] = (struct pl_link){.bytes_per_s = rate,
					      .first = PL_FLOW_NONE,
					      .bound = bound};
}

int pl_flows_init(struct pl_flows *f, const struct pl_network *net,
		  double share, struct pl_events *events, uint32_t kind)
{
	memset(f, 0, sizeof(*f));
	f->net = net;
	f->events = events;
	f->kind = kind;
	f->free = PL_FLOW_NONE;
	f->n_links = 2 * net->n + 2 * net->n_racks;
	f->link = pl_array_create(f->n_links, sizeof(*f->link));
	f->touched_link = pl_array_create(f->n_links, sizeof(uint32_t));
	if (!f->link || !f->touched_link) {
		pl_flows_fini(f);
		return -1;
	}
	set_links(f, 0, 2 * net->n, share * net->nic_bytes_per_s, PL_BY_NIC);
	set_links(f, 2 * net->n, 2 * net->n_racks,
		  share * net->uplink_bytes_per_s, PL_BY_UPLINK);
	return 0;
}

void pl_flows_fini(struct pl_flows *f)
{
	free(f->flow);
	free(f->link);
	free(f->touched_flow);
	free(f->touched_link);
	memset(f, 0, sizeof(*f));
}

/* The links it passes, those without a limit left out. */
static void route(const struct pl_network *net, size_t src, size_t dst,
		  struct pl_flow *flow)
{
	const size_t racks = 2 * net->n;
	const bool leaves = net->uplink_bytes_per_s > 0 && net->rack &&
			    net->rack[src] != net->rack[dst];

	for (size_t k = 0; k < PL_FLOW_LINKS; k++)
		flow->link[k] = PL_FLOW_NONE;
	if (net->nic_bytes_per_s > 0) {
		flow->link[0] = (uint32_t)src;
		flow->link[1] = (uint32_t)(net->n + dst);
	}
	if (leaves) {
		flow->link[2] = (uint32_t)(racks + net->rack[src]);
		flow->link[3] =
			(uint32_t)(racks + net->n_racks + net->rack[dst]);
	}
}

static void join_link(struct pl_flows *f, uint32_t id, uint32_t slot)
{
	struct pl_flow *flow = &f->flow[id];
	struct pl_link *link = &f->link[flow->link[slot]];
	const uint32_t node = id * PL_FLOW_LINKS + slot;

	flow->before[slot] = PL_FLOW_NONE;
	flow->after[slot] = link->first;
	if (link->first != PL_FLOW_NONE)
		f->flow[link->first / PL_FLOW_LINKS]
			.before[link->first % PL_FLOW_LINKS] = node;
	link->first = node;
}

static void leave_link(struct pl_flows *f, uint32_t id, uint32_t slot)
{
	const struct pl_flow *flow = &f->flow[id];
	const uint32_t before = flow->before[slot], after = flow->after[slot];

	if (before == PL_FLOW_NONE)
		f->link[flow->link[slot]].first = after;
	else
		f->flow[before / PL_FLOW_LINKS].after[before % PL_FLOW_LINKS] =
			after;
	if (after != PL_FLOW_NONE)
		f->flow[after / PL_FLOW_LINKS].before[after % PL_FLOW_LINKS] =
			before;
}

static void touch_link(struct pl_flows *f, uint32_t link)
{
	if (link == PL_FLOW_NONE || f->link[link].seen == f->walk)
		return;
	f->link[link].seen = f->walk;
	f->link[link].n_open = 0;
	f->link[link].left = f->link[link].bytes_per_s;
	f->touched_link[f->n_touched_links++] = link;
}

static void touch_flow(struct pl_flows *f, uint32_t id)
{
	struct pl_flow *flow = &f->flow[id];

	if (flow->seen == f->walk)
		return;
	flow->seen = f->walk;
	flow->settled = false;
	f->touched_flow[f->n_touched_flows++] = id;
	for (size_t k = 0; k < PL_FLOW_LINKS; k++) {
		touch_link(f, flow->link[k]);
		if (flow->link[k] != PL_FLOW_NONE)
			f->link[flow->link[k]].n_open++;
	}
}

static void begin_walk(struct pl_flows *f)
{
	f->walk++;
	f->n_touched_flows = f->n_touched_links = 0;
}

/* All that shares links with what has been touched, directly or not. */
static void spread(struct pl_flows *f)
{
	for (size_t i = 0; i < f->n_touched_links; i++)
		for (uint32_t node = f->link[f->touched_link[i]].first;
		     node != PL_FLOW_NONE;
		     node = f->flow[node / PL_FLOW_LINKS]
				    .after[node % PL_FLOW_LINKS])
			touch_flow(f, node / PL_FLOW_LINKS);
}

/* The rate of a touched flow is found; links have that much less. */
static int settle(struct pl_flows *f, uint32_t id, double rate,
		  enum pl_bound bound, double now_s)
{
	struct pl_flow *flow = &f->flow[id];
	struct pl_event end = {.kind = f->kind, .what = id};

	flow->settled = true;
	flow->bound = bound;
	for (size_t k = 0; k < PL_FLOW_LINKS; k++)
		if (flow->link[k] != PL_FLOW_NONE) {
			struct pl_link *link = &f->link[flow->link[k]];

			link->n_open--;
			link->left = fmax(link->left - rate, 0);
		}
	if (flow->rate >= rate && flow->rate <= rate)
		return 0; /* its end stays */
	if (flow->rate > 0)
		flow->left_bytes -= flow->rate * (now_s - flow->since_s);
	flow->left_bytes = fmax(flow->left_bytes, 0);
	flow->since_s = now_s;
	flow->rate = rate;
	end.version = ++flow->version;
	end.at_s = now_s + (isinf(rate) ? 0 : flow->left_bytes / rate);
	return pl_events_add(f->events, end);
}

/* The touched link that gives its open flows least; PL_FLOW_NONE: all are shut. */
static uint32_t tightest(const struct pl_flows *f, double *share)
{
	uint32_t found = PL_FLOW_NONE;

	*share = INFINITY;
	for (size_t i = 0; i < f->n_touched_links; i++) {
		const struct pl_link *link = &f->link[f->touched_link[i]];

		if (link->n_open > 0 && link->left / link->n_open < *share) {
			*share = link->left / link->n_open;
			found = f->touched_link[i];
		}
	}
	return found;
}

/* Settles the open flows whose own cap is at most @share; *n counts them. */
static int settle_capped(struct pl_flows *f, double share, double now_s,
			 size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < f->n_touched_flows; i++) {
		const uint32_t id = f->touched_flow[i];
		const struct pl_flow *flow = &f->flow[id];

		if (flow->settled || flow->cap > share)
			continue;
		if (settle(f, id, flow->cap, flow->cap_bound, now_s))
			return -1;
		++*n;
	}
	return 0;
}

static int settle_link(struct pl_flows *f, uint32_t link, double share,
		       double now_s)
{
	uint32_t node = f->link[link].first, id;

	for (; node != PL_FLOW_NONE;
	     node = f->flow[id].after[node % PL_FLOW_LINKS]) {
		id = node / PL_FLOW_LINKS;
		if (!f->flow[id].settled &&
		    settle(f, id, share, f->link[link].bound, now_s))
			return -1;
	}
	return 0;
}

/* Progressive filling of all that has been touched. */
static int fill(struct pl_flows *f, double now_s)
{
	for (;;) {
		double share;
		const uint32_t link = tightest(f, &share);
		size_t n_capped;

		if (settle_capped(f, share, now_s, &n_capped))
			return -1;
		if (n_capped > 0)
			continue;
		if (link == PL_FLOW_NONE)
			return 0;
		if (settle_link(f, link, share, now_s))
			return -1;
	}
}

static int take_unused(struct pl_flows *f, uint32_t *id)
{
	const size_t had = f->room;
	void *flow = f->flow;
	uint32_t *touched;

	if (f->free != PL_FLOW_NONE) {
		*id = f->free;
		f->free = f->flow[*id].before[0];
		return 0;
	}
	if (pl_array_grow(&flow, &f->room, f->n_flows, sizeof(*f->flow)))
		return -1;
	f->flow = flow;
	if (f->room != had) {
		touched = realloc(f->touched_flow,
				  f->room * sizeof(*f->touched_flow));
		if (!touched) {
			f->room = f->n_flows; /* to be tried again */
			return -1;
		}
		f->touched_flow = touched;
	}
	*id = (uint32_t)f->n_flows++;
	f->flow[*id] = (struct pl_flow){0};
	return 0;
}

int pl_flows_start(struct pl_flows *f, const struct pl_flow_start *start,
		   uint32_t *id)
{
	struct pl_flow *flow;

	if (take_unused(f, id))
		return -1;
	flow = &f->flow[*id];
	flow->left_bytes = start->bytes;
	flow->rate = 0;
	flow->since_s = start->now_s;
	flow->cap = start->cap;
	flow->cap_bound = start->cap_bound;
	flow->owner = start->owner;
	route(f->net, start->src, start->dst, flow);
	for (uint32_t k = 0; k < PL_FLOW_LINKS; k++)
		if (flow->link[k] != PL_FLOW_NONE)
			join_link(f, *id, k);
	begin_walk(f);
	touch_flow(f, *id);
	spread(f);
	return fill(f, start->now_s);
}

bool pl_flows_is_end(const struct pl_flows *f, const struct pl_event *event)
{
	return f->flow[event->what].version == event->version;
}

int pl_flows_end(struct pl_flows *f, const struct pl_event *event,
		 uint32_t *owner, enum pl_bound *bound)
{
	struct pl_flow *flow = &f->flow[event->what];

	*owner = flow->owner;
	*bound = flow->bound;
	flow->version++;
	begin_walk(f);
	for (uint32_t k = 0; k < PL_FLOW_LINKS; k++)
		if (flow->link[k] != PL_FLOW_NONE) {
			leave_link(f, event->what, k);
			touch_link(f, flow->link[k]);
		}
	flow->before[0] = f->free;
	f->free = event->what;
	spread(f);
	return fill(f, event->at_s);
}
