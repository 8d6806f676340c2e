/* SPDX-License-Identifier: BSD-3-Clause */
/* openmpi.h - what the files of Open MPI share */
#ifndef PLINK_COSTMODELS_OPENMPI_H
#define PLINK_COSTMODELS_OPENMPI_H

#include "costmodels/kernels.h"

/* ---- openmpi-rules.c: the fixed decision rules */

/* "default" of every collective. */
pl_decide_fn pl_openmpi_decide;
/* The algorithm of a gather and of a scatter, by the bytes of a block: "linear", ... */
struct pl_openmpi_name {
	char text[32];
};
struct pl_openmpi_name pl_openmpi_gather_rule(size_t n_pos, uint64_t bytes);
struct pl_openmpi_name pl_openmpi_scatter_rule(size_t n_pos, uint64_t bytes);

/* ---- openmpi-trees.c: buffers in segments along trees */

/* Segments: call->segment_bytes rounded to the nearest whole number of elements (half an
 * element is rounded down). One if segment_bytes is 0, less than an element, or not less than the
 * buffer; none if the call has no bytes. */
struct pl_blocks pl_openmpi_segments(const struct pl_call *call);
/* pl_check_count, and a segment's size must fit in an int, too. */
pl_check_fn pl_openmpi_check_segments;
/* The same, of a tree that takes a radix of two at least. */
pl_check_fn pl_openmpi_check_knomial;

/* A broadcast and a reduce along the row's tree (pl_algorithm.plant). */
pl_kernel_fn pl_openmpi_tree_down;
pl_kernel_fn pl_openmpi_tree_up;
pl_whole_fn pl_openmpi_tree;
/* The longest path. But segments of more than the eager limit wait for a handshake each: if there
 * are more of them than levels of the tree, the slowest hop, as often as there are segments. */
pl_objective_fn pl_openmpi_tree_objective;

/* A broadcast of halves down both sides of a binary tree, which are then exchanged. */
pl_kernel_fn pl_openmpi_split_binary;
pl_whole_fn pl_openmpi_split;
pl_objective_fn pl_openmpi_split_objective;

/* ---- openmpi-han.c: coll/han, two levels */

/* Does coll/han have this collective, and do the ranks of the call use it where it comes before
 * coll/tuned? There must be hosts with several ranks, for a broadcast, a reduce and an all-gather
 * equally many on each. */
bool pl_openmpi_han_serves(enum pl_collective collective, const struct pl_call *call);
pl_whole_fn pl_openmpi_han;
pl_objective_fn pl_openmpi_han_objective;

/* ---- openmpi-kernels.c */

/* Of the ring in segments: the elements of one; all where none is set that is shorter. */
uint64_t pl_openmpi_ring_segment(const struct pl_call *call);

pl_kernel_fn pl_openmpi_broadcast_linear;
pl_kernel_fn pl_openmpi_reduce_linear;
pl_kernel_fn pl_openmpi_barrier_linear;
pl_kernel_fn pl_openmpi_gather_blocks;
pl_kernel_fn pl_openmpi_scatter;
pl_kernel_fn pl_openmpi_scatterv;
pl_kernel_fn pl_openmpi_allreduce_ring;
pl_kernel_fn pl_openmpi_reduce_scatter_ring;
pl_kernel_fn pl_openmpi_gather_neighbor;
pl_kernel_fn pl_openmpi_trade_two;
pl_kernel_fn pl_openmpi_broadcast_scatter;
pl_kernel_fn pl_openmpi_butterfly;
pl_kernel_fn pl_openmpi_barrier_double_ring;
pl_kernel_fn pl_openmpi_barrier_doubling;
pl_kernel_fn pl_openmpi_barrier_tree;
pl_objective_fn pl_openmpi_neighbor_objective;

/* ---- openmpi.c */

/* A gather to rank 0 as the rules decide, which no user calls: a part of all-gathers. */
extern const struct pl_algorithm pl_openmpi_gather;

#endif
