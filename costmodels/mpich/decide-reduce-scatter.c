/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-reduce-scatter.c - reduce-scatter: what MPICH takes */
/* By the bytes of all blocks, of operations that commute; always among all
 * ranks. */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/mpich/algorithms.h"

#define LONG_BYTES 524288

int pl_mpich_reduce_scatter(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
			    struct pl_err *err)
{
	if (pl_mpich_check_count(call, err))
		return -1;
	return call->bytes ? pl_mpich_flat(s, call, part, err) : 0;
}

int pl_mpich_reduce_scatter_block(struct pl_script *s, const struct pl_call *call,
				  pl_mpich_part *part, struct pl_err *err)
{
	if (pl_mpich_check_blocks(call, err))
		return -1;
	return pl_mpich_reduce_scatter(s, call, part, err);
}

const struct pl_algorithm *pl_mpich_decide_reduce_scatter(const struct pl_call *call,
							  struct pl_call *decided)
{
	(void)decided;
	return pl_catalogue_named(PL_REDUCE_SCATTER, PL_MPICH,
				  call->bytes < LONG_BYTES ? "recursive-halving" : "pairwise");
}

const struct pl_algorithm *pl_mpich_decide_reduce_scatter_block(const struct pl_call *call,
								struct pl_call *decided)
{
	(void)decided;
	return pl_catalogue_named(PL_REDUCE_SCATTER, PL_MPICH,
				  call->bytes < LONG_BYTES ? "block-recursive-halving"
							   : "block-pairwise");
}
