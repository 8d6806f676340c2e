/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - what a predictor knows of the network between hosts */
#ifndef PLINK_PREDICT_NETWORK_H
#define PLINK_PREDICT_NETWORK_H

#include "base/err.h"
#include "base/matrix/matrix.h"
#include "base/matrix/tiers.h"

#include <stddef.h>

/* How the hosts' connections find their pace
 * (net.ipv4.tcp_congestion_control). */
enum pl_congestion {
	PL_CONGESTION_UNKNOWN, /* taken for the next */
	/* The window grows while nothing is lost, and nothing is; what it lets
	 * out goes at once: reno, cubic, and others. */
	PL_CONGESTION_WINDOW,
	PL_CONGESTION_BBR,
};

/*
 * n hosts; matrices are row-major, row = source. Start with {0}, end with fini.
 */
struct pl_network {
	size_t n;
	double *latency_s; /* [n * n], one way; the diagonal is 0 */
	/* [n * n] between two hosts, of what arrives without headers; NULL: not
	 * known */
	double *bytes_per_s;
	struct pl_tiers tiers; /* racks, and rates of cards and uplinks; rates
				* that are not known are no limit */
	enum pl_congestion congestion;
};

/*
 * Latencies from layer 0: half of a round trip, a one-way time as it is; rates
 * between hosts from the first layer of bandwidths, if there is one; racks and
 * the rates of cards and uplinks from the matrix's header lines
 * (pl_tiers_read), the congestion control from "tcp".
 * 0, or -1 with @net empty and @err set: PL_EINPUT for a layer 0 that holds no
 * times, missing or negative cells, times beyond 10^6 s, rates below a byte a
 * second, and for header lines that pl_tiers_read refuses; PL_ESYSTEM for
 * memory.
 */
int pl_network_init(struct pl_network *net, const struct pl_matrix *m,
		    struct pl_err *err);

/* Of the control of that name. */
enum pl_congestion pl_network_congestion(const char *name);

/* Sets *congestion to what the lines "# tcp" of @m name, if there are any. 0,
 * or -1 with @err set (PL_EINPUT): one is not a name, or two name different
 * ones. */
int pl_network_find_congestion(enum pl_congestion *congestion,
			       const struct pl_matrix *m, struct pl_err *err);

/*
 * Rates in bits per second on the wire of all cards and of all racks' uplinks,
 * in place of what the matrix tells; 0: as it tells. 0, or -1 with @err set:
 * PL_EINPUT for uplinks where racks are not known.
 */
int pl_network_set_rates(struct pl_network *net, double card_bps,
			 double uplink_bps, struct pl_err *err);

void pl_network_fini(struct pl_network *net);

#endif
