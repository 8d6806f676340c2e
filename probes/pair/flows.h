/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.h - a pair's figures over its flows: one sample, or one for each */
#ifndef PLINK_PROBES_PAIR_FLOWS_H
#define PLINK_PROBES_PAIR_FLOWS_H

#include "probes/pair/settle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_FLOWS_MAX 16

/*
 * Round trips in the order they came, and the flow (the pair of UDP ports) of
 * each. Switches that spread traffic over equal paths give a flow one of them,
 * so that flows may differ.
 */
struct pl_sample {
	const int64_t *rtt_ns; /* [n] */
	const int64_t *raw_ns; /* [n] with nothing subtracted; NULL: alike */
	const uint8_t *flow;   /* [n] below n_flows */
	size_t n;
	unsigned n_flows; /* 1 to PL_FLOWS_MAX */
	int64_t *work;    /* [n] to sort in */
};

/* All 0 where n is. */
struct pl_figures {
	int64_t min_ns, p10_ns, p50_ns, p90_ns, p99_ns;
	int64_t spread_ns; /* of the flows' p10: largest less smallest */
	int64_t raw_ns;    /* p10 of the raw round trips */
};

/*
 * Flows agree when the 10th percentile of each lies within twice the tolerance
 * of that of all. Then they are one sample, and settled as one is; else each
 * must be settled by itself. Flows that were never answered are left out.
 */
bool pl_flows_settled(const struct pl_sample *s,
		      const struct pl_tolerance *tolerance);

/* Of the one sample where flows agree; else each figure is the median, by
 * nearest rank, over the flows: what a connection of a job is likely to get. */
void pl_flows_figures(const struct pl_sample *s,
		      const struct pl_tolerance *tolerance,
		      struct pl_figures *out);

#endif
