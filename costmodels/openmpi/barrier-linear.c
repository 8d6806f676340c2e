/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier-linear.c - barrier: all report to rank 0, which releases them */
/*
 *   1 --.           .--> 1
 *   2 ---+--> 0 ---+---> 2     reports in any order, releases in rank order
 *   3 --'           '--> 3
 *
 * Cost: two messages one after the other, N - 1 of each through rank 0.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_barrier_linear(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	(void)err;
	if (call->n_pos == 1)
		return 0;
	pl_script_rank(s, 0);
	for (size_t rank = 1; rank < call->n_pos; rank++)
		pl_script_irecv(s, rank, 0);
	pl_script_wait_all(s);
	pl_script_round(s, 1);
	for (size_t rank = 1; rank < call->n_pos; rank++)
		pl_script_send(s, rank, 0);
	for (size_t rank = 1; rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		pl_script_send(s, 0, 0);
		pl_script_recv(s, 0, 0);
	}
	return 0;
}
