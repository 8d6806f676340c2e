/* SPDX-License-Identifier: BSD-3-Clause */
/* broadcast-split-binary.c - broadcast of a half down each side of a binary
 * tree */
/*
 *            0
 *    left  /   \  right        1: the left half of the buffer goes down to the
 *         1     2                 odd ranks, the right half to the even ones,
 *        / \   / \                in segments
 *       3   5 4   6            2: ranks 1 and 2, 3 and 4, ... exchange halves;
 *                                 the last of an even number has its from 0
 *
 * (Ranks counted from the root.) Messages: N - 1 for each segment of a half,
 * then N - 1 halves. Round of the textbooks: in 1 the depth of the
 * sender plus the number of the segment, 2 is one round. Cost: the dearest hop
 * of each level of the tree (of all, if segments are large:
 * pl_openmpi_tree_shape) and the dearest exchange.
 *
 * The left half has the odd element. Sends are blocking here, left child first,
 * where the other trees wait for all children together. A buffer of one
 * element, or halves shorter than a segment, go down a single chain instead.
 */
#include "config.h"

#include "costmodels/openmpi/algorithms.h"
#include "costmodels/openmpi/segments.h"
#include "costmodels/openmpi/trees.h"

#include <stdbool.h>

struct halves {
	struct pl_openmpi_tree tree;
	struct pl_openmpi_segments half[2]; /* left, right */
	uint32_t exchange;                  /* the round of step 2 */
};

/* Unlike in the other trees, a segment is never rounded up, and one shorter
 * than an element is one element. */
static struct pl_openmpi_segments cut(const struct pl_call *call, uint64_t at, uint64_t bytes)
{
	struct pl_openmpi_segments s = {bytes, bytes, 1, at};

	if (call->segment_bytes == 0)
		return s;
	s.segment_bytes = call->segment_bytes / call->element_bytes * call->element_bytes;
	if (s.segment_bytes == 0)
		s.segment_bytes = call->element_bytes;
	s.n = (size_t)((bytes + s.segment_bytes - 1) / s.segment_bytes);
	return s;
}

static struct halves halve(const struct pl_call *call)
{
	const uint64_t count = call->bytes / call->element_bytes;
	const uint64_t left = (count + 1) / 2 * call->element_bytes;
	struct halves h = {
		.tree = {.kind = PL_OPENMPI_BINARY, .n = call->n_pos, .root = call->root},
		.half = {cut(call, 0, left), cut(call, left, call->bytes - left)},
	};

	h.exchange = (uint32_t)(h.half[0].n + pl_openmpi_tree_depth(&h.tree)) - 1;
	return h;
}

/* Neither half would fill a segment, or there is only one. */
static bool too_short(const struct pl_call *call, const struct halves *h)
{
	return h->half[1].bytes == 0 || call->segment_bytes > h->half[1].bytes;
}

static void send(struct pl_script *s, const struct pl_openmpi_node *node, size_t child,
		 const struct pl_openmpi_segments *half, size_t i)
{
	pl_script_data(s, pl_openmpi_segment_at(half, i), PL_STORES);
	pl_script_send(s, pl_openmpi_child(node, child), pl_openmpi_segment_bytes(half, i));
}

static struct pl_request receive(struct pl_script *s, const struct pl_openmpi_node *node,
				 const struct pl_openmpi_segments *half, size_t i)
{
	pl_script_data(s, pl_openmpi_segment_at(half, i), PL_STORES);
	return pl_script_irecv(s, node->parent, pl_openmpi_segment_bytes(half, i));
}

static void run_root(struct pl_script *s, const struct pl_openmpi_node *node,
		     const struct halves *h)
{
	for (size_t i = 0; i < h->half[0].n; i++) {
		pl_script_round(s, (uint32_t)i);
		for (size_t side = 0; side < node->n_children; side++)
			if (i < h->half[side].n)
				send(s, node, side, &h->half[side], i);
	}
}

static void run_inner(struct pl_script *s, const struct pl_openmpi_node *node,
		      const struct pl_openmpi_segments *half)
{
	struct pl_request next = receive(s, node, half, 0);

	for (size_t i = 0; i < half->n; i++) {
		const struct pl_request now = next;

		if (i + 1 < half->n)
			next = receive(s, node, half, i + 1);
		pl_script_wait(s, now);
		pl_script_round(s, (uint32_t)(i + node->depth));
		for (size_t k = 0; k < node->n_children; k++)
			send(s, node, k, half, i);
	}
}

static void run_leaf(struct pl_script *s, const struct pl_openmpi_node *node,
		     const struct pl_openmpi_segments *half)
{
	for (size_t i = 0; i < half->n; i++)
		pl_script_wait(s, receive(s, node, half, i));
}

/* Whom a rank exchanges halves with in step 2; the rank itself: with none. */
static size_t partner(const struct halves *h, size_t rank, size_t shifted)
{
	const size_t n = h->tree.n;

	if (shifted == 0 && n % 2)
		return rank;
	return (rank + (shifted % 2 ? 1 : n - 1)) % n;
}

static struct pl_range whole(const struct pl_openmpi_segments *half)
{
	return (struct pl_range){half->at, half->bytes};
}

/* Step 2; @shifted: the rank counted from the root. */
static void exchange(struct pl_script *s, const struct halves *h, size_t rank, size_t shifted)
{
	const size_t n = h->tree.n, left = shifted % 2;
	const size_t pair = partner(h, rank, shifted);

	pl_script_round(s, h->exchange);
	if (pair == rank)
		return;
	pl_script_data(s, h->half[1].at, PL_STORES);
	if (shifted == 0)
		pl_script_send(s, pair, h->half[1].bytes);
	else if (shifted == n - 1 && left)
		pl_script_recv(s, pair, h->half[1].bytes);
	else
		pl_openmpi_sendrecv(s, (struct pl_openmpi_exchange){.dst = pair,
								    .src = pair,
								    .out = whole(&h->half[!left]),
								    .in = whole(&h->half[left]),
								    .taking = PL_STORES});
}

static void run_rank(struct pl_script *s, const struct halves *h, size_t rank)
{
	const struct pl_openmpi_node node = pl_openmpi_node(&h->tree, rank);
	const struct pl_openmpi_segments *half = &h->half[node.shifted % 2 == 0];

	if (node.depth == 0)
		run_root(s, &node, h);
	else if (node.n_children > 0)
		run_inner(s, &node, half);
	else
		run_leaf(s, &node, half);
	exchange(s, h, rank, node.shifted);
}

int pl_openmpi_broadcast_split_binary(struct pl_script *s, const struct pl_call *call,
				      struct pl_err *err)
{
	const struct halves h = halve(call);

	if (pl_openmpi_check_segments(call, err))
		return -1;
	if (too_short(call, &h))
		return pl_openmpi_broadcast_pipeline(s, call, err);
	if (pl_openmpi_check_messages(&h.half[0], call->n_pos, err))
		return -1;
	for (size_t rank = 0; call->n_pos > 1 && rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		run_rank(s, &h, rank);
	}
	return 0;
}

static int add_exchange(struct pl_shape *shape, const struct halves *h, struct pl_err *err)
{
	const uint32_t group = (uint32_t)shape->n_groups;

	for (size_t rank = 0; rank < h->tree.n; rank++) {
		const size_t shifted = (rank + h->tree.n - h->tree.root) % h->tree.n;
		const size_t pair = partner(h, rank, shifted);
		const struct pl_hop hop = {
			.src = (uint32_t)rank,
			.dst = (uint32_t)pair,
			.group = group,
			.times = 1,
			.bytes = (double)h->half[shifted % 2 == 0].bytes,
		};
		/* which only receives */
		const bool last = shifted % 2 && shifted == h->tree.n - 1;

		if (pair != rank && !last && pl_shape_add(shape, hop, err))
			return -1;
	}
	return 0;
}

int pl_openmpi_broadcast_split_binary_shape(struct pl_shape *shape, const struct pl_call *call,
					    struct pl_err *err)
{
	const struct halves h = halve(call);

	if (pl_openmpi_check_segments(call, err))
		return -1;
	if (too_short(call, &h))
		return pl_openmpi_broadcast_pipeline_shape(shape, call, err);
	if (pl_openmpi_levels_shape(shape, &h.tree, &h.half[0], PL_OPENMPI_DOWN, err))
		return -1;
	return add_exchange(shape, &h, err);
}
