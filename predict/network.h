/* SPDX-License-Identifier: BSD-3-Clause */
/* network.h - what a predictor knows of the network between hosts */
#ifndef PLINK_PREDICT_NETWORK_H
#define PLINK_PREDICT_NETWORK_H

#include "src/err.h"
#include "src/matrix.h"

#include <stddef.h>

/*
 * n hosts; matrices are row-major, row = source. A card passes so many bytes
 * a second out and as many in; a rack's uplink so many up and as many down,
 * from what goes between racks only. Start with {0}, end with fini.
 */
struct pl_network {
	size_t n;
	double *latency_s; /* [n * n], one way; the diagonal is 0 */
	/* [n * n] between two hosts, of what arrives without headers; NULL: not
	 * known */
	double *bytes_per_s;
	double nic_bytes_per_s;    /* 0: no limit */
	double uplink_bytes_per_s; /* 0: no limit */
	size_t *rack;              /* [n], by host; NULL: not known */
	size_t n_racks;            /* 0: not known; none is empty */
};

/*
 * Latencies from layer 0: half of a round trip, a one-way time as it is; rates
 * between hosts from the first layer of bandwidths, if there is one; racks from the
 * headers "# rack HOST NUMBER", if there are any, in the order of their numbers.
 * Rates of cards and uplinks no matrix tells: the caller sets them.
 * 0, or -1 with @net empty and @err set: PL_EINPUT for a layer 0 that holds no
 * times, missing or negative cells, times beyond 10^6 s and rates below a byte a
 * second, a rack line that is none, two racks of a host or racks of some hosts only;
 * PL_ESYSTEM for memory.
 */
int pl_network_init(struct pl_network *net, const struct pl_matrix *m,
		    struct pl_err *err);
void pl_network_fini(struct pl_network *net);

#endif
