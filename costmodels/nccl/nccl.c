/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl.c - table of the algorithms */
#include "config.h"

#include "costmodels/nccl/algorithms.h"

const struct pl_algorithm pl_nccl_algorithms[] = {
	{PL_ALLREDUCE, PL_NCCL, "ring",
	 "chunks round the ring of nodes, to be reduced and gathered", .takes_segment = true,
	 .generate = pl_nccl_allreduce_ring, .shape = pl_nccl_allreduce_ring_shape},
	{PL_ALLREDUCE, PL_NCCL, "double-binary-tree",
	 "up and down two binary trees of nodes, half the data each", .takes_segment = true,
	 .generate = pl_nccl_allreduce_tree, .shape = pl_nccl_allreduce_tree_shape},
	{PL_BROADCAST, PL_NCCL, "ring", "chunks along the ring from the root's node",
	 .takes_segment = true, .generate = pl_nccl_broadcast_ring,
	 .shape = pl_nccl_broadcast_ring_shape},
	{PL_REDUCE, PL_NCCL, "ring", "chunks along the ring to the root's node",
	 .takes_segment = true, .generate = pl_nccl_reduce_ring,
	 .shape = pl_nccl_reduce_ring_shape},
	{PL_ALLGATHER, PL_NCCL, "ring", "blocks once round the ring of nodes",
	 .takes_segment = true, .generate = pl_nccl_allgather_ring,
	 .shape = pl_nccl_allgather_ring_shape},
	{PL_ALLGATHER, PL_NCCL, "pat", "a binomial tree for each block, one rank a node",
	 .takes_segment = true, .generate = pl_nccl_allgather_pat,
	 .shape = pl_nccl_allgather_pat_shape},
	{PL_REDUCE_SCATTER, PL_NCCL, "ring", "blocks once round the ring of nodes",
	 .takes_segment = true, .generate = pl_nccl_reduce_scatter_ring,
	 .shape = pl_nccl_reduce_scatter_ring_shape},
	{PL_REDUCE_SCATTER, PL_NCCL, "pat", "a binomial tree for each block, one rank a node",
	 .takes_segment = true, .generate = pl_nccl_reduce_scatter_pat,
	 .shape = pl_nccl_reduce_scatter_pat_shape},
	{PL_ALLTOALL, PL_NCCL, "p2p", "all pairs of nodes at once", .generate = pl_nccl_alltoall,
	 .shape = pl_nccl_alltoall_shape},
	{.name = NULL},
};
