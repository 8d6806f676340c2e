/* SPDX-License-Identifier: BSD-3-Clause */
/* nccl-tree.c - all-reduce up and down NCCL's double binary tree of nodes */
/*
 *   tree 0 of 8 nodes:   0            tree 1:             7
 *                        |            (8 is even:         |
 *                        4             the mirror)        3
 *                      /   \                            /   \
 *                     2     6                          5     1
 *                    / \   / \                        / \   / \
 *                   1   3 5   7                      6   4 2   0
 *
 * The parent of node r > 0 in tree 0: b being the lowest bit of r, it is r with
 * that bit moved one up (r - b, bit 2b set), or, where that is no node, r - b.
 * Tree 1 is tree 0 mirrored (r for n - 1 - r) for even n, else shifted by one
 * (r for r - 1 mod n). The root has one child; no node is inner in both trees
 * when n is even.
 *
 * Half the data goes up and down each tree, in chunks of 512 KiB (one buffer
 * step; or the call's segment): 2 (n - 1) messages a chunk. Up and down run at
 * the same time, as do the trees; a node's program here takes things in the
 * order in which they would come if all hops took alike long: chunk k leaves
 * depth d for the root at tick k + D - d and for the leaves at tick k + D + d,
 * D being the deepest.
 *
 * Mirrors: src/graph/trees.cc (ncclGetDtree), connect.cc (connectTrees),
 * src/device/all_reduce.h (runTreeSplit). Inside a node the library has a
 * chain, which no order of nodes changes.
 *
 * Objective: the longest way from a root to a leaf, there and back, every hop
 * with all bytes of its tree; of the two trees the dearer.
 */
#include "config.h"

#include "base/mem.h"
#include "costmodels/blocks.h"
#include "costmodels/nccl/algorithms.h"
#include "costmodels/nccl/nccl-link.h"

#include <stdbool.h>
#include <stdlib.h>

/* In the first tree. */
static size_t parent_of(size_t n, size_t r)
{
	const size_t bit = r & (~r + 1), up = (r ^ bit) | bit << 1;

	if (r == 0)
		return PL_NCCL_NONE;
	return up < n ? up : r ^ bit;
}

size_t pl_nccl_tree_parent(size_t tree, size_t n, size_t node)
{
	size_t up;

	if (tree == 0)
		return parent_of(n, node);
	if (n % 2 == 0) {
		up = parent_of(n, n - 1 - node);
		return up == PL_NCCL_NONE ? up : n - 1 - up;
	}
	up = parent_of(n, (node + n - 1) % n);
	return up == PL_NCCL_NONE ? up : (up + 1) % n;
}

/* A node in one of the trees. */
struct place {
	size_t parent, child[2], n_children;
	uint64_t depth;
};

struct trees {
	const struct pl_call *call;
	size_t n_nodes;
	struct place *place[2]; /* [n_nodes] each */
	uint64_t deepest;       /* of both: they are alike */
	uint64_t at[2], bytes[2], chunk_bytes, n_chunks[2];
};

static void trees_fini(struct trees *t)
{
	free(t->place[0]);
	free(t->place[1]);
}

static void plant(struct trees *t, size_t tree)
{
	const size_t n = t->n_nodes;

	for (size_t v = 0; v < n; v++) {
		struct place *p = &t->place[tree][v];

		p->parent = pl_nccl_tree_parent(tree, n, v);
		for (size_t u = p->parent; u != PL_NCCL_NONE; p->depth++)
			u = pl_nccl_tree_parent(tree, n, u);
		if (p->depth > t->deepest)
			t->deepest = p->depth;
		if (p->parent != PL_NCCL_NONE) {
			struct place *up = &t->place[tree][p->parent];

			up->child[up->n_children++] = v;
		}
	}
}

static int trees_init(struct trees *t, const struct pl_call *call, struct pl_err *err)
{
	const struct pl_blocks halves = {call->bytes, call->element_bytes, 2};

	*t = (struct trees){.call = call};
	if (pl_nccl_count_nodes(call, &t->n_nodes, err))
		return -1;
	t->chunk_bytes = pl_nccl_elements(call, PL_NCCL_STEP_BYTES) * call->element_bytes;
	for (size_t i = 0; i < 2; i++) {
		t->at[i] = pl_block_at(&halves, i);
		t->bytes[i] = pl_block_bytes(&halves, i);
		t->n_chunks[i] = t->bytes[i] / t->chunk_bytes + (t->bytes[i] % t->chunk_bytes != 0);
		t->place[i] = pl_array_create(t->n_nodes, sizeof(*t->place[i]));
	}
	if (!t->place[0] || !t->place[1]) {
		trees_fini(t);
		return pl_err_nomem(err);
	}
	plant(t, 0);
	plant(t, 1);
	return 0;
}

/* A node's connections in a tree; at the root there are none up. */
struct lanes {
	const struct trees *t;
	const struct place *place;
	size_t tree;
	struct pl_nccl_link from_child[2], to_child[2], from_parent, to_parent;
	struct pl_request room[6][PL_NCCL_STEPS];
};

static void lanes_init(struct lanes *l, const struct trees *t, size_t tree, size_t node)
{
	struct pl_nccl_link *links[] = {&l->from_child[0], &l->from_child[1], &l->to_child[0],
					&l->to_child[1],   &l->from_parent,   &l->to_parent};
	const struct place *p = &t->place[tree][node];
	const uint32_t up = (uint32_t)(2 * tree), down = up + 1;
	const size_t parent = p->parent == PL_NCCL_NONE ? 0 : p->parent;
	const size_t peer[] = {p->child[0], p->child[1], p->child[0], p->child[1], parent, parent};
	const uint32_t tag[] = {up, up, down, down, down, up};

	*l = (struct lanes){.t = t, .place = p, .tree = tree};
	for (size_t i = 0; i < 6; i++)
		*links[i] = (struct pl_nccl_link){.peer = pl_nccl_first_rank(t->call, peer[i]),
						  .tag = tag[i],
						  .n_buffers = PL_NCCL_STEPS,
						  .buffer = l->room[i]};
}

static uint64_t chunk_bytes(const struct lanes *l, uint64_t k)
{
	const uint64_t left = l->t->bytes[l->tree] - k * l->t->chunk_bytes;

	return left < l->t->chunk_bytes ? left : l->t->chunk_bytes;
}

/* The next messages are of chunk @k. */
static void of_chunk(struct pl_script *s, const struct lanes *l, uint64_t k, enum pl_taking taking)
{
	pl_script_data(s, l->t->at[l->tree] + k * l->t->chunk_bytes, taking);
}

/* Posts receives as far as there are buffers. */
static void post(struct pl_script *s, struct lanes *l, struct pl_nccl_link *link)
{
	while (link->posted < l->t->n_chunks[l->tree] &&
	       link->posted - link->taken < PL_NCCL_STEPS) {
		of_chunk(s, l, link->posted, link == &l->from_parent ? PL_STORES : PL_ADDS);
		pl_nccl_expect(s, link, chunk_bytes(l, link->posted));
	}
}

static void take(struct pl_script *s, struct lanes *l, struct pl_nccl_link *link)
{
	pl_nccl_take(s, link);
	post(s, l, link);
}

static void post_first(struct pl_script *s, struct lanes *l)
{
	for (size_t i = 0; i < l->place->n_children; i++)
		post(s, l, &l->from_child[i]);
	if (l->place->parent != PL_NCCL_NONE)
		post(s, l, &l->from_parent);
}

static void down(struct pl_script *s, struct lanes *l, uint64_t k)
{
	if (l->place->parent != PL_NCCL_NONE)
		take(s, l, &l->from_parent);
	pl_script_round(s, (uint32_t)(k + l->t->deepest + l->place->depth));
	of_chunk(s, l, k, PL_STORES);
	for (size_t i = 0; i < l->place->n_children; i++)
		pl_nccl_send(s, &l->to_child[i], chunk_bytes(l, k));
}

static void up(struct pl_script *s, struct lanes *l, uint64_t k)
{
	for (size_t i = 0; i < l->place->n_children; i++) {
		take(s, l, &l->from_child[i]);
		pl_script_reduce(s, chunk_bytes(l, k));
	}
	pl_script_round(s, (uint32_t)(k + l->t->deepest - l->place->depth));
	of_chunk(s, l, k, PL_ADDS);
	if (l->place->parent == PL_NCCL_NONE)
		down(s, l, k);
	else
		pl_nccl_send(s, &l->to_parent, chunk_bytes(l, k));
}

/* Does chunk @tick - @late exist? */
static bool due(const struct lanes *l, uint64_t tick, uint64_t late)
{
	return tick >= late && tick - late < l->t->n_chunks[l->tree];
}

static void run_node(struct pl_script *s, const struct trees *t, size_t node)
{
	const uint64_t last = t->n_chunks[0] + 2 * t->deepest;
	struct lanes lanes[2];

	lanes_init(&lanes[0], t, 0, node);
	lanes_init(&lanes[1], t, 1, node);
	post_first(s, &lanes[0]);
	post_first(s, &lanes[1]);
	for (uint64_t tick = 0; tick < last; tick++)
		for (size_t tree = 0; tree < 2; tree++) {
			struct lanes *l = &lanes[tree];
			const uint64_t rise = t->deepest - l->place->depth;
			const uint64_t fall = t->deepest + l->place->depth;

			if (due(l, tick, rise))
				up(s, l, tick - rise);
			if (l->place->depth > 0 && due(l, tick, fall))
				down(s, l, tick - fall);
		}
}

int pl_nccl_allreduce_tree(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	struct trees t;
	int rc = 0;

	if (trees_init(&t, call, err))
		return -1;
	if (t.n_nodes > 1)
		rc = pl_nccl_check_messages(t.n_chunks[0], 2 * (t.n_nodes - 1), err);
	pl_nccl_know_buffer(s, call);
	for (size_t v = 0; !rc && t.n_nodes > 1 && v < t.n_nodes; v++) {
		pl_script_rank(s, pl_nccl_first_rank(call, v));
		run_node(s, &t, v);
	}
	trees_fini(&t);
	return rc;
}

int pl_nccl_allreduce_tree_shape(struct pl_shape *shape, const struct pl_call *call,
				 struct pl_err *err)
{
	size_t n;

	*shape = (struct pl_shape){.kind = PL_LONGEST_PATH, .n_pos = call->n_pos};
	if (pl_nccl_count_nodes(call, &n, err))
		return -1;
	for (size_t i = 0; i < 2 * n; i++) {
		const size_t up = pl_nccl_tree_parent(i / n, n, i % n);

		if (up == PL_NCCL_NONE)
			continue;
		if (pl_shape_add(shape,
				 (struct pl_hop){.src = (uint32_t)pl_nccl_first_rank(call, up),
						 .dst = (uint32_t)pl_nccl_first_rank(call, i % n),
						 .group = (uint32_t)(i / n),
						 .times = 2,
						 .bytes = (double)call->bytes / 2},
				 err))
			return -1;
	}
	return 0;
}
