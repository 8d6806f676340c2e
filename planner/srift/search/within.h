/* SPDX-License-Identifier: BSD-3-Clause */
/* within.h - the machines that may be chosen if compute time is limited */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_WITHIN_H
#define PLINK_PLANNER_SRIFT_SEARCH_WITHIN_H

#include "planner/srift/iteration/sim.h"
#include "planner/srift/search/market.h"

#include <stddef.h>
#include <stdint.h>

/* If the slowest machine of a choice computes for at most T, averaged over the draws, then for each
 * type the slowest machine of that type alone does so, too. This limits the number of machines of
 * each type. */
struct pl_within {
	const struct pl_market *market;
	/* most machines of each type at each of its batches; 0: none */
	size_t most[PL_MARKET_TYPES_MAX][PL_MARKET_BATCHES_MAX];
};

/* Finds the limits for T = @compute_s. 0, or -1: out of memory. */
int pl_within_init(struct pl_within *w, struct pl_sim *sim, const size_t *available,
		   double compute_s);

/* Lower bounds on the ranks, and on the dollars an hour, of @samples on these machines: the linear
 * programme in which machines can be divided, and each type uses its best batch. INFINITY if the
 * machines cannot hold the samples.
 */
double pl_within_ranks(const struct pl_within *w, uint64_t samples);
double pl_within_per_hour(const struct pl_within *w, uint64_t samples);

#endif
