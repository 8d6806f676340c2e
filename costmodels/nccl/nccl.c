/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl.c - table of the algorithms */
#include "config.h"

#include "costmodels/nccl/nccl.h"

#include "costmodels/nccl/algorithms.h"

const struct pl_algorithm pl_nccl_algorithms[] = {
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_NCCL,
		.name = "ring",
		.summary = "chunks round the ring of nodes, to be reduced and "
			   "gathered",
		.takes_segment = true,
		.generate = pl_nccl_allreduce_ring,
		.shape = pl_nccl_allreduce_ring_shape,
	},
	{
		.collective = PL_ALLREDUCE,
		.impl = PL_NCCL,
		.name = "double-binary-tree",
		.summary = "up and down two binary trees of nodes, half the "
			   "data each",
		.takes_segment = true,
		.generate = pl_nccl_allreduce_tree,
		.shape = pl_nccl_allreduce_tree_shape,
	},
	{
		.collective = PL_BROADCAST,
		.impl = PL_NCCL,
		.name = "ring",
		.summary = "chunks along the ring from the root's node",
		.takes_segment = true,
		.generate = pl_nccl_broadcast_ring,
		.shape = pl_nccl_broadcast_ring_shape,
	},
	{
		.collective = PL_REDUCE,
		.impl = PL_NCCL,
		.name = "ring",
		.summary = "chunks along the ring to the root's node",
		.takes_segment = true,
		.generate = pl_nccl_reduce_ring,
		.shape = pl_nccl_reduce_ring_shape,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_NCCL,
		.name = "ring",
		.summary = "blocks once round the ring of nodes",
		.takes_segment = true,
		.generate = pl_nccl_allgather_ring,
		.shape = pl_nccl_allgather_ring_shape,
	},
	{
		.collective = PL_ALLGATHER,
		.impl = PL_NCCL,
		.name = "pat",
		.summary = "a binomial tree for each block, one rank a node",
		.takes_segment = true,
		.generate = pl_nccl_allgather_pat,
		.shape = pl_nccl_allgather_pat_shape,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_NCCL,
		.name = "ring",
		.summary = "blocks once round the ring of nodes",
		.takes_segment = true,
		.generate = pl_nccl_reduce_scatter_ring,
		.shape = pl_nccl_reduce_scatter_ring_shape,
	},
	{
		.collective = PL_REDUCE_SCATTER,
		.impl = PL_NCCL,
		.name = "pat",
		.summary = "a binomial tree for each block, one rank a node",
		.takes_segment = true,
		.generate = pl_nccl_reduce_scatter_pat,
		.shape = pl_nccl_reduce_scatter_pat_shape,
	},
	{.name = NULL},
};
