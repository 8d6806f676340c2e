/* SPDX-License-Identifier: BSD-3-Clause */
/* reduce-tree.c - reduce along a tree, in segments: five algorithms */
/*
 *   3 ==0,1==> 1 ==0,1,2==> root    a rank adds up what its children send of a
 *   4 ==0,1==> 2 ==0,1,2==>         segment, then sends the sum to its parent
 *
 * chain: as many chains as `radix` says (coll_tuned_reduce_algorithm_chain_
 * fanout, 4); pipeline: one chain; binary; binomial (the in-order one, which is
 * not that of the broadcast); in-order-binary. The trees are drawn in trees.h.
 *
 * Messages: N - 1 for each segment. Round of the textbooks: the number of the
 * segment plus how much higher the receiver stands than the lowest rank could,
 * so depth + segments - 1 in all. Cost: the longest path from a leaf to the
 * root (pl_openmpi_tree_shape).
 *
 * A rank takes its children one after the other, in the order of trees.h, and
 * has the receive of one more message posted while it waits for the one it will
 * add; the blocking send to its parent comes between. Leaves send their
 * segments one after the other, without limit
 * (coll_tuned_reduce_algorithm_max_requests 0). The in-order tree always ends
 * at the last rank, which sends the result to the root in one message (and one
 * round) more where it is not the root itself; the cost is then that of the
 * levels of the tree, one after the other, and of that message.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/segments.h"
#include "costmodels/openmpi/trees.h"

#define CHAINS 4

struct job {
	struct pl_openmpi_tree tree;
	struct pl_openmpi_segments segments;
	uint32_t depth; /* of the tree */
};

static void send_up(struct pl_script *s, const struct job *job, const struct pl_openmpi_node *node,
		    size_t segment)
{
	if (node->depth == 0)
		return;
	pl_script_round(s, (uint32_t)segment + job->depth - (uint32_t)node->depth);
	pl_script_data(s, pl_openmpi_segment_at(&job->segments, segment), PL_ADDS);
	pl_script_send(s, node->parent, pl_openmpi_segment_bytes(&job->segments, segment));
}

/* What comes in is numbered through: all children of a segment, then the next
 * segment. */
static struct pl_request receive(struct pl_script *s, const struct job *job,
				 const struct pl_openmpi_node *node, size_t number)
{
	const size_t segment = number / node->n_children;

	pl_script_data(s, pl_openmpi_segment_at(&job->segments, segment), PL_ADDS);
	return pl_script_irecv(s, pl_openmpi_child(node, number % node->n_children),
			       pl_openmpi_segment_bytes(&job->segments, segment));
}

static void run_inner(struct pl_script *s, const struct job *job,
		      const struct pl_openmpi_node *node)
{
	const size_t n = job->segments.n * node->n_children;
	struct pl_request next = receive(s, job, node, 0);

	for (size_t i = 0; i < n; i++) {
		const struct pl_request now = next;
		const size_t segment = i / node->n_children;

		if (i + 1 < n)
			next = receive(s, job, node, i + 1);
		pl_script_wait(s, now);
		pl_script_reduce(s, pl_openmpi_segment_bytes(&job->segments, segment));
		if (i % node->n_children == node->n_children - 1)
			send_up(s, job, node, segment);
	}
}

static void run_rank(struct pl_script *s, const struct job *job, size_t rank)
{
	const struct pl_openmpi_node node = pl_openmpi_node(&job->tree, rank);

	pl_script_rank(s, rank);
	if (node.n_children > 0)
		run_inner(s, job, &node);
	for (size_t i = 0; node.n_children == 0 && i < job->segments.n; i++)
		send_up(s, job, &node, i);
}

static struct job job_of(const struct pl_call *call, enum pl_openmpi_tree_kind kind, size_t fanout)
{
	struct job job = {
		.tree = {.kind = kind,
			 .n = call->n_pos,
			 .root = kind == PL_OPENMPI_IN_ORDER_BINARY ? call->n_pos - 1 : call->root,
			 .fanout = fanout},
		.segments = pl_openmpi_segments(call),
	};

	job.depth = (uint32_t)pl_openmpi_tree_depth(&job.tree);
	return job;
}

/* The last rank's result goes to the root. */
static void deliver(struct pl_script *s, const struct job *job, const struct pl_call *call,
		    size_t rank)
{
	pl_script_data(s, 0, PL_STORES);
	if (rank == call->root)
		pl_script_recv(s, job->tree.root, call->bytes);
	if (rank == job->tree.root) {
		pl_script_round(s, job->depth + (uint32_t)job->segments.n - 1);
		pl_script_send(s, call->root, call->bytes);
	}
}

static int run(struct pl_script *s, const struct pl_call *call, struct job job, struct pl_err *err)
{
	if (pl_openmpi_check_segments(call, err) ||
	    pl_openmpi_check_messages(&job.segments, call->n_pos, err))
		return -1;
	for (size_t rank = 0; call->n_pos > 1 && call->bytes > 0 && rank < call->n_pos; rank++) {
		run_rank(s, &job, rank);
		if (job.tree.root != call->root)
			deliver(s, &job, call, rank);
	}
	return 0;
}

static int shape_of(struct pl_shape *shape, const struct pl_call *call, struct job job,
		    struct pl_err *err)
{
	if (pl_openmpi_check_segments(call, err))
		return -1;
	return pl_openmpi_tree_shape(shape, &job.tree, &job.segments, PL_OPENMPI_UP, err);
}

static struct job chains(const struct pl_call *call)
{
	return job_of(call, PL_OPENMPI_CHAINS, call->radix ? call->radix : CHAINS);
}

int pl_openmpi_reduce_chain(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return run(s, call, chains(call), err);
}

int pl_openmpi_reduce_chain_shape(struct pl_shape *shape, const struct pl_call *call,
				  struct pl_err *err)
{
	return shape_of(shape, call, chains(call), err);
}

int pl_openmpi_reduce_pipeline(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return run(s, call, job_of(call, PL_OPENMPI_CHAINS, 1), err);
}

int pl_openmpi_reduce_pipeline_shape(struct pl_shape *shape, const struct pl_call *call,
				     struct pl_err *err)
{
	return shape_of(shape, call, job_of(call, PL_OPENMPI_CHAINS, 1), err);
}

int pl_openmpi_reduce_binary(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return run(s, call, job_of(call, PL_OPENMPI_BINARY, 0), err);
}

int pl_openmpi_reduce_binary_shape(struct pl_shape *shape, const struct pl_call *call,
				   struct pl_err *err)
{
	return shape_of(shape, call, job_of(call, PL_OPENMPI_BINARY, 0), err);
}

int pl_openmpi_reduce_binomial(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return run(s, call, job_of(call, PL_OPENMPI_IN_ORDER_BINOMIAL, 0), err);
}

int pl_openmpi_reduce_binomial_shape(struct pl_shape *shape, const struct pl_call *call,
				     struct pl_err *err)
{
	return shape_of(shape, call, job_of(call, PL_OPENMPI_IN_ORDER_BINOMIAL, 0), err);
}

int pl_openmpi_reduce_in_order_binary(struct pl_script *s, const struct pl_call *call,
				      struct pl_err *err)
{
	return run(s, call, job_of(call, PL_OPENMPI_IN_ORDER_BINARY, 0), err);
}

/* With the hop from the last rank to the root the paths are none of a
 * forest. */
int pl_openmpi_reduce_in_order_binary_shape(struct pl_shape *shape, const struct pl_call *call,
					    struct pl_err *err)
{
	const struct job job = job_of(call, PL_OPENMPI_IN_ORDER_BINARY, 0);
	struct pl_hop last = {
		.src = (uint32_t)job.tree.root,
		.dst = (uint32_t)call->root,
		.times = 1,
		.bytes = (double)call->bytes,
	};

	if (call->root == job.tree.root)
		return shape_of(shape, call, job, err);
	if (pl_openmpi_check_segments(call, err) ||
	    pl_openmpi_levels_shape(shape, &job.tree, &job.segments, PL_OPENMPI_UP, err))
		return -1;
	last.group = (uint32_t)shape->n_groups;
	if (call->bytes > 0 && pl_shape_add(shape, last, err))
		return -1;
	return 0;
}
