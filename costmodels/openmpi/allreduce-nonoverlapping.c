/* SPDX-License-Identifier: BSD-3-Clause */
/* allreduce-nonoverlapping.c - all-reduce: a reduce to rank 0, then a
 * broadcast */
/*
 *   0 1 2 3 --reduce--> 0 --broadcast--> 0 1 2 3
 *
 * Both as the fixed rules decide for the whole buffer; no segment of the
 * broadcast leaves before rank 0 has the last one of the reduce. Cost: the sum
 * of the two.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_allreduce_nonoverlapping(struct pl_script *s, const struct pl_call *call,
					struct pl_err *err)
{
	if (pl_openmpi_check_count(call, err))
		return -1;
	if (call->n_pos == 1 || call->bytes == 0)
		return 0;
	if (pl_openmpi_then(s, PL_REDUCE, "default", call, err))
		return -1;
	return pl_openmpi_then(s, PL_BROADCAST, "default", call, err);
}
