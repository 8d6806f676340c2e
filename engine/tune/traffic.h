/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.h - what the ranks of a job have sent, and how fast each could */
/*
 * A connection is busy while some of its bytes have not been acknowledged. One whose sender or
 * receiver is slow is busy all the time; the others wait for the slow one, too, but not busy. So
 * the rate of a rank is
 *
 *     bytes to all its peers / median over these of how long each was busy
 *
 * and the same of what it receives; the lower of both is taken. The median keeps one slow rank from
 * spoiling the rates of its peers. A group's uplink is measured in the same way, by what crosses
 * it.
 */
#ifndef PLINK_ENGINE_TUNE_TRAFFIC_H
#define PLINK_ENGINE_TUNE_TRAFFIC_H

#include "engine/levels.h"

#include <stdbool.h>
#include <stddef.h>

/* Of the same span of time; [n * n], from rank to rank. */
struct pl_traffic {
	size_t n;
	const double *bytes;
	const double *busy_s;
};

/* rate[tree->n_nodes]: bytes per second. Ranks that have sent or received nothing, as within one
 * machine, have the highest rate of all. The rate of a group is that of its uplink, which is that
 * of the rank where it is the only one; 0 for others that nothing has crossed. 0, or -1: out of
 * memory, or nothing was sent at all. */
int pl_traffic_uplinks(const struct pl_traffic *t, const struct pl_rank_tree *tree, double *rate);

/* slow[n]: ranks whose connections to others were busy for more than @factor times as long, in the
 * median, as those of the median rank. 0, or -1: out of memory. */
int pl_traffic_slow(const struct pl_traffic *t, double factor, bool *slow);

/* Adds to slow[n] those whose rate times @factor is below the median one. 0, or -1: out of
 * memory. */
int pl_rates_low(const double *rate, size_t n, double factor, bool *slow);

/*
 * Seconds that a buffer of one byte takes at these rates of ranks and groups, [n_nodes], 0: no
 * limit: those of the slowest card or uplink, one way. -1: out of memory.
 */
double pl_slices_seconds(const struct pl_slices *slices, const struct pl_rank_tree *tree,
			 const double *rate);

#endif
