/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce-recursive-doubling.c - all-reduce: whole buffers, partner by
 * partner */
/*
 *   0   1   2   3   4     4 ranks of 5 exchange; 0 gives 1 its data first
 *   '-->1   2   3   4     and gets the result from it in the end
 *       1<->2   3<->4     round 1: distance 1 among the folded ranks
 *       1<----->3         round 2: distance 2
 *           2<----->4
 *   0<--1
 *
 * Cost: log2 N exchanges of the whole buffer, rounded down, and two messages
 * of it more where N is no power of two. The same as Open MPI's.
 */
#include "config.h"

#include "costmodels/mpich/algorithms.h"

void pl_mpich_allreduce_recursive_doubling_part(const struct pl_mpich_rank *r)
{
	const struct pl_fold fold = pl_fold(r->n, 1);
	const size_t folded = pl_fold_folded(&fold, r->rank);
	const bool paired = r->rank < 2 * fold.extra;
	uint32_t round = fold.extra > 0;

	pl_script_data(r->s, 0, PL_ADDS);
	if (!r->in_place)
		pl_script_copy(r->s, r->bytes);
	if (paired && folded == SIZE_MAX) {
		pl_mpich_send(r, r->rank + 1, r->bytes);
	} else if (paired) {
		pl_mpich_recv(r, r->rank - 1, r->bytes);
		pl_script_reduce(r->s, r->bytes);
	}
	for (size_t mask = 1; mask < fold.n; mask *= 2, round++) {
		size_t peer;

		if (folded == SIZE_MAX)
			continue;
		peer = pl_fold_unfold(&fold, folded ^ mask);
		pl_script_round(r->s, round);
		pl_mpich_sendrecv(r, (struct pl_exchange){peer, peer, r->bytes, r->bytes});
		pl_script_reduce(r->s, r->bytes);
	}
	pl_script_round(r->s, round);
	pl_script_data(r->s, 0, PL_STORES);
	if (paired && folded == SIZE_MAX)
		pl_mpich_recv(r, r->rank + 1, r->bytes);
	else if (paired)
		pl_mpich_send(r, r->rank - 1, r->bytes);
}

int pl_mpich_allreduce_recursive_doubling(struct pl_script *s, const struct pl_call *call,
					  struct pl_err *err)
{
	return pl_mpich_allreduce(s, call, pl_mpich_allreduce_recursive_doubling_part, err);
}
