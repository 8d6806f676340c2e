/* SPDX-License-Identifier: BSD-3-Clause */
/* links.h - cards and uplinks: each passes on what comes, in the order it comes */
/*
 * A packet passes the sender's card, between racks both uplinks, and the
 * receiver's card. Links pass bits on at once (a packet does not wait for its own
 * end) and lose none. So those who send all the time share a link evenly, and what
 * comes behind a long line waits for it, be it a word of a handshake: this is how
 * switches work, and the limits of clouds, which stand outside of the machine and
 * its fair queues.
 */
#ifndef PLINK_PREDICT_LINKS_H
#define PLINK_PREDICT_LINKS_H

#include "predict/network.h"
#include "predict/predict.h"

#include <stdbool.h>
#include <stddef.h>

/* The links, in the order they are passed. A packet that stands in line at one
 * holds no place at the next: call each when its first bit has come there. */
enum pl_hop {
	PL_CARD_OUT,
	PL_UPLINK, /* of the sender's rack; nothing within a rack */
	PL_DOWNLINK,
	PL_CARD_IN,
	PL_HOPS,
};

/* A packet on its way. */
struct pl_passage {
	size_t src, dst; /* hosts, not the same */
	double bytes;
	double head_s;       /* its first bit is through the links so far */
	double tail_s;       /* and its last */
	enum pl_bound bound; /* who made it wait last */
};

/* Start with {0}, end with fini. */
struct pl_links {
	const struct pl_network *net;
	double nic_s, uplink_s; /* per byte; 0: no limit */
	double *free_s; /* [2 * n + 2 * n_racks]: has sent all it took */
};

/* Links carry that share of their rates. 0, or -1: no memory. @net must outlive
 * it. */
int pl_links_init(struct pl_links *l, const struct pl_network *net,
		  double share);
void pl_links_fini(struct pl_links *l);

/* Through one link. */
void pl_links_pass(struct pl_links *l, enum pl_hop hop, struct pl_passage *p);

/* Through a link of one's own, free at *free_s. */
void pl_link_pass(double *free_s, double s_per_byte, enum pl_bound bound,
		  struct pl_passage *p);

#endif
