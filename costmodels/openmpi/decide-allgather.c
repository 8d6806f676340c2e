/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-allgather.c - which all-gather Open MPI takes by itself */
/*
 * By ranks and bytes of one rank's block.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

static const struct pl_openmpi_rule rules[] = {
	{3, UINT64_MAX, "two-proc"},
	{32, UINT64_MAX, "recursive-doubling"},
	{64, 1024, "recursive-doubling"},
	{64, 65536, "neighbor"},
	{64, UINT64_MAX, "ring"},
	{128, 512, "recursive-doubling"},
	{128, 65536, "neighbor"},
	{128, UINT64_MAX, "ring"},
	{256, 512, "recursive-doubling"},
	{256, 131072, "neighbor"},
	{256, 524288, "ring"},
	{256, 1048576, "neighbor"},
	{256, UINT64_MAX, "ring"},
	{512, 32, "recursive-doubling"},
	{512, 128, "bruck"},
	{512, 1024, "recursive-doubling"},
	{512, 131072, "neighbor"},
	{512, 524288, "ring"},
	{512, 1048576, "neighbor"},
	{512, UINT64_MAX, "ring"},
	{1024, 64, "recursive-doubling"},
	{1024, 256, "bruck"},
	{1024, 2048, "recursive-doubling"},
	{1024, UINT64_MAX, "neighbor"},
	{2048, 4, "recursive-doubling"},
	{2048, 8, "bruck"},
	{2048, 16, "recursive-doubling"},
	{2048, 32, "bruck"},
	{2048, 256, "recursive-doubling"},
	{2048, 512, "bruck"},
	{2048, 4096, "recursive-doubling"},
	{2048, UINT64_MAX, "neighbor"},
	{4096, 32, "bruck"},
	{4096, 128, "recursive-doubling"},
	{4096, 512, "bruck"},
	{4096, 4096, "recursive-doubling"},
	{4096, UINT64_MAX, "neighbor"},
	{SIZE_MAX, 2, "recursive-doubling"},
	{SIZE_MAX, 8, "bruck"},
	{SIZE_MAX, 16, "recursive-doubling"},
	{SIZE_MAX, 512, "bruck"},
	{SIZE_MAX, 4096, "recursive-doubling"},
	{SIZE_MAX, UINT64_MAX, "neighbor"},
};

const struct pl_algorithm *pl_openmpi_decide_allgather(const struct pl_call *call,
						       struct pl_call *decided)
{
	decided->segment_bytes = 0;
	decided->radix = 0;
	return pl_openmpi_han_or(PL_ALLGATHER, call,
				 pl_openmpi_rule(rules, call->n_pos, call->bytes));
}
