/* SPDX-License-Identifier: BSD-3-Clause */
/* slice.h - the way of one slice of the buffer through an all-reduce */
/*
 * An all-reduce is played in rounds. In a round, a transfer takes what its source had before the
 * round; its destination adds that to what it has, or replaces it. A byte takes no notice of its
 * neighbours: any algorithm that reduces on the way, whatever its segments, is a number of slices
 * of the buffer, of which each has transfers of its own.
 *
 *   a ring of 3 ranks, slice 0:   round 0   1 -> 2 add
 *                                round 1   2 -> 0 add     0 has the sum
 *                                round 2   0 -> 1 store
 *                                round 3   1 -> 2 store
 */
#ifndef PLINK_ENGINE_SLICE_H
#define PLINK_ENGINE_SLICE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_slice_transfer {
	uint32_t round, src, dst; /* ranks */
	bool adds;                /* otherwise it replaces */
};

/* Start with {0}, end with fini. */
struct pl_slice {
	/* how much of the buffer it is, in relation to the other slices */
	uint64_t weight;
	/* by round; of a round, those to one rank in the order in which it
	 * adds them up */
	struct pl_slice_transfer *transfer;
	size_t n_transfers, room;
};

void pl_slice_fini(struct pl_slice *p);

/* 0, or -1: out of memory. */
int pl_slice_append(struct pl_slice *p, struct pl_slice_transfer t);

/* Not a rank. */
#define PL_SLICE_ALL UINT32_MAX

/*
 * Runs the slice symbolically. 0 if all @n_ranks end with the contribution of
 * each rank exactly once; or, for @owner other than PL_SLICE_ALL, with that of
 * the owner alone, who is the only one that has it at first. Aggregators are
 * numbered on from the ranks, contribute nothing, and may end with anything.
 * -1 with @err set: PL_EINPUT for a slice that does not, for transfers that are
 * not in the order of their rounds, for a rank that stores and takes something
 * else in one round, and for an aggregator that sends before it has anything;
 * PL_ESYSTEM for memory. Takes a byte for each rank, of each rank or aggregator
 * and of each transfer of a round.
 */
int pl_slice_check(const struct pl_slice *p, size_t n_ranks, size_t n_aggregators, uint32_t owner,
		   struct pl_err *err);

#endif
