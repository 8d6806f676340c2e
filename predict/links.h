/* SPDX-License-Identifier: BSD-3-Clause */
/* links.h - cards and uplinks: each passes on what comes, in the order it
 * comes */
/*
 * Links pass bits on at once (a packet does not wait for its own end) and lose
 * none. So those who send all the time share a link evenly, and what comes
 * behind a long line waits for it, be it a word of a handshake: this is how
 * switches work, and the limits of clouds, which stand outside of the machine
 * and its fair queues.
 */
#ifndef PLINK_PREDICT_LINKS_H
#define PLINK_PREDICT_LINKS_H

#include "base/matrix/tiers.h"
#include "predict/network.h"
#include "predict/predict.h"

#include <stddef.h>
#include <stdint.h>

/* What packets between two hosts pass, in that order: of the cards and uplinks
 * (pl_tiers) those whose rate is known, and the latency between the two
 * sides. */
struct pl_route {
	uint32_t first, end; /* in listed[] */
	double latency_s;
};

/* A packet on its way. */
struct pl_passage {
	const struct pl_route *route;
	uint32_t next; /* of its route's; the route's end: it has passed all */
	double bytes;
	double head_s;       /* its first bit is through the links so far */
	double tail_s;       /* and its last */
	enum pl_bound bound; /* who made it wait last */
};

/* A card or an uplink, one way. */
struct pl_shared_link {
	double s_per_byte;
	double free_s; /* has sent all it took */
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

/* Links carry that share of their rates. 0, or -1: no memory. @net must outlive
 * it. */
int pl_links_init(struct pl_links *l, const struct pl_network *net,
		  double share);
void pl_links_fini(struct pl_links *l);

/* The way between two hosts, not the same. 0, or -1: no memory. */
int pl_links_route(struct pl_links *l, size_t src, size_t dst,
		   struct pl_route *route);

/* Through the next link, and across the latency where that comes then. A packet
 * that stands in line at a link holds no place at the next: to be called for
 * each when the first bit has come there. */
void pl_links_pass(struct pl_links *l, struct pl_passage *p);

/* When a word without length sets off at @now_s: when it is at the other end,
 * which takes standing in the lines there are now. */
double pl_links_word_s(const struct pl_links *l, const struct pl_route *route,
		       double now_s);

/* Through one link. */
void pl_link_pass(struct pl_shared_link *link, struct pl_passage *p);

#endif
