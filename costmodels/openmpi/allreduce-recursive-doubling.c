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
 * of it more where N is no power of two. Of the first ranks the odd ones stay,
 * where textbooks drop the last ones.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

static void run_rank(struct pl_script *s, const struct pl_fold *fold, size_t rank, uint64_t bytes)
{
	const size_t folded = pl_fold_folded(fold, rank);
	const bool paired = rank < 2 * fold->extra;
	uint32_t round = fold->extra > 0;

	pl_script_rank(s, rank);
	pl_script_data(s, 0, PL_ADDS);
	pl_script_copy(s, bytes);
	if (paired && folded == SIZE_MAX) {
		pl_script_send(s, rank + 1, bytes);
	} else if (paired) {
		pl_script_recv(s, rank - 1, bytes);
		pl_script_reduce(s, bytes);
	}
	for (size_t distance = 1; distance < fold->n; distance *= 2, round++) {
		size_t peer;

		if (folded == SIZE_MAX)
			continue;
		peer = pl_fold_unfold(fold, folded ^ distance);
		pl_script_round(s, round);
		pl_script_sendrecv(s, (struct pl_exchange){peer, peer, bytes, bytes});
		pl_script_reduce(s, bytes);
	}
	pl_script_round(s, round);
	pl_script_data(s, 0, PL_STORES);
	if (paired && folded == SIZE_MAX)
		pl_script_recv(s, rank + 1, bytes);
	else if (paired)
		pl_script_send(s, rank - 1, bytes);
}

int pl_openmpi_allreduce_recursive_doubling(struct pl_script *s, const struct pl_call *call,
					    struct pl_err *err)
{
	const struct pl_fold fold = pl_fold(call->n_pos, 1);

	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	for (size_t rank = 0; rank < call->n_pos; rank++)
		run_rank(s, &fold, rank, call->bytes);
	return 0;
}
