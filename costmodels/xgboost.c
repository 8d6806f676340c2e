/* SPDX-License-Identifier: BSD-3-Clause */
/* xgboost.c - XGBoost: its rings, and rabit's ring and tree before */
/*
 * XGBoost 2.1 and later (src/collective/) run every all-reduce in a ring. Up to 2.0, rabit
 * (rabit/src/allreduce_base.cc) runs short ones along a tree, longer ones in a ring the other way
 * round. Both write into TCP sockets, without headers; histograms, most of what XGBoost adds up,
 * are doubles.
 */
#include "config.h"

#include "costmodels/kernels.h"

/* Both rules count elements. */
#define DOUBLE_BYTES 8
#define RABIT_TREE_ELEMENTS 32768 /* rabit_reduce_ring_mincount */

/* ---- rings */

/* Twice round, from a block on. */
static void reduce_and_gather(const struct pl_rank *r, struct pl_lap lap, size_t gathered,
			      size_t n_steps)
{
	lap.n_steps = r->n - 1;
	lap.taking = PL_ADDS;
	lap.round = pl_ring_lap(r, lap);
	lap.block = gathered;
	lap.n_steps = n_steps;
	lap.taking = PL_STORES;
	pl_ring_lap(r, lap);
}

/* Block r first; each block is passed once more than needed, so that a rank gets the block that it
 * has added up. The last block has what is left when the elements are divided among the ranks. */
static void ring(const struct pl_rank *r)
{
	struct pl_lap lap = {.blocks = pl_blocks_even(&r->comm->call, r->n), .block = r->rank};

	lap.blocks.n_longer = 0;
	reduce_and_gather(r, lap, (r->rank + 1) % r->n, r->n);
}

/* Rabit's: downwards, block r + 1 first; blocks are rounded up. They are no messages: a rank passes
 * on what it has. */
static void rabit_ring(const struct pl_rank *r)
{
	const struct pl_lap lap = {.blocks = pl_blocks_up(&r->comm->call, r->n),
				   .block = (r->rank + 1) % r->n,
				   .down = true};

	reduce_and_gather(r, lap, r->rank, r->n - 1);
}

static int check_gather(const struct pl_call *call, struct pl_err *err)
{
	if (call->bytes <= INT64_MAX / call->n_pos)
		return 0;
	return pl_err_set(err, PL_EUSAGE, "%zu buffers of %llu bytes are more than 2^63 - 1 bytes",
			  call->n_pos, (unsigned long long)call->bytes);
}

static void gather_ring(const struct pl_rank *r)
{
	pl_ring_lap(r, (struct pl_lap){.blocks = pl_blocks_each(&r->comm->call, r->n),
				       .block = r->rank,
				       .n_steps = r->n,
				       .taking = PL_STORES});
	pl_script_reduce(r->s, (r->n - 1) * r->bytes);
}

/* ---- rabit's tree
 *
 *          0            of 7: the tracker takes the binary tree of a heap and numbers it anew, so
 *        /   \          that a ring of rising ranks goes along its edges where it can: a node, its
 *       1     6         first child's nodes, then those of its last child from behind
 *      / \   / \
 *     2   3 5   4
 *
 * Buffers of more than 1 MiB, which rabit sends along the tree only if told to, would go in pieces
 * of that size; here they do not.
 */

/* Nodes of the heap of @n below @top, and @top. */
static size_t nodes_below(size_t top, size_t n)
{
	size_t count = 0;

	for (size_t first = top, last = top; first < n; first = 2 * first + 1, last = 2 * last + 2)
		count += (last < n ? last : n - 1) - first + 1;
	return count;
}

/* The node @top of the heap, its rank and its parent's, and whether the ranks of the nodes below it
 * fall. Children come in the order in which the tracker goes through them: that of a set of two
 * small numbers in CPython, by the number modulo 8. */
static void plant_heap(struct pl_span_tree *t, size_t top, size_t rank, size_t parent, bool falls)
{
	const size_t left = 2 * top + 1, right = left + 1;
	const bool other_first = top % 4 == 3 && right < t->n;
	size_t next = falls ? rank - 1 : rank + 1;

	pl_span_tree_plant(t, rank, parent);
	for (size_t i = 0; i < 2; i++) {
		const size_t child = (i == 0) == other_first ? right : left;
		const size_t below = nodes_below(child, t->n);
		const bool last = i == 1 || right >= t->n;

		if (child >= t->n)
			continue;
		if (last)
			plant_heap(t, child, falls ? next - (below - 1) : next + (below - 1), rank,
				   !falls);
		else
			plant_heap(t, child, next, rank, falls);
		next = falls ? next - below : next + below;
	}
}

static void plant_rabit(struct pl_span_tree *t)
{
	plant_heap(t, 0, 0, PL_NO_RANK, false);
}

/* Up to the root, where a rank sends when it has added up what all its children sent, and down. */
static void rabit_tree(const struct pl_rank *r)
{
	const struct pl_span_tree *t = r->comm->tree;
	const uint32_t *child = t->child + t->first[r->rank];
	const size_t n_children = pl_span_tree_n_children(t, r->rank);

	pl_script_data(r->s, 0, PL_ADDS);
	for (size_t i = 0; i < n_children; i++)
		pl_script_irecv(r->s, child[i], r->bytes);
	pl_script_wait_all(r->s);
	pl_script_reduce(r->s, n_children * r->bytes);
	if (r->rank != t->root) {
		pl_script_round(r->s, t->deepest - t->depth[r->rank]);
		pl_script_send(r->s, t->parent[r->rank], r->bytes);
		pl_script_data(r->s, 0, PL_STORES);
		pl_script_recv(r->s, t->parent[r->rank], r->bytes);
	}
	pl_script_round(r->s, t->deepest + t->depth[r->rank]);
	for (size_t i = 0; i < n_children; i++)
		pl_script_isend(r->s, child[i], r->bytes);
}

/* ---- rules and rows */

static const struct pl_algorithm *decide(const struct pl_algorithm *rule, struct pl_call *call)
{
	const uint64_t count = call->bytes / DOUBLE_BYTES;
	const char *name = count < call->n_pos ? "all-gather-ring" : "ring";

	if (rule->name[0] == 'r')
		name = count > RABIT_TREE_ELEMENTS ? "rabit-ring" : "rabit-tree";
	return pl_catalogue_named(rule->collective, PL_XGBOOST, name);
}

const struct pl_algorithm pl_xgboost_algorithms[] = {
	{PL_ALLREDUCE, PL_XGBOOST, "default",
	 "chosen by XGBoost 2.1 and later by elements and ranks", .decide = decide},
	{PL_ALLREDUCE, PL_XGBOOST, "ring", "a ring to reduce, a ring to gather, upwards",
	 .kernel = ring, .how = PL_SENDS_EMPTY, .objective = pl_ring_objective, .laps = 2,
	 .less = 1},
	{PL_ALLREDUCE, PL_XGBOOST, "all-gather-ring",
	 "whole buffers passed round, each adds them up", .kernel = gather_ring,
	 .how = PL_SENDS_EMPTY | PL_GATHERS_BUFFERS, .check = check_gather,
	 .objective = pl_ring_objective, .laps = 1, .whole_blocks = true},
	{PL_ALLREDUCE, PL_XGBOOST, "rabit", "chosen by rabit, up to XGBoost 2.0, by elements",
	 .decide = decide},
	{PL_ALLREDUCE, PL_XGBOOST, "rabit-tree", "up a binary tree and down, its ranks renumbered",
	 .kernel = rabit_tree, .plant = plant_rabit, .objective = pl_trees_objective, .laps = 2},
	{PL_ALLREDUCE, PL_XGBOOST, "rabit-ring", "a ring to reduce, a ring to gather, downwards",
	 .kernel = rabit_ring, .how = PL_SENDS_EMPTY, .objective = pl_ring_objective, .laps = 2,
	 .less = 2, .down = true},
	{.name = NULL},
};
