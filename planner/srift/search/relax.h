/* SPDX-License-Identifier: BSD-3-Clause */
/* relax.h - lower bounds on choices whose slowest type and batch are given */
#ifndef PLINK_PLANNER_SRIFT_SEARCH_RELAX_H
#define PLINK_PLANNER_SRIFT_SEARCH_RELAX_H

#include "planner/srift/search/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A type with one of its batches. */
struct pl_type_batch {
	size_t type, batch; /* index in the batches of the type */
	double mean_s;      /* of both passes, without chance */
};

/* All pairs of types that are available and their batches, sorted by mean_s. */
struct pl_type_batches {
	struct pl_type_batch pair[PL_MARKET_TYPES_MAX * PL_MARKET_BATCHES_MAX];
	size_t n;
	size_t rank[PL_MARKET_TYPES_MAX][PL_MARKET_BATCHES_MAX];
};
void pl_pairs_init(struct pl_type_batches *pairs, const struct pl_market *m,
		   const size_t *available);

/* A stock of a type: its samples at the largest batch allowed, and the dollars or ranks of a
 * sample. */
struct pl_relax_part {
	size_t pos; /* of its type, index in order[] */
	double samples, per_sample;
};

/* Sorts by per_sample, then by pos. */
void pl_relax_sort(struct pl_relax_part *part, size_t n);

/* The least sum of per_sample for so many samples on the sorted part[n], of which those of a pos
 * below @from do not count. INFINITY if they do not hold the samples. */
double pl_relax_sum(const struct pl_relax_part *part, size_t n, size_t from, double samples);

/* Choices that use the pair of rank @slowest and no pair behind it. order[] has the types other
 * than the slowest one, sorted by their cheapest samples. */
struct pl_relax {
	size_t order[PL_MARKET_TYPES_MAX];
	size_t n;
	/* common divisor of all batches of the types from order[i] on */
	uint64_t divisor[PL_MARKET_TYPES_MAX + 1];
	struct pl_relax_part part[PL_MARKET_TYPES_MAX * PL_MARKET_KINDS];
	size_t n_parts;                                      /* dollars an hour, by per_sample */
	struct pl_relax_part rank_part[PL_MARKET_TYPES_MAX]; /* [n] ranks, likewise */
};

/* @whole: the type of the slowest pair is among the others, with the batch of its pair only, as
 * needed for a bound on all such choices. */
void pl_relax_init(struct pl_relax *r, const struct pl_market *m, const size_t *available,
		   const struct pl_type_batches *pairs, size_t slowest, bool whole);

/*
 * Lower bound on the dollars an hour of @samples on machines from order[from] on: the linear
 * programme in which machines can be divided, each with the largest batch it may have. INFINITY if
 * the machines cannot hold the samples, or their batches cannot add up to them.
 */
double pl_relax_per_hour(const struct pl_relax *r, size_t from, uint64_t samples);

/* The same for the number of accelerators. */
size_t pl_relax_ranks(const struct pl_relax *r, size_t from, uint64_t samples);

#endif
