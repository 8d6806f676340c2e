/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-scatter-block-recursive-halving.c - equal blocks: the half the other
 * keeps */
/*
 *   0   1   2   3   4      as reduce-scatter-recursive-halving.c
 *   '-->1<----->3
 *           2<----->4
 *       1<->2   3<->4
 *   0<--1
 *
 * Of MPI_Reduce_scatter_block; with blocks of one size the two send the same.
 * Cost: that of the other.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"

int pl_openmpi_reduce_scatter_block_recursive_halving(struct pl_script *s,
						      const struct pl_call *call,
						      struct pl_err *err)
{
	if (pl_openmpi_check_blocks(call, err))
		return -1;
	return pl_openmpi_reduce_scatter_recursive_halving(s, call, err);
}
