/* SPDX-License-Identifier: BSD-3-Clause */
/* mpich.c - table of the algorithms, and how MPICH is told to take one */
#include "config.h"

#include "costmodels/mpich/mpich.h"

#include "costmodels/mpich/algorithms.h"

#include <stdio.h>
#include <string.h>

const struct pl_algorithm pl_mpich_algorithms[] = {
	/* all-reduce */
	{PL_ALLREDUCE, PL_MPICH, "recursive-doubling",
	 "whole buffers exchanged at distances 1, 2, 4, ...", .setting = 3,
	 .generate = pl_mpich_allreduce_recursive_doubling, .weigh = pl_mpich_weigh},
	{PL_ALLREDUCE, PL_MPICH, "reduce-scatter-allgather",
	 "halves exchanged at distances 1, 2, ... and back", .setting = 4,
	 .generate = pl_mpich_allreduce_reduce_scatter_allgather, .weigh = pl_mpich_weigh},
	{PL_ALLREDUCE, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = pl_mpich_decide_allreduce},

	/* broadcast */
	{PL_BROADCAST, PL_MPICH, "binomial", "down a binomial tree", .setting = 1,
	 .generate = pl_mpich_broadcast_binomial, .weigh = pl_mpich_weigh,
	 .shape = pl_mpich_broadcast_binomial_shape},
	{PL_BROADCAST, PL_MPICH, "scatter-recursive-doubling-allgather",
	 "blocks scattered, gathered by recursive doubling", .setting = 4,
	 .generate = pl_mpich_broadcast_scatter_recursive_doubling_allgather,
	 .weigh = pl_mpich_weigh},
	{PL_BROADCAST, PL_MPICH, "scatter-ring-allgather", "blocks scattered, gathered once round",
	 .setting = 5, .generate = pl_mpich_broadcast_scatter_ring_allgather,
	 .weigh = pl_mpich_weigh},
	{PL_BROADCAST, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = pl_mpich_decide_broadcast},

	/* reduce */
	{PL_REDUCE, PL_MPICH, "binomial", "up a binomial tree", .setting = 1,
	 .generate = pl_mpich_reduce_binomial, .weigh = pl_mpich_weigh,
	 .shape = pl_mpich_reduce_binomial_shape},
	{PL_REDUCE, PL_MPICH, "reduce-scatter-gather",
	 "halves exchanged at distances 1, 2, ..., then gathered", .setting = 4,
	 .generate = pl_mpich_reduce_reduce_scatter_gather, .weigh = pl_mpich_weigh},
	{PL_REDUCE, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = pl_mpich_decide_reduce},

	/* all-gather */
	{PL_ALLGATHER, PL_MPICH, "brucks",
	 "blocks from distances 1, 2, 4, ..., any number of ranks", .setting = 1,
	 .generate = pl_mpich_allgather_brucks, .weigh = pl_mpich_weigh},
	{PL_ALLGATHER, PL_MPICH, "recursive-doubling", "blocks exchanged at distances 1, 2, 4, ...",
	 .setting = 3, .generate = pl_mpich_allgather_recursive_doubling, .weigh = pl_mpich_weigh},
	{PL_ALLGATHER, PL_MPICH, "ring", "blocks once round", .setting = 4,
	 .generate = pl_mpich_allgather_ring, .weigh = pl_mpich_weigh,
	 .shape = pl_mpich_allgather_ring_shape},
	{PL_ALLGATHER, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = pl_mpich_decide_allgather},

	/* reduce-scatter */
	{PL_REDUCE_SCATTER, PL_MPICH, "pairwise", "to each rank its block", .setting = 3,
	 .generate = pl_mpich_reduce_scatter_pairwise, .weigh = pl_mpich_weigh},
	{PL_REDUCE_SCATTER, PL_MPICH, "recursive-doubling",
	 "all but done blocks, at distances 1, 2, ...", .setting = 4,
	 .generate = pl_mpich_reduce_scatter_recursive_doubling, .weigh = pl_mpich_weigh},
	{PL_REDUCE_SCATTER, PL_MPICH, "recursive-halving",
	 "halves exchanged at distances N/2, ..., 2, 1", .setting = 5,
	 .generate = pl_mpich_reduce_scatter_recursive_halving, .weigh = pl_mpich_weigh},
	{PL_REDUCE_SCATTER, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = pl_mpich_decide_reduce_scatter},
	{PL_REDUCE_SCATTER, PL_MPICH, "block-noncommutative",
	 "equal blocks: halves, at distances 1, 2, ...", .setting = 1,
	 .generate = pl_mpich_reduce_scatter_block_noncommutative, .weigh = pl_mpich_weigh},
	{PL_REDUCE_SCATTER, PL_MPICH, "block-recursive-doubling",
	 "equal blocks: all but done ones, at distances 1, 2, ...", .setting = 2,
	 .generate = pl_mpich_reduce_scatter_block_recursive_doubling, .weigh = pl_mpich_weigh},
	{PL_REDUCE_SCATTER, PL_MPICH, "block-pairwise", "equal blocks: to each rank its block",
	 .setting = 3, .generate = pl_mpich_reduce_scatter_block_pairwise, .weigh = pl_mpich_weigh},
	{PL_REDUCE_SCATTER, PL_MPICH, "block-recursive-halving",
	 "equal blocks: halves, at distances N/2, ..., 2, 1", .setting = 4,
	 .generate = pl_mpich_reduce_scatter_block_recursive_halving, .weigh = pl_mpich_weigh},
	{PL_REDUCE_SCATTER, PL_MPICH, "block-default",
	 "equal blocks: chosen by the selection trees",
	 .decide = pl_mpich_decide_reduce_scatter_block},

	/* barrier */
	{PL_BARRIER, PL_MPICH, "dissemination", "to the rank 1, 2, 4, ... further on", .setting = 3,
	 .generate = pl_mpich_barrier_dissemination, .weigh = pl_mpich_weigh},
	{PL_BARRIER, PL_MPICH, "default", "chosen by the selection trees",
	 .decide = pl_mpich_decide_barrier},

	/* all-to-all */
	{PL_ALLTOALL, PL_MPICH, "brucks", "half of the blocks to distances 1, 2, 4, ...",
	 .setting = 1, .generate = pl_mpich_alltoall_brucks, .weigh = pl_mpich_weigh},
	{PL_ALLTOALL, PL_MPICH, "pairwise", "with one rank in each round", .setting = 3,
	 .generate = pl_mpich_alltoall_pairwise, .weigh = pl_mpich_weigh},
	{PL_ALLTOALL, PL_MPICH, "scattered", "with 32 ranks at once", .setting = 5,
	 .generate = pl_mpich_alltoall_scattered, .shape = pl_mpich_alltoall_scattered_shape},
	{PL_ALLTOALL, PL_MPICH, "default", "chosen by the selection trees for the size",
	 .decide = pl_mpich_decide_alltoall},

	{.name = NULL},
};

/* Behind "block-", which only names here have; else @name. */
static const char *behind_block(const char *name)
{
	return strncmp(name, "block-", 6) == 0 ? name + 6 : name;
}

const char *pl_mpich_variable(const struct pl_algorithm *a)
{
	static const char *const variables[PL_COLLECTIVES] = {
		[PL_ALLREDUCE] = "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM",
		[PL_BROADCAST] = "MPIR_CVAR_BCAST_INTRA_ALGORITHM",
		[PL_REDUCE] = "MPIR_CVAR_REDUCE_INTRA_ALGORITHM",
		[PL_ALLGATHER] = "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM",
		[PL_REDUCE_SCATTER] = "MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM",
		[PL_BARRIER] = "MPIR_CVAR_BARRIER_INTRA_ALGORITHM",
		[PL_ALLTOALL] = "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM",
	};

	if (behind_block(a->name) != a->name)
		return "MPIR_CVAR_REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM";
	return variables[a->collective];
}

const char *pl_mpich_value(char buf[PL_MPICH_VALUE], const struct pl_algorithm *a)
{
	snprintf(buf, PL_MPICH_VALUE, "%s", behind_block(a->name));
	for (char *c = buf; *c; c++)
		if (*c == '-')
			*c = '_';
	return buf;
}
