/* SPDX-License-Identifier: BSD-3-Clause */
/* relax.h - what a choice takes at least when a type and a batch are its
 * slowest */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_RELAX_H
#define PLINK_PLANNER_SRIFT_SEARCH_RELAX_H

#include "planner/srift/search/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A type with one of its batches. */
struct pl_type_batch {
	size_t type, batch; /* batch: which of the type's */
	double mean_s;      /* of both passes, without chance */
};

/* All pairs of a market, of types of which there are any, by mean_s. */
struct pl_type_batches {
	struct pl_type_batch pair[PL_MARKET_TYPES_MAX * PL_MARKET_BATCHES_MAX];
	size_t n;
	size_t rank[PL_MARKET_TYPES_MAX][PL_MARKET_BATCHES_MAX];
};
void pl_pairs_init(struct pl_type_batches *pairs, const struct pl_market *m,
		   const size_t *available);

/* A stock of a type: samples at the largest batch allowed, and what each
 * takes. */
struct pl_relax_part {
	size_t pos; /* of its type in order[] */
	double samples, per_sample;
};

/*
 * Choices in which no pair behind that of rank @slowest is used, and that one
 * is. Types other than the slowest one's, in order of their cheapest samples,
 * or of those that take the fewest ranks.
 */
struct pl_relax {
	size_t order[PL_MARKET_TYPES_MAX];
	size_t n;
	/* of the types from order[i] on: what all of their batches are
	 * multiples of */
	uint64_t divisor[PL_MARKET_TYPES_MAX + 1];
	struct pl_relax_part part[PL_MARKET_TYPES_MAX * PL_MARKET_KINDS];
	size_t n_parts; /* dollars an hour, by per_sample */
	struct pl_relax_part
		rank_part[PL_MARKET_TYPES_MAX]; /* [n] ranks, likewise */
	bool by_ranks;
	bool whole; /* the slowest type is one of them, with its pair's batch
		       only */
};

/* r->by_ranks tells the order. @whole: the type of the slowest pair is among
 * the others, as a bound for all such choices wants it. */
void pl_relax_init(struct pl_relax *r, const struct pl_market *m,
		   const size_t *available, const struct pl_type_batches *pairs,
		   size_t slowest, bool whole);

/*
 * Dollars an hour that so many samples take at least on machines from
 * order[from] on: the linear programme in which machines can be divided, and
 * each has the largest batch it may. INFINITY where they cannot hold them, or
 * not add up to them.
 */
double pl_relax_per_hour(const struct pl_relax *r, size_t from,
			 uint64_t samples);

/* Accelerators, likewise. */
size_t pl_relax_ranks(const struct pl_relax *r, size_t from, uint64_t samples);

#endif
