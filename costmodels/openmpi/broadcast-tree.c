/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast-tree.c - broadcast along a tree, in segments: five algorithms */
/*
 *   root ==2,1,0==> 1 ==1,0==> 3      a rank sends a segment to all of its
 *        ==2,1,0==> 2 ==1,0==> 4      children before it takes the next one
 *
 * chain: as many chains as `radix` says (coll_tuned_bcast_algorithm_chain_
 * fanout, 4); pipeline: one chain; binary; binomial; knomial: `radix` is
 * coll_tuned_bcast_algorithm_knomial_radix, 4. The trees are drawn in trees.h.
 *
 * Messages: N - 1 for each segment. Round of the textbooks: the depth of the
 * sender plus the number of the segment, so depth + segments - 1 in all. Cost:
 * the longest path from the root to a leaf (pl_openmpi_tree_shape).
 *
 * A rank has the receive of one more segment posted while it waits for the one
 * it will send on, never more than two; and it waits until a segment has gone
 * to all children before it looks at the next one. The binomial tree is that of
 * the textbooks with its ranks' bits reversed: the root serves first the rank
 * next to it, which has every second rank below it.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/segments.h"
#include "costmodels/openmpi/trees.h"

#define CHAINS 4
#define KNOMIAL_RADIX 4

static void send_down(struct pl_script *s, const struct pl_openmpi_node *node,
		      const struct pl_openmpi_segments *segments, size_t i)
{
	pl_script_round(s, (uint32_t)(i + node->depth));
	pl_script_data(s, pl_openmpi_segment_at(segments, i), PL_STORES);
	for (size_t k = 0; k < node->n_children; k++)
		pl_script_isend(s, pl_openmpi_child(node, k),
				pl_openmpi_segment_bytes(segments, i));
	pl_script_wait_sends(s);
}

static struct pl_request receive(struct pl_script *s, const struct pl_openmpi_node *node,
				 const struct pl_openmpi_segments *segments, size_t i)
{
	pl_script_data(s, pl_openmpi_segment_at(segments, i), PL_STORES);
	return pl_script_irecv(s, node->parent, pl_openmpi_segment_bytes(segments, i));
}

static void run_rank(struct pl_script *s, const struct pl_openmpi_node *node,
		     const struct pl_openmpi_segments *segments)
{
	const bool is_root = node->depth == 0;
	struct pl_request next = {0};

	if (!is_root)
		next = receive(s, node, segments, 0);
	for (size_t i = 0; i < segments->n; i++) {
		const struct pl_request now = next;

		if (!is_root && i + 1 < segments->n)
			next = receive(s, node, segments, i + 1);
		if (!is_root)
			pl_script_wait(s, now);
		send_down(s, node, segments, i);
	}
}

static struct pl_openmpi_tree tree_of(const struct pl_call *call, enum pl_openmpi_tree_kind kind,
				      size_t fanout)
{
	return (struct pl_openmpi_tree){
		.kind = kind,
		.n = call->n_pos,
		.root = call->root,
		.fanout = call->radix ? call->radix : fanout,
	};
}

static struct pl_openmpi_tree one_chain(const struct pl_call *call)
{
	struct pl_openmpi_tree tree = tree_of(call, PL_OPENMPI_CHAINS, 1);

	tree.fanout = 1;
	return tree;
}

static int check(const struct pl_call *call, const struct pl_openmpi_tree *tree, struct pl_err *err)
{
	if (tree->kind == PL_OPENMPI_KNOMIAL && tree->fanout < 2)
		return pl_err_set(err, PL_EUSAGE,
				  "a k-nomial tree needs a radix of at least 2, not %zu",
				  tree->fanout);
	return pl_openmpi_check_segments(call, err);
}

static int run(struct pl_script *s, const struct pl_call *call, struct pl_openmpi_tree tree,
	       struct pl_err *err)
{
	const struct pl_openmpi_segments segments = pl_openmpi_segments(call);

	if (check(call, &tree, err) || pl_openmpi_check_messages(&segments, call->n_pos, err))
		return -1;
	for (size_t rank = 0; segments.n > 0 && rank < call->n_pos; rank++) {
		const struct pl_openmpi_node node = pl_openmpi_node(&tree, rank);

		pl_script_rank(s, rank);
		run_rank(s, &node, &segments);
	}
	return 0;
}

static int shape_of(struct pl_shape *shape, const struct pl_call *call, struct pl_openmpi_tree tree,
		    struct pl_err *err)
{
	const struct pl_openmpi_segments segments = pl_openmpi_segments(call);

	if (check(call, &tree, err))
		return -1;
	return pl_openmpi_tree_shape(shape, &tree, &segments, PL_OPENMPI_DOWN, err);
}

int pl_openmpi_broadcast_chain(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return run(s, call, tree_of(call, PL_OPENMPI_CHAINS, CHAINS), err);
}

int pl_openmpi_broadcast_chain_shape(struct pl_shape *shape, const struct pl_call *call,
				     struct pl_err *err)
{
	return shape_of(shape, call, tree_of(call, PL_OPENMPI_CHAINS, CHAINS), err);
}

int pl_openmpi_broadcast_pipeline(struct pl_script *s, const struct pl_call *call,
				  struct pl_err *err)
{
	return run(s, call, one_chain(call), err);
}

int pl_openmpi_broadcast_pipeline_shape(struct pl_shape *shape, const struct pl_call *call,
					struct pl_err *err)
{
	return shape_of(shape, call, one_chain(call), err);
}

int pl_openmpi_broadcast_binary(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	return run(s, call, tree_of(call, PL_OPENMPI_BINARY, 0), err);
}

int pl_openmpi_broadcast_binary_shape(struct pl_shape *shape, const struct pl_call *call,
				      struct pl_err *err)
{
	return shape_of(shape, call, tree_of(call, PL_OPENMPI_BINARY, 0), err);
}

int pl_openmpi_broadcast_binomial(struct pl_script *s, const struct pl_call *call,
				  struct pl_err *err)
{
	return run(s, call, tree_of(call, PL_OPENMPI_BINOMIAL, 0), err);
}

int pl_openmpi_broadcast_binomial_shape(struct pl_shape *shape, const struct pl_call *call,
					struct pl_err *err)
{
	return shape_of(shape, call, tree_of(call, PL_OPENMPI_BINOMIAL, 0), err);
}

int pl_openmpi_broadcast_knomial(struct pl_script *s, const struct pl_call *call,
				 struct pl_err *err)
{
	return run(s, call, tree_of(call, PL_OPENMPI_KNOMIAL, KNOMIAL_RADIX), err);
}

int pl_openmpi_broadcast_knomial_shape(struct pl_shape *shape, const struct pl_call *call,
				       struct pl_err *err)
{
	return shape_of(shape, call, tree_of(call, PL_OPENMPI_KNOMIAL, KNOMIAL_RADIX), err);
}
