/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-linear.c - reduce: every rank to the root */
/*
 *   2 --> root      the last rank first, each received and added before the
 *   1 --> root      root looks at the next
 *   0 --> root
 *
 * Cost: N - 1 messages of the whole buffer; all are on their way at once, so
 * the dearest of them, one round.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

static void run_root(struct pl_script *s, const struct pl_call *call)
{
	if (call->root == call->n_pos - 1)
		pl_script_copy(s, call->bytes);
	else
		pl_script_recv(s, call->n_pos - 1, call->bytes);
	for (size_t src = call->n_pos - 1; src-- > 0;) {
		if (src != call->root)
			pl_script_recv(s, src, call->bytes);
		pl_script_reduce(s, call->bytes);
	}
}

int pl_openmpi_reduce_linear(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->n_pos < 2 || call->bytes == 0)
		return 0;
	for (size_t rank = 0; rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		pl_script_data(s, 0, PL_ADDS);
		if (rank == call->root)
			run_root(s, call);
		else
			pl_script_send(s, call->root, call->bytes);
	}
	return 0;
}
