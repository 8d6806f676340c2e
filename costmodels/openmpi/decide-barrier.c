/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-barrier.c - barrier: what Open MPI takes unless it is told */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

static const struct pl_openmpi_rule rules[] = {
	{4, UINT64_MAX, "recursive-doubling"},
	{8, UINT64_MAX, "linear"},
	{64, UINT64_MAX, "recursive-doubling"},
	{256, UINT64_MAX, "bruck"},
	{512, UINT64_MAX, "tree"},
	{1024, UINT64_MAX, "bruck"},
	{4096, UINT64_MAX, "tree"},
	{SIZE_MAX, UINT64_MAX, "bruck"},
};

const struct pl_algorithm *pl_openmpi_decide_barrier(const struct pl_call *call,
						     struct pl_call *decided)
{
	(void)decided;
	return pl_openmpi_han_or(PL_BARRIER, call, pl_openmpi_rule(rules, call->n_pos, 0));
}
