/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier-recursive-doubling.c - barrier: empty messages, partner by partner */
/*
 *   0<->1   2<->3   4      distance 1 among the first 4 ranks of 5
 *   0<----->2              distance 2
 *       1<----->3
 *
 * Cost: log2 N exchanges, rounded down, and two messages more where N is no
 * power of two: rank r beyond it reports to rank r - 2^k, which releases it in
 * the end by a synchronous send. Unlike in all-reduce the last ranks stay out,
 * not every second one.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

static void run_rank(struct pl_script *s, const struct pl_fold *fold, size_t rank)
{
	uint32_t round = fold->extra > 0;

	pl_script_rank(s, rank);
	if (rank >= fold->n) {
		pl_script_sendrecv(s, (struct pl_exchange){rank - fold->n, rank - fold->n, 0, 0});
		return;
	}
	if (rank < fold->extra)
		pl_script_recv(s, rank + fold->n, 0);
	for (size_t mask = 1; mask < fold->n; mask *= 2) {
		pl_script_round(s, round++);
		pl_script_sendrecv(s, (struct pl_exchange){rank ^ mask, rank ^ mask, 0, 0});
	}
	pl_script_round(s, round);
	if (rank < fold->extra)
		pl_script_wait(s, pl_script_issend(s, rank + fold->n, 0));
}

int pl_openmpi_barrier_recursive_doubling(struct pl_script *s, const struct pl_call *call,
					  struct pl_err *err)
{
	const struct pl_fold fold = pl_fold(call->n_pos, 0);

	(void)err;
	for (size_t rank = 0; call->n_pos > 1 && rank < call->n_pos; rank++)
		run_rank(s, &fold, rank);
	return 0;
}
