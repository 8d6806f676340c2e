/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce-linear.c - all-reduce: everything to rank 0, the result to all */
/*
 *   1 --.           .--> 1
 *   2 ---+--> 0 ---+---> 2     the linear reduce, then the linear broadcast,
 *   3 --'           '--> 3     whatever those two are set to
 *
 * Cost: 2 (N - 1) messages of the whole buffer, all of them through rank 0.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_allreduce_linear(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	if (pl_openmpi_then(s, PL_REDUCE, "linear", call, err))
		return -1;
	return pl_openmpi_then(s, PL_BROADCAST, "linear", call, err);
}
