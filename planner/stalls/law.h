/* SPDX-License-Identifier: BSD-3-Clause */
/* law.h - what an exchange of gradients takes, by layers and bytes */
#ifndef PLINK_PLANNER_STALLS_LAW_H
#define PLINK_PLANNER_STALLS_LAW_H

#include "planner/stalls/parts.h"

#include <stdint.h>

/* What a model exchanges in an iteration. */
struct pl_stall_model {
	double layers, bytes; /* exchanges, and bytes of all of them */
};

/* What they are exchanged over. */
struct pl_stall_link {
	double latency_s;   /* of one exchange */
	double bytes_per_s; /* infinite: bytes take no time */
};

/* (latency + bytes / (layers * rate)) * layers: stash, VI-A. */
double pl_stall_exchange_s(const struct pl_stall_link *link, const struct pl_stall_model *model);

/*
 * The rate, in bytes per second, at which both take equally long: above it, the one with fewer
 * layers is exchanged sooner, below it the one with fewer bytes. NaN: one is never later than the
 * other, at any rate.
 */
double pl_stall_crossover(const struct pl_stall_model *a, const struct pl_stall_model *b,
			  double latency_s);

/*
 * The link that explains stalls best (least squares): that of the network, or of the interconnect,
 * for the runs that have this stall, layers and gradients. 0; or -1 with @err set, PL_EINPUT: these
 * are fewer than two, or all have layers and bytes in one proportion, or no link with a latency and
 * a rate of 0 or more is near them.
 */
int pl_stall_link_fit(struct pl_stall_link *link, const struct pl_stall_runs *runs,
		      enum pl_stall stall, struct pl_err *err);

#endif
