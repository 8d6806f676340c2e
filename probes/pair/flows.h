/* SPDX-License-Identifier: BSD-3-Clause */
/* flows.h - the figures of a pair over its flows: one sample, or one per
 * flow */
#ifndef PLINK_PROBES_PAIR_FLOWS_H
#define PLINK_PROBES_PAIR_FLOWS_H

#include "probes/pair/settle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_FLOWS_MAX 16

/*
 * Round trips in the order of arrival, and the flow (pair of UDP ports) of each. Switches that
 * balance traffic over equal paths keep a flow on one of them, so flows may differ.
 */
struct pl_sample {
	const int64_t *rtt_ns; /* [n] */
	const int64_t *raw_ns; /* [n] nothing subtracted; NULL: alike */
	const uint8_t *flow;   /* [n] below n_flows */
	size_t n;
	unsigned n_flows; /* 1 to PL_FLOWS_MAX */
	int64_t *work;    /* [n] to sort in */
};

/* All 0 where the sample is empty. */
struct pl_figures {
	int64_t min_ns, p10_ns, p50_ns, p90_ns, p99_ns;
	int64_t spread_ns; /* largest p10 of a flow less the smallest */
	int64_t raw_ns;    /* p10 of the raw round trips */
};

/*
 * Is the sample settled? Flows agree when the 10th percentile of each is within twice the tolerance
 * of that of all. Then they are one sample, which must be settled; else each flow must be settled
 * by itself. Flows without an answer are ignored.
 */
bool pl_flows_settled(const struct pl_sample *s, const struct pl_tolerance *tolerance);

/* The figures of the one sample where flows agree; else each figure is the median, by nearest rank,
 * over the flows: what a connection of a job is likely to get. */
void pl_flows_figures(const struct pl_sample *s, const struct pl_tolerance *tolerance,
		      struct pl_figures *out);

#endif
