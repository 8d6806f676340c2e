/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-binary-blocks.h - recursive halving over ranks cut into powers of two */
/*
 * N ranks are cut into blocks of ranks, one for each bit that is set in N, the
 * largest first: 0 .. 3, 4 .. 5, 6 for N = 7. Within a block a rank exchanges
 * in step i with rank ^ 2^i; step 0 moves half of the buffer, each later step
 * half as much, so that the nearest ranks exchange most. The largest block
 * halves the whole buffer. The buffer is cut for this block into 2^floor(log2
 * N) chunks of ceil(count / 2^floor(log2 N)) elements; the last chunks may be
 * short or empty. After its steps a smaller block sends its result to the next
 * larger block, in pieces of the size of that block's parts.
 */
#ifndef PLINK_COSTMODELS_GLOO_BINARY_BLOCKS_H
#define PLINK_COSTMODELS_GLOO_BINARY_BLOCKS_H

#include "costmodels/gloo/algorithms.h"

#define PL_GLOO_STEPS_MAX 32

struct pl_gloo_binary_block {
	size_t rank, n_pos;
	uint64_t elements, element_bytes;
	unsigned all_steps; /* floor(log2 N) */
	uint64_t chunk;     /* elements */
	size_t first, size; /* this rank's block */
	/* sizes of the two neighbouring blocks; 0: none */
	size_t smaller, larger;
	unsigned n_steps;
	size_t peer[PL_GLOO_STEPS_MAX];
	/* of no elements: nothing is sent */
	struct pl_gloo_part sent[PL_GLOO_STEPS_MAX], kept[PL_GLOO_STEPS_MAX];
	/* the part of the buffer that the rank has after its steps */
	struct pl_gloo_part own;
};

void pl_gloo_binary_block_init(struct pl_gloo_binary_block *b, size_t rank,
			       const struct pl_call *call);

/* The lowest @n_bits bits of @x in reverse order. */
size_t pl_gloo_reverse_bits(size_t x, unsigned n_bits);

/* Post the receive or the send of a part. */
struct pl_request pl_gloo_expect_part(struct pl_script *s, const struct pl_gloo_binary_block *b,
				      size_t src, struct pl_gloo_part part, enum pl_taking taking);
struct pl_request pl_gloo_send_part(struct pl_script *s, const struct pl_gloo_binary_block *b,
				    size_t dst, struct pl_gloo_part part);

/* The rank of the smaller block that sends to this rank; b->smaller is not
 * 0. */
size_t pl_gloo_smaller_peer(const struct pl_gloo_binary_block *b);
/* Piece @i of the data that this rank sends to the larger block, empty if the
 * data end before it, and the rank that it goes to. b->larger is not 0. */
struct pl_gloo_part pl_gloo_piece(const struct pl_gloo_binary_block *b, size_t i);
size_t pl_gloo_larger_peer(const struct pl_gloo_binary_block *b, size_t i);

/*
 * The reduce-scatter within a block, and the receive from the smaller block;
 * both classes (all-reduce and reduce-scatter) begin with it. @again: the
 * buffers are used again for other data. Their receives are then posted
 * together with the notification that the buffer is free, and in[] holds these
 * requests.
 */
struct pl_gloo_halving {
	bool again;
	struct pl_request in[PL_GLOO_STEPS_MAX];
};
void pl_gloo_halve(struct pl_script *s, const struct pl_gloo_binary_block *b,
		   struct pl_gloo_halving *h);
/* Sends this rank's pieces to the larger block, in round log2(its size). */
void pl_gloo_send_pieces(struct pl_script *s, const struct pl_gloo_binary_block *b);

#endif
