/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-ring.c - reduce-scatter: every block once round, to its
 * rank */
/*
 *   0 --> 1 --> 2 --> 3 --> 0      in step k rank r sends block r - 1 - k
 *
 * Cost: N - 1 steps of a block; the objective is the sum of the hops. The
 * receive of a step is posted before what the step before has brought is waited
 * for. Blocks of no elements go round too, as empty messages.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

static void run_rank(struct pl_script *s, const struct pl_blocks *blocks, size_t rank)
{
	const size_t n = blocks->n;
	const size_t next = (rank + 1) % n, prev = (rank + n - 1) % n;
	struct pl_request in;

	pl_script_rank(s, rank);
	pl_script_copy(s, blocks->bytes);
	in = pl_script_irecv(s, prev, pl_block_bytes(blocks, (prev + n - 1) % n));
	pl_script_send(s, next, pl_block_bytes(blocks, prev));
	for (size_t k = 1; k < n - 1; k++) {
		const size_t out = (prev + n - k) % n, after = (out + n - 1) % n;
		const uint64_t bytes = pl_block_bytes(blocks, out);
		const struct pl_request ahead =
			pl_script_irecv(s, prev, pl_block_bytes(blocks, after));

		pl_script_wait(s, in);
		pl_script_reduce(s, bytes);
		pl_script_round(s, (uint32_t)k);
		pl_script_send(s, next, bytes);
		in = ahead;
	}
	pl_script_wait(s, in);
	pl_script_reduce(s, pl_block_bytes(blocks, rank));
	pl_script_copy(s, pl_block_bytes(blocks, rank));
}

int pl_openmpi_reduce_scatter_ring(struct pl_script *s, const struct pl_call *call,
				   struct pl_err *err)
{
	const struct pl_blocks blocks = {call->bytes, call->element_bytes, call->n_pos};

	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	for (size_t rank = 0; rank < call->n_pos && !pl_script_is_over(s); rank++)
		run_rank(s, &blocks, rank);
	return 0;
}

int pl_openmpi_reduce_scatter_ring_shape(struct pl_shape *shape, const struct pl_call *call,
					 struct pl_err *err)
{
	if (pl_openmpi_check_count(call, err))
		return -1;
	return pl_openmpi_ring_shape(shape, call->n_pos, 1,
				     (double)call->bytes / (double)call->n_pos, err);
}
