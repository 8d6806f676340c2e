/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast-linear.c - broadcast from the root to every rank */
/*
 *   root --> 0
 *        --> 1      all posted at once, in the order of the ranks
 *        --> 2
 *
 * Cost: N - 1 messages of the whole buffer, the dearest of which ends last.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_broadcast_linear(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	if (pl_openmpi_check_count(call, err))
		return -1;
	for (size_t rank = 0; call->bytes > 0 && rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		pl_script_data(s, 0, PL_STORES);
		if (rank != call->root) {
			pl_script_recv(s, call->root, call->bytes);
			continue;
		}
		for (size_t dst = 0; dst < call->n_pos; dst++)
			if (dst != rank)
				pl_script_isend(s, dst, call->bytes);
		pl_script_wait_all(s);
	}
	return 0;
}
