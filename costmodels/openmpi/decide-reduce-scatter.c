/* SPDX-License-Identifier: BSD-3-Clause */
/* decide-reduce-scatter.c - reduce-scatter: what Open MPI takes unless it is
 * told */
/* The rules for commutative operations: of MPI_Reduce_scatter by the bytes of
 * all blocks, of MPI_Reduce_scatter_block by those of one. */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/openmpi/algorithms.h"

#define ANY_RANKS SIZE_MAX
#define ANY_BYTES UINT64_MAX

static const struct pl_openmpi_rule rules[] = {
	{4, 65536, "ring"},
	{4, 131072, "butterfly"},
	{4, ANY_BYTES, "ring"},
	{8, 8, "nonoverlapping"},
	{32, 262144, "recursive-halving"},
	{32, ANY_BYTES, "ring"},
	{64, 64, "nonoverlapping"},
	{64, 2048, "recursive-halving"},
	{64, 524288, "butterfly"},
	{64, ANY_BYTES, "ring"},
	{512, 256, "nonoverlapping"},
	{256, 512, "recursive-halving"},
	{128, 2048, "butterfly"},
	{128, 4096, "recursive-halving"},
	{256, ANY_BYTES, "butterfly"},
	{512, 1024, "recursive-halving"},
	{512, ANY_BYTES, "butterfly"},
	{4096, 512, "nonoverlapping"},
	{1024, 2048, "recursive-halving"},
	{1024, 8192, "butterfly"},
	{1024, 16384, "recursive-halving"},
	{1024, ANY_BYTES, "butterfly"},
	{4096, 4096, "recursive-halving"},
	{2048, 16384, "butterfly"},
	{2048, 32768, "recursive-halving"},
	{4096, ANY_BYTES, "butterfly"},
	{ANY_RANKS, 1024, "nonoverlapping"},
	{ANY_RANKS, 8192, "recursive-halving"},
	{ANY_RANKS, ANY_BYTES, "butterfly"},
};

static const struct pl_openmpi_rule block_rules[] = {
	{4, 4, "block-recursive-doubling"},
	{4, 8, "block-butterfly"},
	{4, 16, "block-recursive-halving"},
	{4, 128, "block-butterfly"},
	{4, 256, "block-recursive-halving"},
	{4, 4096, "block-butterfly"},
	{4, 8192, "block-recursive-halving"},
	{4, 131072, "block-butterfly"},
	{4, ANY_BYTES, "block-linear"},
	{8, 8, "block-recursive-halving"},
	{8, 32, "block-recursive-doubling"},
	{8, 256, "block-butterfly"},
	{8, 8192, "block-recursive-halving"},
	{8, 16384, "block-butterfly"},
	{8, 1048576, "block-recursive-halving"},
	{8, ANY_BYTES, "block-linear"},
	{16, 4, "block-linear"},
	{16, 32, "block-recursive-halving"},
	{16, 128, "block-butterfly"},
	{16, 524288, "block-recursive-halving"},
	{16, 4194304, "block-linear"},
	{16, ANY_BYTES, "block-butterfly"},
	{32, 32, "block-linear"},
	{32, 524288, "block-recursive-halving"},
	{32, 2097152, "block-linear"},
	{32, 4194304, "block-recursive-halving"},
	{32, ANY_BYTES, "block-butterfly"},
	{ANY_RANKS, 4, "block-recursive-halving"},
	{ANY_RANKS, 16, "block-linear"},
	{ANY_RANKS, 65536, "block-butterfly"},
	{ANY_RANKS, 262144, "block-linear"},
	{ANY_RANKS, ANY_BYTES, "block-butterfly"},
};

const struct pl_algorithm *pl_openmpi_decide_reduce_scatter(const struct pl_call *call,
							    struct pl_call *decided)
{
	(void)decided;
	return pl_catalogue_named(PL_REDUCE_SCATTER, PL_OPENMPI,
				  pl_openmpi_rule(rules, call->n_pos, call->bytes));
}

const struct pl_algorithm *pl_openmpi_decide_reduce_scatter_block(const struct pl_call *call,
								  struct pl_call *decided)
{
	(void)decided;
	return pl_catalogue_named(
		PL_REDUCE_SCATTER, PL_OPENMPI,
		pl_openmpi_rule(block_rules, call->n_pos, call->bytes / call->n_pos));
}
