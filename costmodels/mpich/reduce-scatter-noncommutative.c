/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-noncommutative.c - equal blocks: halves at distances 1, 2,
 * ... */
/*
 *   0 <-> 1   2 <-> 3     half of the buffer
 *   0 <-----> 2           a quarter
 *       1 <-----> 3
 *
 * Blocks are put in such an order before that every rank is left with its own.
 * Cost: log2 N rounds, (N - 1) / N of the buffer. Of other numbers of ranks
 * than powers of two the library takes what it takes by itself.
 * MPI_Reduce_scatter has it, too, but aborts where blocks differ: no setting
 * for a whole job.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

static void part(const struct pl_mpich_rank *r)
{
	uint64_t bytes = r->bytes;
	uint32_t round = 0;

	pl_script_copy(r->s, r->bytes);
	for (size_t mask = 1; mask < r->n; mask *= 2) {
		const size_t peer = r->rank ^ mask;

		bytes /= 2;
		pl_script_round(r->s, round++);
		pl_mpich_sendrecv(r, (struct pl_exchange){peer, peer, bytes, bytes});
		pl_script_reduce(r->s, bytes);
	}
	pl_script_copy(r->s, bytes);
}

int pl_mpich_reduce_scatter_block_noncommutative(struct pl_script *s, const struct pl_call *call,
						 struct pl_err *err)
{
	struct pl_call decided;

	if (pl_mpich_power_of_two(call->n_pos))
		return pl_mpich_reduce_scatter_block(s, call, part, err);
	return pl_mpich_decide_reduce_scatter_block(call, &decided)->generate(s, call, err);
}
