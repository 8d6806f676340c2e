/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - shared by the files of this folder, and used by its table */
/*
 * NCCL orders nodes, not ranks: between nodes its rings and trees depend only
 * on which rank of each node comes first, and inside a node on its hardware.
 * The patterns here therefore have the messages between nodes: host k runs the
 * ranks k * slots .. (k + 1) * slots - 1, and the first of them stands for the
 * host. One node alone sends nothing, and a call of zero bytes sends nothing.
 *
 * Here one channel carries all data. The library divides the data among several
 * channels with the same neighbours, so that the sum for each pair is the same.
 * Bytes are those of the Simple protocol; LL adds a flag to every 4 bytes and
 * LL128 to every 120.
 */
#ifndef PLINK_COSTMODELS_NCCL_ALGORITHMS_H
#define PLINK_COSTMODELS_NCCL_ALGORITHMS_H

#include "costmodels/algorithm.h"

pl_generate_fn pl_nccl_allreduce_ring;
pl_shape_fn pl_nccl_allreduce_ring_shape;

pl_generate_fn pl_nccl_allgather_ring;
pl_shape_fn pl_nccl_allgather_ring_shape;

pl_generate_fn pl_nccl_reduce_scatter_ring;
pl_shape_fn pl_nccl_reduce_scatter_ring_shape;

pl_generate_fn pl_nccl_allreduce_tree;
pl_shape_fn pl_nccl_allreduce_tree_shape;

pl_generate_fn pl_nccl_broadcast_ring;
pl_shape_fn pl_nccl_broadcast_ring_shape;

pl_generate_fn pl_nccl_reduce_ring;
pl_shape_fn pl_nccl_reduce_ring_shape;

pl_generate_fn pl_nccl_allgather_pat;
pl_shape_fn pl_nccl_allgather_pat_shape;

pl_generate_fn pl_nccl_reduce_scatter_pat;
pl_shape_fn pl_nccl_reduce_scatter_pat_shape;

pl_generate_fn pl_nccl_alltoall;
pl_shape_fn pl_nccl_alltoall_shape;

/* The parent of @node in tree 0 or 1 over @n nodes; PL_NCCL_NONE if @node is
 * the root. */
#define PL_NCCL_NONE SIZE_MAX
size_t pl_nccl_tree_parent(size_t tree, size_t n, size_t node);

#endif
