/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-binary-blocks.h - recursive halving over ranks cut into powers of two */
/*
 * N ranks are cut into blocks of ranks, one for each bit of N, the largest
 * first: 0 .. 3, 4 .. 5, 6 for N = 7. Within a block, step i exchanges with
 * rank ^ 2^i, the larger half of what is left first (so the smallest distance
 * moves most). The largest block halves it all; the buffer is cut for it into
 * 2^floor(log2 N) chunks of ceil(count / that) elements, and the last may be
 * short or empty. A smaller block then sends what it has, in pieces of a chunk
 * of the next larger one, to that one.
 */
#ifndef PLINK_COSTMODELS_GLOO_BINARY_BLOCKS_H
#define PLINK_COSTMODELS_GLOO_BINARY_BLOCKS_H

#include "costmodels/gloo/algorithms.h"

#define PL_GLOO_STEPS_MAX 32

/* Elements of a buffer from an offset on. */
struct pl_gloo_part {
	uint64_t at, count; /* 0: nothing is sent */
};

struct pl_gloo_binary_block {
	size_t rank, n_pos;
	uint64_t elements, element_bytes;
	unsigned all_steps;     /* floor(log2 N) */
	uint64_t chunk;         /* elements */
	size_t first, size;     /* this rank's block */
	size_t smaller, larger; /* sizes of the blocks next to it, 0: none */
	unsigned n_steps;
	size_t peer[PL_GLOO_STEPS_MAX];
	struct pl_gloo_part sent[PL_GLOO_STEPS_MAX], kept[PL_GLOO_STEPS_MAX];
	struct pl_gloo_part own; /* what is left of it */
};

void pl_gloo_binary_block_init(struct pl_gloo_binary_block *b, size_t rank,
			       const struct pl_call *call);

/* The last @n_bits bits of x, in reverse. */
size_t pl_gloo_reverse_bits(size_t x, unsigned n_bits);

/* The rank of the smaller block that this one hears from. */
size_t pl_gloo_smaller_peer(const struct pl_gloo_binary_block *b);
/* Piece @i of what this rank sends to the larger block: elements, 0 where none
 * is left; and to whom. */
uint64_t pl_gloo_piece(const struct pl_gloo_binary_block *b, size_t i);
size_t pl_gloo_larger_peer(const struct pl_gloo_binary_block *b, size_t i);

/*
 * The reduce-scatter of both classes up to the largest block. @again: the
 * buffers take other data later, and are posted for that with the notification
 * that they are free; in[] are then those receives.
 */
struct pl_gloo_halving {
	bool again;
	struct pl_request in[PL_GLOO_STEPS_MAX];
};
void pl_gloo_halve(struct pl_script *s, const struct pl_gloo_binary_block *b,
		   struct pl_gloo_halving *h);
/* In round log2(larger block): sends to it. */
void pl_gloo_send_pieces(struct pl_script *s,
			 const struct pl_gloo_binary_block *b);

#endif
