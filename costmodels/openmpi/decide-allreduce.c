/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-allreduce.c - all-reduce: what Open MPI takes unless it is told */
/* The rules for commutative operations; none of them sets a segment size. */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

#define ANY_RANKS SIZE_MAX
#define ANY_BYTES UINT64_MAX

static const struct pl_openmpi_rule rules[] = {
	{4, 8, "ring"},
	{4, 4096, "recursive-doubling"},
	{4, 8192, "ring"},
	{4, 16384, "recursive-doubling"},
	{4, 65536, "ring"},
	{4, 262144, "segmented-ring"},
	{4, ANY_BYTES, "rabenseifner"},
	{8, 16, "ring"},
	{16, 8192, "recursive-doubling"},
	{16, ANY_BYTES, "rabenseifner"},
	{32, 64, "segmented-ring"},
	{32, 4096, "recursive-doubling"},
	{32, ANY_BYTES, "rabenseifner"},
	{64, 128, "segmented-ring"},
	{64, ANY_BYTES, "rabenseifner"},
	{128, 262144, "recursive-doubling"},
	{128, ANY_BYTES, "rabenseifner"},
	{256, 131072, "nonoverlapping"},
	{256, 262144, "recursive-doubling"},
	{256, ANY_BYTES, "rabenseifner"},
	{512, 4096, "nonoverlapping"},
	{512, ANY_BYTES, "rabenseifner"},
	{ANY_RANKS, 2048, "nonoverlapping"},
	{2048, 16384, "recursive-doubling"},
	{2048, ANY_BYTES, "rabenseifner"},
	{4096, 4096, "segmented-ring"},
	{4096, 16384, "recursive-doubling"},
	{4096, ANY_BYTES, "rabenseifner"},
	{ANY_RANKS, 16384, "segmented-ring"},
	{ANY_RANKS, 32768, "recursive-doubling"},
	{ANY_RANKS, ANY_BYTES, "rabenseifner"},
};

const struct pl_algorithm *pl_openmpi_decide_allreduce(const struct pl_call *call,
						       struct pl_call *decided)
{
	decided->segment_bytes = 0;
	return pl_openmpi_han_or(PL_ALLREDUCE, call,
				 pl_openmpi_rule(rules, call->n_pos, call->bytes));
}
