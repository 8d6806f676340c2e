/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier-two-proc.c - barrier: two ranks, one exchange */
/*
 *   0 <-> 1
 *
 * Cost: one exchange of empty messages. With any other number of ranks the
 * library's call fails; one rank sends nothing.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_barrier_two_proc(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	if (call->n_pos > 2)
		return pl_err_set(err, PL_EUSAGE,
				  "Open MPI's \"two-proc\" takes two ranks, "
				  "not %zu",
				  call->n_pos);
	for (size_t rank = 0; call->n_pos == 2 && rank < 2; rank++) {
		pl_script_rank(s, rank);
		pl_script_sendrecv(s, (struct pl_exchange){1 - rank, 1 - rank, 0, 0});
	}
	return 0;
}
