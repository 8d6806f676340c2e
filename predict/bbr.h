/* SPDX-License-Identifier: BSD-3-Clause */
/* bbr.h - connections that send at the rate that they estimate (TCP BBR) */
/*
 * BBR as in Linux (version 1, net/ipv4/tcp_bbr.c and tcp_rate.c; Cardwell and others, ACM Queue
 * 14(5), 2016), without losses and without the phase of 200 ms every ten seconds (PROBE_RTT), which
 * connections that pause do not have. The rate is estimated as the bytes delivered, divided by the
 * time that their delivery took, a round trip included. A message that is too small to fill the
 * path therefore gives an estimate below the network's rate, and the connection sends at less than
 * that rate.
 */
#ifndef PLINK_PREDICT_BBR_H
#define PLINK_PREDICT_BBR_H

#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>

/* The state of the connection when a packet was sent; kept with the packet. */
struct pl_bbr_sent {
	double delivered_bytes, delivered_s, first_s;
	bool limited; /* the program, not the network, limited the rate */
};

/* The state of a connection. */
struct pl_bbr {
	double pace_bytes_per_s;
	double free_s; /* the next packet leaves no earlier */
	double delivered_bytes, delivered_s;
	/* when the packet that was acknowledged last was sent */
	double first_s;
	/* the program limits the rate until delivered_bytes is above this; 0: it does not */
	double limited_bytes;
	/* delivered_bytes at which the next round trip begins */
	double round_bytes;
	uint32_t round;
	/* the highest rate of the last ten round trips, the highest after it, and the highest after
	 * that one */
	struct {
		double bytes_per_s;
		uint32_t round;
	} most[3];
	/* in STARTUP: the rate that later ones are compared with */
	double full_bytes_per_s;
	unsigned n_full;
	enum { PL_BBR_STARTUP, PL_BBR_DRAIN, PL_BBR_PROBE } mode;
	unsigned phase;
	double phase_s; /* when the phase began */
	double least_s; /* the shortest round trip; 0: none yet */
};

/* An acknowledgement, as the sender sees it. */
struct pl_bbr_ack {
	const struct pl_bbr_sent *sent;
	double bytes, sent_s, known_s;
	double under_way_bytes; /* without the bytes that it acknowledges */
	double burst_bytes;     /* the most that is sent at once */
};

/* Sets the state before the first packet. @window_bytes: the first window; @round_trip_s: the round
 * trip without load. */
void pl_bbr_init(struct pl_bbr *b, double window_bytes, double round_trip_s);

/* Call this when the program gives data to a connection that has sent everything so far. */
void pl_bbr_given(struct pl_bbr *b, double under_way_bytes);

/* A packet of @bytes is sent while @under_way_bytes are not yet acknowledged. Fills *sent. */
void pl_bbr_send(struct pl_bbr *b, double bytes, double under_way_bytes, double now_s,
		 struct pl_bbr_sent *sent);

/* Takes an acknowledgement and returns the new window in bytes; @window_bytes is the present
 * one. */
double pl_bbr_acknowledged(struct pl_bbr *b, const struct pl_bbr_ack *ack, double window_bytes,
			   struct pl_rng *rng);

#endif
