/* SPDX-License-Identifier: BSD-3-Clause */
/* bbr.h - connections that go at the pace they believe the network to have */
/*
 * Linux' BBR (version 1, net/ipv4/tcp_bbr.c and tcp_rate.c; Cardwell and
 * others, ACM Queue 14(5), 2016), without losses and without its phase of 200
 * ms every ten seconds, which connections that pause do not have. A message
 * that is too small to fill the way is sent at less than the network's rate:
 * what has been delivered, over its own time and a round trip, is the rate it
 * believes in.
 */
#ifndef PLINK_PREDICT_BBR_H
#define PLINK_PREDICT_BBR_H

#include "base/rng.h"
#include "predict/protocol.h"

#include <stdbool.h>
#include <stdint.h>

/* What a packet remembers of when it was sent. */
struct pl_bbr_sent {
	double delivered_bytes, delivered_s, first_s;
	bool limited; /* by what the program had to send */
};

/* Of a connection. */
struct pl_bbr {
	double pace_bytes_per_s;
	double free_s; /* the next packet goes no sooner */
	double delivered_bytes, delivered_s;
	double first_s;       /* the packet last acknowledged was sent */
	double limited_bytes; /* the program had no more to send up to there;
			       * 0: it had */
	double round_bytes;   /* delivered: the next round trip begins */
	uint32_t round;
	/* the highest rate of the last ten round trips; the highest since then;
	 * the highest since that one */
	struct {
		double bytes_per_s;
		uint32_t round;
	} most[3];
	double full_bytes_per_s; /* while it looks for the rate */
	unsigned n_full;
	enum { PL_BBR_STARTUP, PL_BBR_DRAIN, PL_BBR_PROBE } mode;
	unsigned phase;
	double phase_s; /* it began */
	double least_s; /* round trip; 0: none seen */
};

/* What a connection gets to know at an acknowledgement. */
struct pl_bbr_ack {
	const struct pl_bbr_sent *sent;
	double bytes, sent_s, known_s;
	double under_way_bytes; /* without them */
	double burst_bytes;     /* what goes at once */
};

/* Before the first packet, with the window of that many bytes. */
void pl_bbr_init(struct pl_bbr *b, double window_bytes, double round_trip_s);

/* The program gives more to send while nothing is left unsent. */
void pl_bbr_given(struct pl_bbr *b, double under_way_bytes);

/* A packet goes, @under_way_bytes being before it. */
void pl_bbr_send(struct pl_bbr *b, double bytes, double under_way_bytes,
		 double now_s, struct pl_bbr_sent *sent);

/* Gives the window from now on. */
double pl_bbr_acknowledged(struct pl_bbr *b, const struct pl_bbr_ack *ack,
			   double window_bytes, struct pl_rng *rng);

#endif
