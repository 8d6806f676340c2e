/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-pairwise.c - reduce-scatter: to each rank its block */
/*
 *   0 --> 1 --> 2 --> 3 --> 0     round 0: the next rank's block to it
 *   0 --> 2 --> 0, 1 --> 3 --> 1  round 1: the one after that
 *   0 --> 3 --> 2 --> 1 --> 0     round 2
 *
 * Cost: N - 1 rounds of one block each. Empty blocks are sent, too, unless all
 * are.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

static void part(const struct pl_mpich_rank *r)
{
	const size_t n = r->n;
	const struct pl_blocks b = {r->bytes, r->element_bytes, n};
	const uint64_t mine = pl_block_bytes(&b, r->rank);

	pl_script_copy(r->s, mine);
	for (size_t i = 1; i < n; i++) {
		const size_t dst = (r->rank + i) % n;

		pl_script_round(r->s, (uint32_t)i - 1);
		pl_mpich_sendrecv(r, (struct pl_exchange){.dst = dst,
							  .src = (r->rank + n - i) % n,
							  .send_bytes = pl_block_bytes(&b, dst),
							  .recv_bytes = mine});
		pl_script_reduce(r->s, mine);
	}
}

int pl_mpich_reduce_scatter_pairwise(struct pl_script *s, const struct pl_call *call,
				     struct pl_err *err)
{
	return pl_mpich_reduce_scatter(s, call, part, err);
}

int pl_mpich_reduce_scatter_block_pairwise(struct pl_script *s, const struct pl_call *call,
					   struct pl_err *err)
{
	return pl_mpich_reduce_scatter_block(s, call, part, err);
}
