/* SPDX-License-Identifier: BSD-3-Clause */
/* thesis-tree.c - all-reduce up and down two binary trees, half the data
 * each */
/*
 *   ranks 0 .. 6:        3                 the same tree, every rank one less:
 *                      /   \                         2
 *                     1     5                      /   \
 *                    / \   / \                    0     4
 *                   0   2 4   6                  / \   / \
 *                                               6   1 3   5
 *
 * Cost (thesis, section 5.2.1): of the dearer tree T(0, N - 1, S), where
 *   T(i, j) = max(c(m, a)(S/2) + T(i, m - 1), c(m, b)(S/2) + T(m + 1, j))
 * for i < j, m the middle floor((i + j) / 2), a and b the roots of the two
 * parts.
 *
 * The print gives a = (3i + j)/2 - 1 and b = (i + 3j)/2 + 1, which leave the
 * range: T(0, 6) would have the children 2 and 10. Over 4 and not 2 they are
 * the middles of the parts, about (3i + j)/4 - 1/2 and (i + 3j)/4 + 1/2, and
 * that is the reading taken: a = floor((i + m - 1) / 2), b = floor((m + 1 + j)
 * / 2). Of two ranks the first is the root and has no part to its left: no hop
 * there.
 *
 * The mirrored tree is "built by decrementing each node's rank": rank r stands
 * stands where r + 1 mod N stands in the first tree, which makes most inner
 * ranks leaves. Any N goes. The cost counts a hop once, though the data goes up
 * and then down.
 */
#include "config.h"

#include "costmodels/blocks.h"
#include "costmodels/thesis/algorithms.h"

#define NONE SIZE_MAX

/* A rank in one of the trees. */
struct node {
	size_t parent, child[2]; /* NONE: there is none */
	uint32_t depth;          /* of the root: 0 */
};

struct span {
	size_t first, end; /* ranks first .. end - 1 */
};

static size_t middle(struct span s)
{
	return s.first < s.end ? (s.first + s.end - 1) / 2 : NONE;
}

/* Rank @r of the first tree over @n ranks. */
static struct node node_of(size_t n, size_t r)
{
	struct node node = {.parent = NONE};
	struct span s = {0, n};

	for (size_t m = middle(s); m != r; m = middle(s)) {
		node.parent = m;
		node.depth++;
		if (r < m)
			s.end = m;
		else
			s.first = m + 1;
	}
	node.child[0] = middle((struct span){s.first, r});
	node.child[1] = middle((struct span){r + 1, s.end});
	return node;
}

static size_t shifted(size_t r, size_t n, size_t tree)
{
	return r == NONE ? NONE : (r + n - tree) % n;
}

/* The same in tree 0 or 1. */
static struct node node_in(size_t tree, size_t n, size_t rank)
{
	struct node node = node_of(n, (rank + tree) % n);

	node.parent = shifted(node.parent, n, tree);
	node.child[0] = shifted(node.child[0], n, tree);
	node.child[1] = shifted(node.child[1], n, tree);
	return node;
}

static uint32_t height(size_t n)
{
	uint32_t h = 0;

	while (n >>= 1)
		h++;
	return h;
}

static void send_down(struct pl_script *s, const struct node *node, uint64_t bytes, uint32_t top)
{
	pl_script_round(s, top + node->depth);
	for (size_t k = 0; k < 2; k++)
		if (node->child[k] != NONE)
			pl_script_isend(s, node->child[k], bytes);
}

static void go_up(struct pl_script *s, const struct node *node, uint64_t bytes, uint32_t top)
{
	for (size_t k = 0; k < 2; k++)
		if (node->child[k] != NONE) {
			pl_script_recv(s, node->child[k], bytes);
			pl_script_reduce(s, bytes);
		}
	pl_script_round(s, top - node->depth);
	if (node->parent != NONE)
		pl_script_isend(s, node->parent, bytes);
	else
		send_down(s, node, bytes, top);
}

static size_t is_leaf(const struct node *node)
{
	return node->child[0] == NONE && node->child[1] == NONE;
}

/*
 * Where a rank is a leaf it is first on the way up and last on the way down, so
 * that nobody waits for it longer than for the tree; where it is inner in
 * both trees, tree 0 goes first. So what passes through tree 0 never waits for
 * tree 1, and nothing can lock.
 */
static void run_rank(struct pl_script *s, const struct pl_blocks *halves, size_t n, size_t rank)
{
	const struct node node[2] = {node_in(0, n, rank), node_in(1, n, rank)};
	const size_t up_first = is_leaf(&node[1]);
	const size_t down_first = is_leaf(&node[0]);
	const uint32_t top = height(n);

	pl_script_rank(s, rank);
	for (size_t k = 0; k < 2; k++) {
		const size_t tree = up_first ^ k;

		pl_script_tag(s, (uint32_t)tree);
		pl_script_data(s, pl_block_at(halves, tree), PL_ADDS);
		go_up(s, &node[tree], pl_block_bytes(halves, tree), top);
	}
	for (size_t k = 0; k < 2; k++) {
		const size_t tree = down_first ^ k;
		const uint64_t bytes = pl_block_bytes(halves, tree);

		if (node[tree].parent == NONE)
			continue;
		pl_script_tag(s, (uint32_t)tree);
		pl_script_data(s, pl_block_at(halves, tree), PL_STORES);
		pl_script_recv(s, node[tree].parent, bytes);
		send_down(s, &node[tree], bytes, top);
	}
}

int pl_thesis_tree(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	const struct pl_blocks halves = {call->bytes, call->element_bytes, 2};

	(void)err;
	for (size_t rank = 0; rank < call->n_pos; rank++)
		run_rank(s, &halves, call->n_pos, rank);
	return 0;
}

int pl_thesis_tree_shape(struct pl_shape *shape, const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;

	*shape = (struct pl_shape){.kind = PL_LONGEST_PATH, .n_pos = n};
	for (size_t i = 0; i < 2 * n; i++) {
		const size_t tree = i / n, rank = i % n;
		const size_t parent = node_in(tree, n, rank).parent;

		if (parent == NONE)
			continue;
		if (pl_shape_add(shape,
				 (struct pl_hop){.src = (uint32_t)parent,
						 .dst = (uint32_t)rank,
						 .group = (uint32_t)tree,
						 .times = 1,
						 .bytes = (double)call->bytes / 2},
				 err))
			return -1;
	}
	return 0;
}
