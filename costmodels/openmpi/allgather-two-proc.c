/* SPDX-License-Identifier: BSD-3-Clause */
/* allgather-two-proc.c - all-gather of two ranks, and all-to-all */
/*
 *   0 <-> 1
 *
 * One exchange of a block; the own one is copied after it. The all-to-all of
 * two ranks sends the same. Open MPI gives an error for any other number of
 * ranks.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_allgather_two_proc(struct pl_script *s, const struct pl_call *call,
				  struct pl_err *err)
{
	if (call->n_pos > 2)
		return pl_err_set(err, PL_EUSAGE, "two-proc is for two ranks, not %zu",
				  call->n_pos);
	if (pl_openmpi_check_count(call, err))
		return -1;
	for (size_t rank = 0; call->n_pos == 2 && call->bytes > 0 && rank < 2; rank++) {
		pl_script_rank(s, rank);
		pl_script_sendrecv(s, (struct pl_exchange){
					      .dst = 1 - rank,
					      .src = 1 - rank,
					      .send_bytes = call->bytes,
					      .recv_bytes = call->bytes,
				      });
		pl_script_copy(s, call->bytes);
	}
	return 0;
}
