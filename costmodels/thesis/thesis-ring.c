/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-ring.c - ring all-reduce: N - 1 steps of reducing, N - 1 of
 * gathering */
/*
 *   0 --> 1 --> 2 --> 3 --> 0      in every step each rank passes one of N
 *                                  blocks on to the next
 *
 * Cost (thesis, section 5.2.1): the sum of the hops once round.
 */
#include "config.h"

#include "costmodels/blocks.h"
#include "costmodels/thesis/algorithms.h"

static void run_rank(struct pl_script *s, const struct pl_blocks *blocks, size_t rank)
{
	const size_t n = blocks->n, next = (rank + 1) % n;
	const size_t prev = (rank + n - 1) % n;

	pl_script_rank(s, rank);
	for (size_t step = 0; step < 2 * (n - 1); step++) {
		/* the block that comes in is the one sent on in the next
		 * step */
		const size_t out = (rank + 2 * n - step) % n;
		const size_t in = (out + n - 1) % n;
		const bool reduces = step < n - 1;

		pl_script_round(s, (uint32_t)step);
		pl_script_data(s, pl_block_at(blocks, in), reduces ? PL_ADDS : PL_STORES);
		pl_script_send_at(s, pl_block_at(blocks, out));
		pl_script_sendrecv(s,
				   (struct pl_exchange){.dst = next,
							.src = prev,
							.send_bytes = pl_block_bytes(blocks, out),
							.recv_bytes = pl_block_bytes(blocks, in)});
		if (reduces)
			pl_script_reduce(s, pl_block_bytes(blocks, in));
	}
}

int pl_thesis_ring(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const struct pl_blocks blocks = {call->bytes, call->element_bytes, call->n_pos};

	(void)err;
	for (size_t rank = 0; call->n_pos > 1 && rank < call->n_pos && !pl_script_is_over(s);
	     rank++)
		run_rank(s, &blocks, rank);
	return 0;
}

int pl_thesis_ring_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	*shape = (struct pl_shape){.kind = PL_SUM, .n_pos = n};
	return pl_shape_add_ring(
		shape, n, 1, (struct pl_hop){.times = 1, .bytes = (double)call->bytes / (double)n},
		err);
}
