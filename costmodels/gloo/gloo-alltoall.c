/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-alltoall.c - gloo::alltoall(): every rank to all others at once */
/*
 *   i --> i + 1, i + 2, ...      each with the receive from as far behind
 *
 * Everything is posted, then waited for; the own block is copied before.
 * gloo::alltoallv() does the same with blocks of any sizes. Blocks of no bytes
 * are sent, too. All orders of the ranks have the same hops.
 *
 * Objective: the dearest hop, there and back, because the data wait for the
 * word of the receiver; with the N - 1 blocks that a rank sends.
 */
#include "config.h"

#include "costmodels/gloo/algorithms.h"

int pl_gloo_alltoall(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	(void)err;
	for (size_t rank = 0; n > 1 && rank < n && !pl_script_is_over(s); rank++) {
		pl_script_rank(s, rank);
		pl_script_copy(s, call->bytes);
		for (size_t i = 1; i < n; i++) {
			pl_script_isend(s, (rank + i) % n, call->bytes);
			pl_script_irecv(s, (rank + n - i) % n, call->bytes);
		}
		pl_script_wait_all(s);
	}
	return 0;
}

int pl_gloo_alltoall_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	const double blocks = (double)(call->n_pos - 1);

	*shape = (struct pl_shape){.kind = PL_SUM_OF_MAXIMA, .n_pos = call->n_pos};
	if (pl_shape_check_pairs(call->n_pos, err))
		return -1;
	return pl_shape_add_pairs(
		shape, call->n_pos, 1,
		(struct pl_hop){.times = 2, .bytes = blocks * (double)call->bytes / 2}, err);
}
