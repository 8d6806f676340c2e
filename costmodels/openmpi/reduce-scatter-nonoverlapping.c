/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-nonoverlapping.c - reduce-scatter: a reduce, then the blocks
 * from rank 0 */
/*
 *   0 1 2 3 --reduce--> 0 --> 1
 *                       0 --> 2      one after the other
 *                       0 --> 3
 *
 * The reduce is what the fixed rules decide for the whole input; the scatter
 * (coll/basic, whose MPI_Scatterv coll/tuned does not replace) leaves out
 * blocks of no elements. Cost: the reduce and N - 1 blocks through rank 0.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

static int scatter(struct pl_script *s, const struct pl_blocks *blocks, struct pl_err *err)
{
	struct pl_script next;

	if (pl_script_init(&next, blocks->n, err))
		return -1;
	pl_script_rank(&next, 0);
	pl_script_copy(&next, pl_block_bytes(blocks, 0));
	for (size_t rank = 1; rank < blocks->n; rank++)
		if (pl_block_bytes(blocks, rank) > 0)
			pl_script_send(&next, rank, pl_block_bytes(blocks, rank));
	for (size_t rank = 1; rank < blocks->n; rank++)
		if (pl_block_bytes(blocks, rank) > 0) {
			pl_script_rank(&next, rank);
			pl_script_recv(&next, 0, pl_block_bytes(blocks, rank));
		}
	pl_script_append(s, &next);
	pl_script_fini(&next);
	return 0;
}

int pl_openmpi_reduce_scatter_nonoverlapping(struct pl_script *s, const struct pl_call *call,
					     struct pl_err *err)
{
	const struct pl_blocks blocks = {call->bytes, call->element_bytes, call->n_pos};

	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	if (pl_openmpi_then(s, PL_REDUCE, "default", call, err))
		return -1;
	return scatter(s, &blocks, err);
}
