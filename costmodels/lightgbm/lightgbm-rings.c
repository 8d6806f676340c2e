/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm-rings.c - LightGBM's ring reduce-scatter and ring all-gather */
/*
 *   0 --> 1 --> 2 --> 3 --> 0      N - 1 steps each; a rank begins to reduce
 *                                  with the block of the rank before it, and to
 *                                  gather with its own
 *
 * Cost: the sum of the hops once round, for each of the two. What textbooks do
 * not have: blocks are rounded up, the last ones may be short or empty, and
 * nothing is sent for an empty one.
 */
#include "config.h"

#include "costmodels/lightgbm/algorithms.h"

/* In each step the block that came in goes on; the first is @block. */
static void go_round(struct pl_script *s, size_t rank, size_t block,
		     const struct pl_lightgbm_blocks *b, bool reduces)
{
	const size_t n = b->n;

	for (size_t i = 0; i + 1 < n; i++) {
		const size_t out = (block + n - i) % n;
		uint64_t in_bytes;

		pl_script_round(s, b->first_round + (uint32_t)i);
		in_bytes = pl_lightgbm_exchange(
			s, b,
			&(struct pl_lightgbm_swap){.dst = (rank + 1) % n,
						   .send_first = out,
						   .n_send = 1,
						   .src = (rank + n - 1) % n,
						   .recv_first = out + n - 1,
						   .n_recv = 1,
						   .taking = reduces ? PL_ADDS : PL_STORES});
		if (reduces)
			pl_script_reduce(s, in_bytes);
	}
}

void pl_lightgbm_run_scatter_ring(struct pl_script *s, size_t rank,
				  const struct pl_lightgbm_blocks *b)
{
	go_round(s, rank, (rank + b->n - 1) % b->n, b, true);
	pl_script_copy(s, pl_lightgbm_range(b, rank, 1));
}

void pl_lightgbm_run_ring(struct pl_script *s, size_t rank, const struct pl_lightgbm_blocks *b)
{
	pl_script_copy(s, pl_lightgbm_range(b, rank, 1));
	go_round(s, rank, rank, b, false);
}
