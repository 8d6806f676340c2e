/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.h - transfers that begin when they may and share what bandwidth
 * there is */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_EXCHANGE_H
#define PLINK_PLANNER_SRIFT_ITERATION_EXCHANGE_H

#include "base/err.h"

#include <stddef.h>

/* One all-reduce. */
struct pl_transfer {
	double ready_s;     /* it may begin; not negative */
	double wire_bytes;  /* pl_bus_bytes() of its gradients; not negative */
	double bytes_per_s; /* bus bandwidth on its own; more than 0 */
	double begin_s, end_s; /* what comes out */
};

struct pl_exchange_options {
	double cap_bytes_per_s; /* of all together, b_cap; 0: no limit */
	size_t at_once; /* no more than so many under way; 0: no limit */
};

struct pl_exchange_result {
	double end_s;        /* of the last one; 0 where there is none */
	size_t n_events;     /* beginnings and ends */
	size_t most_at_once; /* under way */
};

/*
 * Plays the transfers out (srift 4.3). Of c that are under way, with the
 * bandwidth b each and b_agg the sum of these, each has b if b_agg < b_cap,
 * else min(b, b_cap / c) (eq. (2)); whenever one begins or ends this is taken
 * anew for all. Those that must wait for others begin in the order in which
 * they became ready.
 * Transfers with the same b progress alike: they share a clock that counts
 * bytes, and each event looks at as many clocks as there are different b under
 * way. So no estimate of an end is ever stale. Time: events times (different b
 * + log n). 0, or -1 with @err set: no memory.
 */
int pl_exchange(struct pl_transfer *transfer, size_t n,
		const struct pl_exchange_options *o,
		struct pl_exchange_result *r, struct pl_err *err);

#endif
