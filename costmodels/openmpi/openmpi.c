/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi.c - table of the algorithms */
#include "config.h"

#include "costmodels/openmpi/openmpi.h"

#include "costmodels/openmpi/algorithms.h"

#include <assert.h>
#include <string.h>

const struct pl_algorithm pl_openmpi_algorithms[] = {
	/* all-reduce */
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "linear",
		.summary = "linear reduce to rank 0, linear broadcast",
		.setting = 1,
		.generate = pl_openmpi_allreduce_linear,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "nonoverlapping",
		.summary = "reduce to rank 0, then broadcast, as decided",
		.setting = 2,
		.generate = pl_openmpi_allreduce_nonoverlapping,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "recursive-doubling",
		.summary = "whole buffers exchanged at distances 1, 2, 4, ...",
		.setting = 3,
		.generate = pl_openmpi_allreduce_recursive_doubling,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "ring",
		.summary =
			"blocks once round to be reduced, once to be gathered",
		.setting = 4,
		.generate = pl_openmpi_allreduce_ring,
		.shape = pl_openmpi_allreduce_ring_shape,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "segmented-ring",
		.summary = "the ring with its reduction in segments",
		.setting = 5,
		.generate = pl_openmpi_allreduce_segmented_ring,
		.shape = pl_openmpi_allreduce_ring_shape,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "rabenseifner",
		.summary = "halves exchanged at distances 1, 2, ... and back",
		.setting = 6,
		.generate = pl_openmpi_allreduce_rabenseifner,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_OPENMPI,
		.name = "default",
		.summary = "what the fixed rules take for the size",
		.decide = pl_openmpi_decide_allreduce,
	},

	/* broadcast */
	{
		.collective = PL_BROADCAST,
		.impl = PL_OPENMPI,
		.name = "linear",
		.summary = "the root to all",
		.setting = 1,
		.generate = pl_openmpi_broadcast_linear,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_OPENMPI,
		.name = "chain",
		.summary = "down chains, in segments",
		.takes_radix = true,
		.setting = 2,
		.generate = pl_openmpi_broadcast_chain,
		.shape = pl_openmpi_broadcast_chain_shape,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_OPENMPI,
		.name = "pipeline",
		.summary = "down one chain, in segments",
		.setting = 3,
		.generate = pl_openmpi_broadcast_pipeline,
		.shape = pl_openmpi_broadcast_pipeline_shape,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_OPENMPI,
		.name = "split-binary",
		.summary = "halves down both sides of a binary tree, exchanged",
		.setting = 4,
		.generate = pl_openmpi_broadcast_split_binary,
		.shape = pl_openmpi_broadcast_split_binary_shape,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_OPENMPI,
		.name = "binary",
		.summary = "down a binary tree, in segments",
		.setting = 5,
		.generate = pl_openmpi_broadcast_binary,
		.shape = pl_openmpi_broadcast_binary_shape,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_OPENMPI,
		.name = "binomial",
		.summary = "down a binomial tree, in segments",
		.setting = 6,
		.generate = pl_openmpi_broadcast_binomial,
		.shape = pl_openmpi_broadcast_binomial_shape,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_OPENMPI,
		.name = "knomial",
		.summary = "down a k-nomial tree, in segments",
		.takes_radix = true,
		.setting = 7,
		.generate = pl_openmpi_broadcast_knomial,
		.shape = pl_openmpi_broadcast_knomial_shape,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_OPENMPI,
		.name = "scatter-allgather",
		.summary = "blocks scattered, gathered by recursive doubling",
		.setting = 8,
		.generate = pl_openmpi_broadcast_scatter_allgather,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_OPENMPI,
		.name = "scatter-allgather-ring",
		.summary = "blocks scattered, gathered once round",
		.setting = 9,
		.generate = pl_openmpi_broadcast_scatter_allgather_ring,
		.shape = pl_openmpi_broadcast_scatter_allgather_ring_shape,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_OPENMPI,
		.name = "default",
		.summary = "what the fixed rules take for the size",
		.decide = pl_openmpi_decide_broadcast,
	},

	/* reduce */
	{
		.collective = PL_REDUCE,
		.impl = PL_OPENMPI,
		.name = "linear",
		.summary = "all to the root, the last rank first",
		.setting = 1,
		.generate = pl_openmpi_reduce_linear,
	},
	{
		.collective = PL_REDUCE,
		.impl = PL_OPENMPI,
		.name = "chain",
		.summary = "up chains, in segments",
		.takes_radix = true,
		.setting = 2,
		.generate = pl_openmpi_reduce_chain,
		.shape = pl_openmpi_reduce_chain_shape,
	},
	{
		.collective = PL_REDUCE,
		.impl = PL_OPENMPI,
		.name = "pipeline",
		.summary = "up one chain, in segments",
		.setting = 3,
		.generate = pl_openmpi_reduce_pipeline,
		.shape = pl_openmpi_reduce_pipeline_shape,
	},
	{
		.collective = PL_REDUCE,
		.impl = PL_OPENMPI,
		.name = "binary",
		.summary = "up a binary tree, in segments",
		.setting = 4,
		.generate = pl_openmpi_reduce_binary,
		.shape = pl_openmpi_reduce_binary_shape,
	},
	{
		.collective = PL_REDUCE,
		.impl = PL_OPENMPI,
		.name = "binomial",
		.summary = "up a binomial tree, in segments",
		.setting = 5,
		.generate = pl_openmpi_reduce_binomial,
		.shape = pl_openmpi_reduce_binomial_shape,
	},
	{
		.collective = PL_REDUCE,
		.impl = PL_OPENMPI,
		.name = "in-order-binary",
		.summary = "up a binary tree that keeps the order of the ranks",
		.setting = 6,
		.generate = pl_openmpi_reduce_in_order_binary,
		.shape = pl_openmpi_reduce_in_order_binary_shape,
	},
	{
		.collective = PL_REDUCE,
		.impl = PL_OPENMPI,
		.name = "rabenseifner",
		.summary = "halves exchanged at distances 1, 2, ..., then "
			   "gathered",
		.setting = 7,
		.generate = pl_openmpi_reduce_rabenseifner,
	},
	{
		.collective = PL_REDUCE,
		.impl = PL_OPENMPI,
		.name = "default",
		.summary = "what the fixed rules take for the size",
		.decide = pl_openmpi_decide_reduce,
	},

	/* all-gather */
	{
		.collective = PL_ALLGATHER,
		.impl = PL_OPENMPI,
		.name = "linear",
		.summary = "gather to rank 0, then broadcast, both as decided",
		.setting = 1,
		.generate = pl_openmpi_allgather_linear,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_OPENMPI,
		.name = "bruck",
		.summary = "blocks from distances 1, 2, 4, ..., any number of "
			   "ranks",
		.setting = 2,
		.generate = pl_openmpi_allgather_bruck,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_OPENMPI,
		.name = "recursive-doubling",
		.summary = "blocks exchanged at distances 1, 2, 4, ...",
		.setting = 3,
		.generate = pl_openmpi_allgather_recursive_doubling,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_OPENMPI,
		.name = "ring",
		.summary = "blocks once round",
		.setting = 4,
		.generate = pl_openmpi_allgather_ring,
		.shape = pl_openmpi_allgather_ring_shape,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_OPENMPI,
		.name = "neighbor",
		.summary = "blocks exchanged with either neighbour in turn",
		.setting = 5,
		.generate = pl_openmpi_allgather_neighbor,
		.shape = pl_openmpi_allgather_neighbor_shape,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_OPENMPI,
		.name = "two-proc",
		.summary = "one exchange, of two ranks",
		.setting = 6,
		.generate = pl_openmpi_allgather_two_proc,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_OPENMPI,
		.name = "default",
		.summary = "what the fixed rules take for the size",
		.decide = pl_openmpi_decide_allgather,
	},

	/* reduce-scatter */
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "nonoverlapping",
		.summary = "reduce to rank 0 as decided, then its blocks",
		.setting = 1,
		.generate = pl_openmpi_reduce_scatter_nonoverlapping,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "recursive-halving",
		.summary = "halves exchanged at distances N/2, ..., 2, 1",
		.setting = 2,
		.generate = pl_openmpi_reduce_scatter_recursive_halving,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "ring",
		.summary = "blocks once round to be reduced",
		.setting = 3,
		.generate = pl_openmpi_reduce_scatter_ring,
		.shape = pl_openmpi_reduce_scatter_ring_shape,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "butterfly",
		.summary =
			"halves exchanged at distances 1, 2, ..., then swapped",
		.setting = 4,
		.generate = pl_openmpi_reduce_scatter_butterfly,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "default",
		.summary = "what the fixed rules take for the size",
		.decide = pl_openmpi_decide_reduce_scatter,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "block-linear",
		.summary =
			"equal blocks: reduce to rank 0, scatter, as decided",
		.setting = 1,
		.generate = pl_openmpi_reduce_scatter_block_linear,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "block-recursive-doubling",
		.summary = "equal blocks: all but done ones, at distances 1, "
			   "2, ...",
		.setting = 2,
		.generate = pl_openmpi_reduce_scatter_block_recursive_doubling,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "block-recursive-halving",
		.summary = "equal blocks: halves, at distances N/2, ..., 2, 1",
		.setting = 3,
		.generate = pl_openmpi_reduce_scatter_block_recursive_halving,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "block-butterfly",
		.summary = "equal blocks: halves, at distances 1, 2, ...",
		.setting = 4,
		.generate = pl_openmpi_reduce_scatter_block_butterfly,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_OPENMPI,
		.name = "block-default",
		.summary = "equal blocks: what the fixed rules take",
		.decide = pl_openmpi_decide_reduce_scatter_block,
	},

	/* barrier */
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "linear",
		.summary = "all report to rank 0, which releases them",
		.setting = 1,
		.generate = pl_openmpi_barrier_linear,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "double-ring",
		.summary = "an empty message twice round",
		.setting = 2,
		.generate = pl_openmpi_barrier_double_ring,
		.shape = pl_openmpi_barrier_double_ring_shape,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "recursive-doubling",
		.summary = "empty messages exchanged at distances 1, 2, 4, ...",
		.setting = 3,
		.generate = pl_openmpi_barrier_recursive_doubling,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "bruck",
		.summary = "to the rank 1, 2, 4, ... further on",
		.setting = 4,
		.generate = pl_openmpi_barrier_bruck,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "two-proc",
		.summary = "two ranks exchange empty messages",
		.setting = 5,
		.generate = pl_openmpi_barrier_two_proc,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "tree",
		.summary = "up a binomial tree and down again",
		.setting = 6,
		.generate = pl_openmpi_barrier_tree,
	},
	{
		.collective = PL_BARRIER,
		.impl = PL_OPENMPI,
		.name = "default",
		.summary = "what the fixed rules take for the ranks",
		.decide = pl_openmpi_decide_barrier,
	},

	{.name = NULL},
};

const struct pl_algorithm *pl_openmpi_algorithm(enum pl_collective collective,
						const char *name)
{
	const struct pl_algorithm *a = pl_openmpi_algorithms;

	while (a->name &&
	       (a->collective != collective || strcmp(a->name, name) != 0))
		a++;
	assert(a->name);
	return a;
}
