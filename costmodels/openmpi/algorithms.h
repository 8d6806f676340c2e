/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - what the files of this folder give its table, and share */
/*
 * Open MPI 4.1's coll/tuned on one intracommunicator, with commutative
 * operations; MPI_IN_PLACE makes no difference to what is sent. Names are those
 * of its enumerations (coll_tuned_X_algorithm), settings their numbers;
 * "default" is what its fixed decision rules take. Those of
 * MPI_Reduce_scatter_block are named block-..., with the numbers of
 * coll_tuned_reduce_scatter_block_algorithm. A communicator of one rank never
 * gets to coll/tuned, and a call of no elements not to any algorithm: neither
 * sends anything.
 */
#ifndef PLINK_COSTMODELS_OPENMPI_ALGORITHMS_H
#define PLINK_COSTMODELS_OPENMPI_ALGORITHMS_H

#include "costmodels/algorithm.h"
#include "costmodels/blocks.h"
#include "costmodels/fold.h"

/* The table's entry of that name, which must exist. */
const struct pl_algorithm *pl_openmpi_algorithm(enum pl_collective collective,
						const char *name);

/* 0, or -1 with @err set (PL_EUSAGE): MPI counts elements in an int. */
/* What ob1 sends by TCP at once, its header of 56 bytes at most included; and
 * the one-way trips of a message above that: a request, the receiver's answer,
 * the data. */
#define PL_OPENMPI_EAGER_BYTES (65536 - 56)
#define PL_OPENMPI_TRIPS 3

/* Counts the hops whose messages are above the limit so many times, their bytes
 * once. */
void pl_openmpi_weigh(struct pl_shape *shape);

int pl_openmpi_check_count(const struct pl_call *call, struct pl_err *err);

/* Also that the blocks of all ranks are of one size. */
int pl_openmpi_check_blocks(const struct pl_call *call, struct pl_err *err);

/* A line of the fixed decision rules: for fewer ranks and fewer bytes than
 * that, unless a line before it says otherwise. */
struct pl_openmpi_rule {
	size_t ranks_below;
	uint64_t bytes_below;
	const char *name;
};

/* The name in the first line that holds; the last one must hold for all. */
const char *pl_openmpi_rule(const struct pl_openmpi_rule *rules, size_t n_pos,
			    uint64_t bytes);

/* What every rank does in that algorithm (a rule is followed), after what it
 * does in the script so far: from or to rank 0, with the library's own radix
 * and no segments. 0, or -1 with @err set. */
int pl_openmpi_then(struct pl_script *s, enum pl_collective collective,
		    const char *name, const struct pl_call *call,
		    struct pl_err *err);

/* A hop from every rank to the next, closed. 0, or -1 with @err set. */
int pl_openmpi_ring_shape(struct pl_shape *shape, size_t n_pos, double times,
			  double bytes, struct pl_err *err);

/* The sum of the rounds of that algorithm. 0, or -1 with @err set. */
int pl_openmpi_rounds_shape(struct pl_shape *shape,
			    enum pl_collective collective, const char *name,
			    const struct pl_call *call, struct pl_err *err);

/* all-reduce */
int pl_openmpi_allreduce_linear(struct pl_script *s, const struct pl_call *call,
				struct pl_err *err);
int pl_openmpi_allreduce_nonoverlapping(struct pl_script *s,
					const struct pl_call *call,
					struct pl_err *err);
int pl_openmpi_allreduce_recursive_doubling(struct pl_script *s,
					    const struct pl_call *call,
					    struct pl_err *err);
int pl_openmpi_allreduce_ring(struct pl_script *s, const struct pl_call *call,
			      struct pl_err *err);
int pl_openmpi_allreduce_ring_shape(struct pl_shape *shape,
				    const struct pl_call *call,
				    struct pl_err *err);
/* A ring that reduces in that many turns, a segment of every block in each. */
struct pl_openmpi_ring {
	struct pl_blocks blocks;
	size_t n_phases;
};
void pl_openmpi_run_ring(struct pl_script *s,
			 const struct pl_openmpi_ring *ring);
int pl_openmpi_allreduce_segmented_ring(struct pl_script *s,
					const struct pl_call *call,
					struct pl_err *err);
int pl_openmpi_allreduce_segmented_ring_shape(struct pl_shape *shape,
					      const struct pl_call *call,
					      struct pl_err *err);
int pl_openmpi_allreduce_rabenseifner(struct pl_script *s,
				      const struct pl_call *call,
				      struct pl_err *err);
const struct pl_algorithm *
pl_openmpi_decide_allreduce(const struct pl_call *call,
			    struct pl_call *decided);

/* broadcast */
int pl_openmpi_broadcast_linear(struct pl_script *s, const struct pl_call *call,
				struct pl_err *err);
int pl_openmpi_broadcast_chain(struct pl_script *s, const struct pl_call *call,
			       struct pl_err *err);
int pl_openmpi_broadcast_chain_shape(struct pl_shape *shape,
				     const struct pl_call *call,
				     struct pl_err *err);
int pl_openmpi_broadcast_pipeline(struct pl_script *s,
				  const struct pl_call *call,
				  struct pl_err *err);
int pl_openmpi_broadcast_pipeline_shape(struct pl_shape *shape,
					const struct pl_call *call,
					struct pl_err *err);
int pl_openmpi_broadcast_split_binary(struct pl_script *s,
				      const struct pl_call *call,
				      struct pl_err *err);
int pl_openmpi_broadcast_split_binary_shape(struct pl_shape *shape,
					    const struct pl_call *call,
					    struct pl_err *err);
int pl_openmpi_broadcast_binary(struct pl_script *s, const struct pl_call *call,
				struct pl_err *err);
int pl_openmpi_broadcast_binary_shape(struct pl_shape *shape,
				      const struct pl_call *call,
				      struct pl_err *err);
int pl_openmpi_broadcast_binomial(struct pl_script *s,
				  const struct pl_call *call,
				  struct pl_err *err);
int pl_openmpi_broadcast_binomial_shape(struct pl_shape *shape,
					const struct pl_call *call,
					struct pl_err *err);
int pl_openmpi_broadcast_knomial(struct pl_script *s,
				 const struct pl_call *call,
				 struct pl_err *err);
int pl_openmpi_broadcast_knomial_shape(struct pl_shape *shape,
				       const struct pl_call *call,
				       struct pl_err *err);
int pl_openmpi_broadcast_scatter_allgather(struct pl_script *s,
					   const struct pl_call *call,
					   struct pl_err *err);
int pl_openmpi_broadcast_scatter_allgather_ring(struct pl_script *s,
						const struct pl_call *call,
						struct pl_err *err);
int pl_openmpi_broadcast_scatter_allgather_ring_shape(
	struct pl_shape *shape, const struct pl_call *call, struct pl_err *err);
const struct pl_algorithm *
pl_openmpi_decide_broadcast(const struct pl_call *call,
			    struct pl_call *decided);

/* reduce */
int pl_openmpi_reduce_linear(struct pl_script *s, const struct pl_call *call,
			     struct pl_err *err);
int pl_openmpi_reduce_chain(struct pl_script *s, const struct pl_call *call,
			    struct pl_err *err);
int pl_openmpi_reduce_chain_shape(struct pl_shape *shape,
				  const struct pl_call *call,
				  struct pl_err *err);
int pl_openmpi_reduce_pipeline(struct pl_script *s, const struct pl_call *call,
			       struct pl_err *err);
int pl_openmpi_reduce_pipeline_shape(struct pl_shape *shape,
				     const struct pl_call *call,
				     struct pl_err *err);
int pl_openmpi_reduce_binary(struct pl_script *s, const struct pl_call *call,
			     struct pl_err *err);
int pl_openmpi_reduce_binary_shape(struct pl_shape *shape,
				   const struct pl_call *call,
				   struct pl_err *err);
int pl_openmpi_reduce_binomial(struct pl_script *s, const struct pl_call *call,
			       struct pl_err *err);
int pl_openmpi_reduce_binomial_shape(struct pl_shape *shape,
				     const struct pl_call *call,
				     struct pl_err *err);
int pl_openmpi_reduce_in_order_binary(struct pl_script *s,
				      const struct pl_call *call,
				      struct pl_err *err);
int pl_openmpi_reduce_in_order_binary_shape(struct pl_shape *shape,
					    const struct pl_call *call,
					    struct pl_err *err);
int pl_openmpi_reduce_rabenseifner(struct pl_script *s,
				   const struct pl_call *call,
				   struct pl_err *err);
const struct pl_algorithm *pl_openmpi_decide_reduce(const struct pl_call *call,
						    struct pl_call *decided);

/* all-gather */
int pl_openmpi_allgather_linear(struct pl_script *s, const struct pl_call *call,
				struct pl_err *err);
int pl_openmpi_allgather_bruck(struct pl_script *s, const struct pl_call *call,
			       struct pl_err *err);
int pl_openmpi_allgather_recursive_doubling(struct pl_script *s,
					    const struct pl_call *call,
					    struct pl_err *err);
int pl_openmpi_allgather_ring(struct pl_script *s, const struct pl_call *call,
			      struct pl_err *err);
int pl_openmpi_allgather_ring_shape(struct pl_shape *shape,
				    const struct pl_call *call,
				    struct pl_err *err);
int pl_openmpi_allgather_neighbor(struct pl_script *s,
				  const struct pl_call *call,
				  struct pl_err *err);
int pl_openmpi_allgather_neighbor_shape(struct pl_shape *shape,
					const struct pl_call *call,
					struct pl_err *err);
int pl_openmpi_allgather_two_proc(struct pl_script *s,
				  const struct pl_call *call,
				  struct pl_err *err);
const struct pl_algorithm *
pl_openmpi_decide_allgather(const struct pl_call *call,
			    struct pl_call *decided);

/* reduce-scatter: MPI_Reduce_scatter, blocks of pl_blocks */
int pl_openmpi_reduce_scatter_nonoverlapping(struct pl_script *s,
					     const struct pl_call *call,
					     struct pl_err *err);
int pl_openmpi_reduce_scatter_recursive_halving(struct pl_script *s,
						const struct pl_call *call,
						struct pl_err *err);
int pl_openmpi_reduce_scatter_ring(struct pl_script *s,
				   const struct pl_call *call,
				   struct pl_err *err);
int pl_openmpi_reduce_scatter_ring_shape(struct pl_shape *shape,
					 const struct pl_call *call,
					 struct pl_err *err);
int pl_openmpi_reduce_scatter_butterfly(struct pl_script *s,
					const struct pl_call *call,
					struct pl_err *err);
const struct pl_algorithm *
pl_openmpi_decide_reduce_scatter(const struct pl_call *call,
				 struct pl_call *decided);

/* of MPI_Reduce_scatter_block, equal blocks ("block-...") */
int pl_openmpi_reduce_scatter_block_linear(struct pl_script *s,
					   const struct pl_call *call,
					   struct pl_err *err);
int pl_openmpi_reduce_scatter_block_recursive_doubling(
	struct pl_script *s, const struct pl_call *call, struct pl_err *err);
int pl_openmpi_reduce_scatter_block_recursive_halving(
	struct pl_script *s, const struct pl_call *call, struct pl_err *err);
int pl_openmpi_reduce_scatter_block_butterfly(struct pl_script *s,
					      const struct pl_call *call,
					      struct pl_err *err);
const struct pl_algorithm *
pl_openmpi_decide_reduce_scatter_block(const struct pl_call *call,
				       struct pl_call *decided);

/* barrier */
int pl_openmpi_barrier_linear(struct pl_script *s, const struct pl_call *call,
			      struct pl_err *err);
int pl_openmpi_barrier_double_ring(struct pl_script *s,
				   const struct pl_call *call,
				   struct pl_err *err);
int pl_openmpi_barrier_double_ring_shape(struct pl_shape *shape,
					 const struct pl_call *call,
					 struct pl_err *err);
int pl_openmpi_barrier_recursive_doubling(struct pl_script *s,
					  const struct pl_call *call,
					  struct pl_err *err);
int pl_openmpi_barrier_bruck(struct pl_script *s, const struct pl_call *call,
			     struct pl_err *err);
int pl_openmpi_barrier_two_proc(struct pl_script *s, const struct pl_call *call,
				struct pl_err *err);
int pl_openmpi_barrier_tree(struct pl_script *s, const struct pl_call *call,
			    struct pl_err *err);
const struct pl_algorithm *pl_openmpi_decide_barrier(const struct pl_call *call,
						     struct pl_call *decided);

#endif
