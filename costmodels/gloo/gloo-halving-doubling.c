/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-halving-doubling.c - Gloo's AllreduceHalvingDoubling, in binary
 * blocks */
/*
 *   step 0   0=1 2=3 | 4=5 | 6     half of the buffer (gloo-binary-blocks.h)
 *   step 1   0=2 1=3               a quarter
 *            4 <- 6 -> 5           the smallest block to the next larger one,
 *            0,2 <- 4  5 -> 1,3    and that, with its sum, to the next
 *   ... and all of it back in reverse
 *
 * Cost of N = 2^k: sum over k steps, both ways, of its dearest exchange.
 * What textbooks do not have: the nearest rank gets the most, the farthest the
 * least (in numbers of ranks); ranks beyond a power of two do not fold in pairs
 * but form blocks that hand their sums upwards one after the other; chunks are
 * rounded up, so that with few elements ranks at the end have nothing to do;
 * and after every step, of both halves, a rank tells its peer that the buffer
 * it took from is free.
 */
#include "config.h"

#include "base/mem.h"
#include "costmodels/gloo/gloo-binary-blocks.h"

#include <stdlib.h>

/* What the larger block gives back, in buffers registered from the start. */
static size_t expect_pieces(struct pl_script *s, const struct pl_gloo_binary_block *b,
			    struct pl_request *piece)
{
	size_t n = 0;

	while (b->larger && n < b->larger / b->size && pl_gloo_piece(b, n).count) {
		piece[n] = pl_gloo_expect_part(s, b, pl_gloo_larger_peer(b, n), pl_gloo_piece(b, n),
					       PL_STORES);
		n++;
	}
	return n;
}

/* Sends what this block has to the larger one and takes the result. */
static void over_the_larger(struct pl_script *s, const struct pl_gloo_binary_block *b,
			    const struct pl_request *piece, size_t n_pieces)
{
	pl_gloo_send_pieces(s, b);
	for (size_t i = 0; i < n_pieces; i++)
		pl_script_wait(s, piece[i]);
	pl_script_copy(s, b->own.count * b->element_bytes);
}

/* The all-gather, steps in reverse. */
static void double_up(struct pl_script *s, const struct pl_gloo_binary_block *b,
		      uint32_t last_round, const struct pl_gloo_halving *h)
{
	for (unsigned i = b->n_steps; i-- > 0;) {
		pl_script_round(s, last_round - i);
		pl_gloo_await(s, b->peer[i]);
		if (b->kept[i].count)
			pl_gloo_send_part(s, b, b->peer[i], b->kept[i]);
		if (b->sent[i].count) {
			pl_script_wait(s, h->in[i]);
			pl_script_copy(s, b->sent[i].count * b->element_bytes);
		}
		pl_gloo_notify(s, b->peer[i]);
	}
}

/* piece[n_pos] is room to work in. */
static void run_rank(struct pl_script *s, const struct pl_gloo_binary_block *b,
		     struct pl_request *piece)
{
	const bool blocks = b->n_pos & (b->n_pos - 1);
	const uint32_t last_round = 2 * (b->all_steps + blocks) - 1;
	struct pl_gloo_halving h = {.again = true};
	struct pl_request down = {0};
	size_t n_pieces;

	pl_script_rank(s, b->rank);
	n_pieces = expect_pieces(s, b, piece);
	pl_gloo_halve(s, b, &h);
	if (n_pieces)
		over_the_larger(s, b, piece, n_pieces);
	if (b->smaller && b->own.count) {
		pl_script_round(s, last_round - b->n_steps);
		down = pl_gloo_send_part(s, b, pl_gloo_smaller_peer(b), b->own);
	}
	double_up(s, b, last_round, &h);
	for (unsigned i = b->n_steps; i-- > 0;)
		pl_gloo_await(s, b->peer[i]);
	if (b->smaller && b->own.count)
		pl_script_wait(s, down);
}

int pl_gloo_halving_doubling(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	struct pl_gloo_binary_block b;
	struct pl_request *piece;

	if (pl_gloo_check_int(call->bytes, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	piece = pl_array_create(call->n_pos, sizeof(*piece));
	if (!piece)
		return pl_err_nomem(err);
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		pl_gloo_binary_block_init(&b, rank, call);
		run_rank(s, &b, piece);
	}
	free(piece);
	return 0;
}
