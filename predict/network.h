/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - the network between hosts, as a prediction needs it */
#ifndef PLINK_PREDICT_NETWORK_H
#define PLINK_PREDICT_NETWORK_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "base/matrix/message-cost.h"
#include "base/matrix/tiers.h"

#include <stddef.h>

/* The congestion control of the hosts' connections (net.ipv4.tcp_congestion_control). */
enum pl_congestion {
	PL_CONGESTION_UNKNOWN, /* treated as PL_CONGESTION_WINDOW */
	/* reno, cubic and others: the window grows as long as nothing is lost,
	 * and here nothing is lost; all that the window allows is sent at
	 * once */
	PL_CONGESTION_WINDOW,
	PL_CONGESTION_BBR,
};

/*
 * n hosts; matrices are row-major, row = source. Start with {0}, end with fini.
 */
struct pl_network {
	size_t n;
	/* [n * n], one way, without what the hosts' processors did; the diagonal is 0 */
	double *latency_s;
	/* [n * n] the rate between two hosts, as data that arrive, without headers; INFINITY for a
	 * pair without one; NULL: no rates are known */
	double *bytes_per_s;
	/* racks, and rates of cards and uplinks; an unknown rate is no limit */
	struct pl_tiers tiers;
	/* [tiers.n_groups] a flow through its uplink failed as rates were measured; NULL: none
	 * did */
	bool *failed;
	enum pl_congestion congestion;
	/* [n] NULL: PL_MESSAGE_COST_DEFAULT for all */
	struct pl_message_cost *cost;
};

/* What a link has at least in machines that are rented: Gigabit Ethernet, or ten times that where
 * all hosts are as near to each other as only faster cards get them. */
double pl_network_least_bps(const struct pl_network *net);

/*
 * Reads the network from a matrix: latencies from layer 0 (half of a round
 * trip, or a one-way time as it is), rates between hosts from the first layer
 * of bandwidths, if there is one, racks and the rates of cards and uplinks from
 * the header lines (pl_tiers_read), failed flows from notes
 * (pl_tiers_flow_failed), the congestion control from the header line
 * "tcp", and what messages cost (pl_message_costs_read). 0, or -1 with @net empty and @err set:
 * PL_EINPUT for a layer 0 without times, missing or negative times, times beyond 10^6 s, rates
 * below a byte a second (0 or missing: the pair has no rate), and header lines that pl_tiers_read,
 * pl_message_costs_read or pl_network_find_congestion refuses; PL_ESYSTEM for memory.
 */
int pl_network_init(struct pl_network *net, const struct pl_matrix *m, struct pl_err *err);

/* The kind of the congestion control called @name: PL_CONGESTION_BBR for "bbr",
 * PL_CONGESTION_WINDOW for all others. */
enum pl_congestion pl_network_congestion(const char *name);

/* Sets *congestion to the control that the header lines "# tcp" of @m name, if there are any. 0, or
 * -1 with @err set (PL_EINPUT) if a line does not have exactly one name, or two lines have
 * different names. */
int pl_network_find_congestion(enum pl_congestion *congestion, const struct pl_matrix *m,
			       struct pl_err *err);

/*
 * Sets the rates, in bits per second on the wire, of all cards and of the uplinks of all racks, in
 * place of those of the matrix; 0 keeps them. 0, or -1 with @err set: PL_EINPUT for a rate of
 * uplinks if racks are not known.
 */
int pl_network_set_rates(struct pl_network *net, double card_bps, double uplink_bps,
			 struct pl_err *err);

/*
 * Gives that rate to all links of which none is known, and returns whether there are any. Cards:
 * but for those of hosts whose pairs have rates. Uplinks: but for those that were no limit when
 * flows were measured, which is when the card of a host behind it is known and no flow through it
 * failed.
 */
bool pl_network_suppose(struct pl_network *net, double bps);

void pl_network_fini(struct pl_network *net);

#endif
