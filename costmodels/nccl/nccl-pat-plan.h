/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-pat-plan.h - the messages of PAT, the same for every rank */
#ifndef PLINK_COSTMODELS_NCCL_PAT_PLAN_H
#define PLINK_COSTMODELS_NCCL_PAT_PLAN_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The parts of a call that determine the order of the messages. */
struct pl_pat_call {
	bool reduce_scatter;
	size_t n;
	uint64_t block_bytes, chunk_bytes; /* neither 0 */
};

/* A message to the rank at distance 2^dim. */
struct pl_pat_message {
	uint32_t dim;
	uint32_t room; /* its length, in blocks */
	/* its blocks: block[first .. first + n_blocks - 1] of the plan */
	uint32_t first, n_blocks;
};

/*
 * The messages that every rank sends for one chunk, in this order. All-gather:
 * block s of the receiver is the block of the rank s further on.
 * Reduce-scatter: block s of the sender is the part for the rank s further on.
 * In both, block s travels the distance 2^dim, where 2^dim is the lowest bit of
 * s.
 */
struct pl_pat_plan {
	struct pl_pat_message *message;
	size_t n_messages;
	uint32_t *block;      /* [n - 1] */
	uint32_t *message_of; /* [n], by block: the index of its message */
	size_t n_blocks;
};

/* 0, or -1 with @err set and nothing to release: out of memory. */
int pl_pat_plan_init(struct pl_pat_plan *plan, const struct pl_pat_call *call, struct pl_err *err);
void pl_pat_plan_fini(struct pl_pat_plan *plan);

#endif
