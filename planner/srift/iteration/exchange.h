/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.h - simulates transfers that share the bandwidth */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_EXCHANGE_H
#define PLINK_PLANNER_SRIFT_ITERATION_EXCHANGE_H

#include "base/err.h"

#include <stddef.h>

/* One all-reduce. */
struct pl_transfer {
	double ready_s;        /* earliest begin; not negative */
	double wire_bytes;     /* pl_bus_bytes() of its gradients; not negative */
	double bytes_per_s;    /* bus bandwidth on its own; more than 0 */
	double begin_s, end_s; /* results */
};

struct pl_exchange_options {
	double cap_bytes_per_s; /* most of all together, b_cap; 0: no limit */
	size_t at_once;         /* most under way at once; 0: no limit */
};

struct pl_exchange_result {
	double end_s;        /* of the last transfer; 0 without transfers */
	size_t n_events;     /* beginnings and ends */
	size_t most_at_once; /* under way */
};

/*
 * Simulates the transfers (srift 4.3). With c transfers under way, bandwidth b
 * each, and b_agg the sum of all b, each transfer gets b if b_agg < b_cap, else
 * min(b, b_cap / c) (eq. (2)). This is computed anew whenever a transfer begins
 * or ends. Transfers that must wait begin in the order in which they became
 * ready.
 * Transfers with the same b progress alike: they share a clock that counts
 * bytes, and each event looks at as many clocks as there are different b under
 * way, so that no estimate of an end is ever outdated. Time: events times
 * (different b + log n). 0, or -1 with @err set: out of memory.
 */
int pl_exchange(struct pl_transfer *transfer, size_t n, const struct pl_exchange_options *o,
		struct pl_exchange_result *r, struct pl_err *err);

#endif
