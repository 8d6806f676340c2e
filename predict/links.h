/* SPDX-License-Identifier: BSD-3-Clause */
/* links.h - network cards and uplinks: first come, first served */
/*
 * A link passes bits on at once (a packet does not wait for its own end) and loses none. Senders
 * that send all the time therefore share a link evenly, and a packet behind a long queue waits for
 * the whole queue, even if it is only a message of a handshake. Switches work like this, and so do
 * the rate limits of clouds, which are outside of the machine and its fair queueing.
 */
#ifndef PLINK_PREDICT_LINKS_H
#define PLINK_PREDICT_LINKS_H

#include "base/matrix/tiers.h"
#include "predict/network.h"
#include "predict/predict.h"

#include <stddef.h>
#include <stdint.h>

/* The way of packets between two hosts, in this order: the cards and uplinks (pl_tiers) whose rate
 * is known, with the latency between the sender's and the receiver's side. */
struct pl_route {
	uint32_t first, end; /* in listed[] */
	double latency_s;
};

/* A packet on its way. */
struct pl_passage {
	const struct pl_route *route;
	/* the next entry of listed[]; the route's end: all are passed */
	uint32_t next;
	double bytes;
	double head_s;       /* when the first bit has passed the links so far */
	double tail_s;       /* when the last bit has */
	enum pl_bound bound; /* what made it wait last */
};

/* A card or an uplink, in one direction. */
struct pl_shared_link {
	double s_per_byte;
	double free_s; /* when it has sent everything that it accepted */
	enum pl_bound bound;
};

/* Start with {0}, end with fini. */
struct pl_links {
	const struct pl_network *net;
	struct pl_shared_link *link;
	uint32_t *listed; /* links of all routes */
	size_t n_listed, listed_room;
	struct pl_tiers_way way; /* scratch */
};

/* @share: the part of each link's rate that data can use. 0, or -1: out of memory; pl_links_fini
 * releases *l even then. @net must outlive *l. */
int pl_links_init(struct pl_links *l, const struct pl_network *net, double share);
void pl_links_fini(struct pl_links *l);

/* Fills *route with the way between two different hosts. 0, or -1: out of memory. */
int pl_links_route(struct pl_links *l, size_t src, size_t dst, struct pl_route *route);

/* Moves a packet through the next link, and across the latency if that comes next. A packet that
 * waits in the queue of a link takes no place in the queue of the next one: call this for each link
 * when the first bit has arrived there. */
void pl_links_pass(struct pl_links *l, struct pl_passage *p);

/* The time at which a message without length, sent at @now_s, arrives: it waits in the queues that
 * the links have now. */
double pl_links_word_s(const struct pl_links *l, const struct pl_route *route, double now_s);

/* Moves a packet through one link. */
void pl_link_pass(struct pl_shared_link *link, struct pl_passage *p);

#endif
