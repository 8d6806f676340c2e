/* SPDX-License-Identifier: BSD-3-Clause */
/* within.h - what machines may be chosen where none computes longer than so
 * long */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_WITHIN_H
#define PLINK_PLANNER_SRIFT_SEARCH_WITHIN_H

#include "planner/srift/iteration/sim.h"
#include "planner/srift/search/market.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A choice whose slowest machine computes for no longer than T in the mean of
 * the draws has of each type a number of machines whose slowest one, of that
 * type alone, computes no longer either.
 */
struct pl_within {
	const struct pl_market *market;
	/* machines of each type at each of its batches, at most; 0: none */
	size_t most[PL_MARKET_TYPES_MAX][PL_MARKET_BATCHES_MAX];
};

/* 0, or -1: no memory. */
int pl_within_init(struct pl_within *w, struct pl_sim *sim,
		   const size_t *available, double compute_s);

/*
 * Ranks, and dollars an hour, that so many samples take at least on these: the
 * linear programme in which machines can be divided, and each type has the
 * samples of its best batch. INFINITY where they cannot hold them.
 */
double pl_within_ranks(const struct pl_within *w, uint64_t samples);
double pl_within_per_hour(const struct pl_within *w, uint64_t samples);

#endif
