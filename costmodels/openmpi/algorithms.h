/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - shared by the files of this folder, and used by its table */
/*
 * The algorithms of coll/tuned and, called han, of coll/han in Open MPI 4.1, on
 * one intracommunicator and with commutative operations. MPI_IN_PLACE does not
 * change the messages, but for an all-to-all, which then runs an algorithm of
 * its own that is not here. Names are those of its enumerations
 * (coll_tuned_X_algorithm), settings are their numbers; "default" is the
 * algorithm that its fixed decision rules choose. The algorithms of
 * MPI_Reduce_scatter_block are called block-..., with the numbers of
 * coll_tuned_reduce_scatter_block_algorithm. A communicator of one rank does
 * not use coll/tuned, and a call of no elements runs no algorithm: neither
 * sends anything.
 */
#ifndef PLINK_COSTMODELS_OPENMPI_ALGORITHMS_H
#define PLINK_COSTMODELS_OPENMPI_ALGORITHMS_H

#include "costmodels/algorithm.h"
#include "costmodels/blocks.h"
#include "costmodels/fold.h"

/* The largest message that ob1 sends over TCP at once: the eager limit less 56
 * bytes, its largest header. A larger message takes PL_OPENMPI_TRIPS one-way
 * trips: a request, the receiver's answer, the data. */
#define PL_OPENMPI_EAGER_BYTES (65536 - 56)
#define PL_OPENMPI_TRIPS 3

/* Applies both numbers to a shape (pl_shape_weigh): hops with larger messages
 * take their latency PL_OPENMPI_TRIPS times, their bytes once. */
void pl_openmpi_weigh(struct pl_shape *shape);

/* 0, or -1 with @err set (PL_EUSAGE): MPI counts elements in an int, so that a
 * call has 2^31 - 1 of them at most. */
int pl_openmpi_check_count(const struct pl_call *call, struct pl_err *err);

/* The same, and also refuses buffers that do not divide into equal blocks for
 * all ranks. */
int pl_openmpi_check_blocks(const struct pl_call *call, struct pl_err *err);

/* A line of the fixed decision rules. It holds for calls of fewer ranks and of
 * fewer bytes than these, unless an earlier line holds. */
struct pl_openmpi_rule {
	size_t ranks_below;
	uint64_t bytes_below;
	const char *name;
};

/* The name in the first line that holds. The last line must hold for all
 * calls. */
const char *pl_openmpi_rule(const struct pl_openmpi_rule *rules, size_t n_pos, uint64_t bytes);

/* Appends a collective to the script: every rank runs the algorithm called
 * @name, or the one that it chooses if it is a rule, after what it does in the
 * script so far. The root is rank 0, the radix is the library's own or the
 * rule's, and there are no segments. 0, or -1 with @err set. */
int pl_openmpi_then(struct pl_script *s, enum pl_collective collective, const char *name,
		    const struct pl_call *call, struct pl_err *err);

/* The half of a part of the buffer, in elements of that size; of an odd number
 * the upper half has one more. */
struct pl_range pl_openmpi_half(struct pl_range part, uint64_t element_bytes, bool upper);

/* Does coll/han have this collective, and do the ranks of the call use it where
 * it comes before coll/tuned? There must be hosts with several ranks, for a
 * broadcast, a reduce and an all-gather equally many on each. */
bool pl_openmpi_han_serves(enum pl_collective collective, const struct pl_call *call);
/* The algorithm "han" where that is so and the call asks for it (call->han);
 * otherwise the one called @name. */
const struct pl_algorithm *pl_openmpi_han_or(enum pl_collective collective,
					     const struct pl_call *call, const char *name);

/* pl_script_sendrecv of parts of the buffer. */
struct pl_openmpi_exchange {
	size_t dst, src;
	struct pl_range out, in;
	enum pl_taking taking; /* what is done with @in */
};
void pl_openmpi_sendrecv(struct pl_script *s, struct pl_openmpi_exchange x);

/* Makes *shape a sum: a hop from every rank to the next one, closed to a ring.
 * 0, or -1 with @err set. */
int pl_openmpi_ring_shape(struct pl_shape *shape, size_t n_pos, double times, double bytes,
			  struct pl_err *err);

/* Makes *shape the sum over the rounds of that algorithm (pl_shape_of_rounds).
 * 0, or -1 with @err set. */
int pl_openmpi_rounds_shape(struct pl_shape *shape, enum pl_collective collective, const char *name,
			    const struct pl_call *call, struct pl_err *err);

/* all-reduce */
pl_generate_fn pl_openmpi_allreduce_linear;
pl_generate_fn pl_openmpi_allreduce_nonoverlapping;
pl_generate_fn pl_openmpi_allreduce_recursive_doubling;
pl_generate_fn pl_openmpi_allreduce_ring;
pl_shape_fn pl_openmpi_allreduce_ring_shape;
/* A ring that reduces in n_phases turns; each turn reduces one segment of every
 * block. */
struct pl_openmpi_ring {
	struct pl_blocks blocks;
	size_t n_phases;
};
void pl_openmpi_run_ring(struct pl_script *s, const struct pl_openmpi_ring *ring);
pl_generate_fn pl_openmpi_allreduce_segmented_ring;
pl_shape_fn pl_openmpi_allreduce_segmented_ring_shape;
pl_generate_fn pl_openmpi_allreduce_rabenseifner;
pl_generate_fn pl_openmpi_allreduce_han;
pl_shape_fn pl_openmpi_allreduce_han_shape;
pl_generate_fn pl_openmpi_allreduce_han_simple;
pl_shape_fn pl_openmpi_allreduce_han_simple_shape;
pl_decide_fn pl_openmpi_decide_allreduce;

/* broadcast */
pl_generate_fn pl_openmpi_broadcast_linear;
pl_generate_fn pl_openmpi_broadcast_chain;
pl_shape_fn pl_openmpi_broadcast_chain_shape;
pl_generate_fn pl_openmpi_broadcast_pipeline;
pl_shape_fn pl_openmpi_broadcast_pipeline_shape;
pl_generate_fn pl_openmpi_broadcast_split_binary;
pl_shape_fn pl_openmpi_broadcast_split_binary_shape;
pl_generate_fn pl_openmpi_broadcast_binary;
pl_shape_fn pl_openmpi_broadcast_binary_shape;
pl_generate_fn pl_openmpi_broadcast_binomial;
pl_shape_fn pl_openmpi_broadcast_binomial_shape;
pl_generate_fn pl_openmpi_broadcast_knomial;
pl_shape_fn pl_openmpi_broadcast_knomial_shape;
pl_generate_fn pl_openmpi_broadcast_scatter_allgather;
pl_generate_fn pl_openmpi_broadcast_scatter_allgather_ring;
pl_shape_fn pl_openmpi_broadcast_scatter_allgather_ring_shape;
pl_generate_fn pl_openmpi_broadcast_han;
pl_shape_fn pl_openmpi_broadcast_han_shape;
pl_generate_fn pl_openmpi_broadcast_han_simple;
pl_shape_fn pl_openmpi_broadcast_han_simple_shape;
pl_decide_fn pl_openmpi_decide_broadcast;

/* reduce */
pl_generate_fn pl_openmpi_reduce_linear;
pl_generate_fn pl_openmpi_reduce_chain;
pl_shape_fn pl_openmpi_reduce_chain_shape;
pl_generate_fn pl_openmpi_reduce_pipeline;
pl_shape_fn pl_openmpi_reduce_pipeline_shape;
pl_generate_fn pl_openmpi_reduce_binary;
pl_shape_fn pl_openmpi_reduce_binary_shape;
pl_generate_fn pl_openmpi_reduce_binomial;
pl_shape_fn pl_openmpi_reduce_binomial_shape;
pl_generate_fn pl_openmpi_reduce_in_order_binary;
pl_shape_fn pl_openmpi_reduce_in_order_binary_shape;
pl_generate_fn pl_openmpi_reduce_rabenseifner;
pl_generate_fn pl_openmpi_reduce_han;
pl_shape_fn pl_openmpi_reduce_han_shape;
pl_generate_fn pl_openmpi_reduce_han_simple;
pl_shape_fn pl_openmpi_reduce_han_simple_shape;
pl_decide_fn pl_openmpi_decide_reduce;

/* all-gather */
pl_generate_fn pl_openmpi_allgather_linear;
pl_generate_fn pl_openmpi_allgather_bruck;
pl_generate_fn pl_openmpi_allgather_recursive_doubling;
pl_generate_fn pl_openmpi_allgather_ring;
pl_shape_fn pl_openmpi_allgather_ring_shape;
pl_generate_fn pl_openmpi_allgather_neighbor;
pl_shape_fn pl_openmpi_allgather_neighbor_shape;
pl_generate_fn pl_openmpi_allgather_two_proc;
pl_generate_fn pl_openmpi_allgather_han;
pl_shape_fn pl_openmpi_allgather_han_shape;
/* What comes first in linear: a gather to rank 0, as the fixed rules decide. */
pl_generate_fn pl_openmpi_gather;
pl_decide_fn pl_openmpi_decide_allgather;

/* reduce-scatter: MPI_Reduce_scatter, blocks of pl_blocks */
pl_generate_fn pl_openmpi_reduce_scatter_nonoverlapping;
pl_generate_fn pl_openmpi_reduce_scatter_recursive_halving;
pl_generate_fn pl_openmpi_reduce_scatter_ring;
pl_shape_fn pl_openmpi_reduce_scatter_ring_shape;
pl_generate_fn pl_openmpi_reduce_scatter_butterfly;
pl_decide_fn pl_openmpi_decide_reduce_scatter;

/* MPI_Reduce_scatter_block: equal blocks ("block-...") */
pl_generate_fn pl_openmpi_reduce_scatter_block_linear;
pl_generate_fn pl_openmpi_reduce_scatter_block_recursive_doubling;
pl_generate_fn pl_openmpi_reduce_scatter_block_recursive_halving;
pl_generate_fn pl_openmpi_reduce_scatter_block_butterfly;
pl_decide_fn pl_openmpi_decide_reduce_scatter_block;

/* all-to-all */
pl_generate_fn pl_openmpi_alltoall_linear;
pl_shape_fn pl_openmpi_alltoall_linear_shape;
pl_generate_fn pl_openmpi_alltoall_pairwise;
pl_generate_fn pl_openmpi_alltoall_bruck;
pl_decide_fn pl_openmpi_decide_alltoall;

/* barrier */
pl_generate_fn pl_openmpi_barrier_linear;
pl_generate_fn pl_openmpi_barrier_double_ring;
pl_shape_fn pl_openmpi_barrier_double_ring_shape;
pl_generate_fn pl_openmpi_barrier_recursive_doubling;
pl_generate_fn pl_openmpi_barrier_bruck;
pl_generate_fn pl_openmpi_barrier_two_proc;
pl_generate_fn pl_openmpi_barrier_tree;
pl_generate_fn pl_openmpi_barrier_han;
pl_shape_fn pl_openmpi_barrier_han_shape;
pl_decide_fn pl_openmpi_decide_barrier;

#endif
