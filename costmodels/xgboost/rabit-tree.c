/* SPDX-License-Identifier: BSD-3-Clause */
/* rabit-tree.c - rabit's all-reduce along a tree, up to XGBoost 2.0 */
/*
 *          0            of 7: the tracker takes the binary tree of a heap and
 *        /   \          numbers it anew, so that a ring of rising ranks goes
 *       1     6         along its edges where it can: a node, its first child's
 *      / \   / \        nodes, then those of its last child from behind
 *     2   3 5   4
 *
 * The whole buffer goes up to the root, where a rank sends when it has added up
 * what all its children sent, and then down: 2 (N - 1) messages. Cost: twice
 * the longest path between the root and a leaf. Buffers of more than 1 MiB,
 * which rabit sends along the tree only if told to, would go in pieces of that
 * size; here they do not.
 */
#include "config.h"

#include "costmodels/xgboost/algorithms.h"

#include "base/mem.h"

#include <stdlib.h>

/* A rank's place in the tree, whose root is rank 0. */
struct node {
	uint32_t parent; /* of the root: not set */
	uint32_t child[2];
	uint32_t n_children, depth; /* of the root: 0 */
};

/* Nodes of the heap of @n below @top, and @top. */
static size_t nodes_below(size_t top, size_t n)
{
	size_t count = 0;

	for (size_t first = top, last = top; first < n; first = 2 * first + 1, last = 2 * last + 2)
		count += (last < n ? last : n - 1) - first + 1;
	return count;
}

/* The children of a node of the heap, in the order in which the tracker goes
 * through them: that of a set of two small numbers in CPython, by the number
 * modulo 8. How many there are. */
static uint32_t children(size_t top, size_t n, size_t child[2])
{
	const size_t first = top % 4 == 3;

	child[first] = 2 * top + 1;
	child[!first] = 2 * top + 2;
	if (2 * top + 2 < n)
		return 2;
	child[0] = 2 * top + 1;
	return child[0] < n;
}

/* A node of the heap, its rank, and whether the ranks of the nodes below it
 * fall. */
struct place {
	size_t top, rank;
	bool falls;
};

static size_t step(size_t rank, size_t by, bool falls)
{
	return falls ? rank - by : rank + by;
}

static void number(struct node *node, size_t n, struct place at)
{
	struct node *here = &node[at.rank];
	size_t next = step(at.rank, 1, at.falls), child[2];

	here->n_children = children(at.top, n, child);
	for (uint32_t i = 0; i < here->n_children; i++) {
		const size_t below = nodes_below(child[i], n);
		struct place to = {.top = child[i], .rank = next, .falls = at.falls};

		if (i + 1 == here->n_children) {
			to.rank = step(next, below - 1, at.falls);
			to.falls = !at.falls;
		}
		here->child[i] = (uint32_t)to.rank;
		node[to.rank].parent = (uint32_t)at.rank;
		node[to.rank].depth = here->depth + 1;
		number(node, n, to);
		next = step(next, below, at.falls);
	}
}

/* The tree that rabit's tracker gives to n ranks, [n] by rank. */
static struct node *tree_of(size_t n, struct pl_err *err)
{
	struct node *node = pl_array_create(n, sizeof(*node));

	if (!node) {
		pl_err_nomem(err);
		return NULL;
	}
	node[0].depth = 0;
	number(node, n, (struct place){.top = 0, .rank = 0, .falls = false});
	return node;
}

/* @levels: of the tree below its root. */
static void run_rank(struct pl_script *s, const struct node *node, uint32_t levels, uint64_t bytes)
{
	pl_script_data(s, 0, PL_ADDS);
	for (uint32_t i = 0; i < node->n_children; i++)
		pl_script_irecv(s, node->child[i], bytes);
	pl_script_wait_all(s);
	for (uint32_t i = 0; i < node->n_children; i++)
		pl_script_reduce(s, bytes);
	if (node->depth) {
		pl_script_round(s, levels - node->depth);
		pl_script_send(s, node->parent, bytes);
		pl_script_data(s, 0, PL_STORES);
		pl_script_recv(s, node->parent, bytes);
	}
	pl_script_round(s, levels + node->depth);
	for (uint32_t i = 0; i < node->n_children; i++)
		pl_script_isend(s, node->child[i], bytes);
}

int pl_rabit_up_and_down(struct pl_script *s, const struct pl_call *call, struct pl_err *err)
{
	struct node *node = tree_of(call->n_pos, err);
	uint32_t levels = 0;

	if (!node)
		return -1;
	for (size_t n = call->n_pos; n > 1; n /= 2)
		levels++;
	for (size_t rank = 0; call->bytes > 0 && rank < call->n_pos; rank++) {
		pl_script_rank(s, rank);
		run_rank(s, &node[rank], levels, call->bytes);
	}
	free(node);
	return 0;
}

int pl_rabit_up_and_down_shape(struct pl_shape *shape, const struct pl_call *call,
			       struct pl_err *err)
{
	struct node *node = tree_of(call->n_pos, err);
	int rc = node ? 0 : -1;

	*shape = (struct pl_shape){.kind = PL_LONGEST_PATH, .n_pos = call->n_pos};
	for (size_t rank = 1; rc == 0 && rank < call->n_pos; rank++)
		rc = pl_shape_add(shape,
				  (struct pl_hop){.src = node[rank].parent,
						  .dst = (uint32_t)rank,
						  .times = 2,
						  .bytes = (double)call->bytes},
				  err);
	free(node);
	return rc;
}
