/* SPDX-License-Identifier: BSD-3-Clause */
/* trees.c - trees along which libraries broadcast and reduce; what trees and rings cost */
#include "config.h"

#include "costmodels/kernels.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

void pl_span_tree_plant(struct pl_span_tree *t, size_t v, size_t parent)
{
	const size_t rank = (v + t->root) % t->n;

	t->order[t->n_planted++] = (uint32_t)rank;
	if (parent != PL_NO_RANK)
		parent = (parent + t->root) % t->n;
	t->parent[rank] = (uint32_t)parent;
}

/* ---- kinds of trees */

void pl_plant_chains(struct pl_span_tree *t)
{
	size_t n = t->radix < PL_CHAINS_MAX ? t->radix : PL_CHAINS_MAX, v = 1;

	n = n < t->n - 1 ? n : t->n - 1;
	pl_span_tree_plant(t, 0, PL_NO_RANK);
	for (size_t chain = 0; chain < n; chain++) {
		const size_t length = (t->n - 1) / n + (chain < (t->n - 1) % n);

		for (size_t i = 0; i < length; i++, v++)
			pl_span_tree_plant(t, v, i ? v - 1 : 0);
	}
}

/* Level l holds the 2^l ranks from 2^l - 1 on; their children are 2^l and 2^(l+1) behind them, so
 * that odd ranks have odd ones below them. */
void pl_plant_binary(struct pl_span_tree *t)
{
	pl_span_tree_plant(t, 0, PL_NO_RANK);
	for (size_t level = 2; level - 1 < t->n; level *= 2)
		for (size_t v = level - 1; v < t->n && v < 2 * level - 1; v++)
			pl_span_tree_plant(t, v, v < level / 2 * 3 - 1 ? v - level / 2 : v - level);
}

/* The @size ranks from @first on: the last one is on top, the right child's size / 2 ranks come
 * first and the left child's others between the two; of two ranks the lower one is the left child,
 * alone. */
static void plant_in_order(struct pl_span_tree *t, size_t first, size_t size, size_t parent)
{
	const size_t top = first + size - 1, right = size > 2 ? size / 2 : 0;

	pl_span_tree_plant(t, top, parent);
	if (size > 1)
		plant_in_order(t, first + right, size - 1 - right, top);
	if (right)
		plant_in_order(t, first, right, top);
}

void pl_plant_in_order_binary(struct pl_span_tree *t)
{
	t->root = 0; /* nothing is counted from the root, which is the last rank */
	plant_in_order(t, 0, t->n, PL_NO_RANK);
	t->root = t->n - 1;
}

/* Children: one of the bits above the rank's highest one set. */
void pl_plant_binomial(struct pl_span_tree *t)
{
	pl_span_tree_plant(t, 0, PL_NO_RANK);
	for (size_t v = 1; v < t->n; v++)
		pl_span_tree_plant(t, v, v ^ (size_t)1 << pl_log2(v));
}

/* Children: one of the bits below the rank's lowest one set. */
void pl_plant_in_order_binomial(struct pl_span_tree *t)
{
	pl_span_tree_plant(t, 0, PL_NO_RANK);
	for (size_t v = 1; v < t->n; v++)
		pl_span_tree_plant(t, v, v & (v - 1));
}

/* Children: one of the digits (base k) below the rank's lowest one that is not 0 set, the digits of
 * great weight first. */
void pl_plant_knomial(struct pl_span_tree *t)
{
	const size_t k = t->radix;
	size_t weight = 1;

	assert(k >= 2);
	while (weight < t->n)
		weight *= k;
	pl_span_tree_plant(t, 0, PL_NO_RANK);
	while ((weight /= k) > 0)
		for (size_t v = weight; v < t->n; v += weight)
			if (v / weight % k)
				pl_span_tree_plant(t, v, v / (k * weight) * (k * weight));
}

/* ---- the tree */

/* The lists of children; then depths, from the root down. */
static void link_ranks(struct pl_span_tree *t)
{
	uint32_t *queue = t->order; /* when it is read */
	size_t n = 1;

	for (size_t r = 0; r < t->n; r++)
		if (t->parent[r] != PL_NO_RANK)
			t->first[t->parent[r] + 2]++;
	for (size_t r = 2; r < t->n + 2; r++)
		t->first[r] += t->first[r - 1];
	for (size_t i = 0; i < t->n; i++)
		if (t->parent[t->order[i]] != PL_NO_RANK)
			t->child[t->first[t->parent[t->order[i]] + 1]++] = t->order[i];
	queue[0] = (uint32_t)t->root;
	for (size_t i = 0; i < t->n; i++) {
		const uint32_t rank = queue[i];

		assert(i < n);
		t->deepest = t->depth[rank];
		for (size_t k = t->first[rank]; k < t->first[rank + 1]; k++) {
			t->depth[t->child[k]] = t->depth[rank] + 1;
			queue[n++] = t->child[k];
		}
	}
}

int pl_span_tree_init(struct pl_span_tree *t, pl_plant_fn *plant, size_t n, size_t root,
		      size_t radix, struct pl_err *err)
{
	*t = (struct pl_span_tree){.n = n, .root = root, .radix = radix};
	t->parent = pl_array_create(5 * n + 2, sizeof(*t->parent));
	if (!t->parent)
		return pl_err_nomem(err);
	t->depth = t->parent + n;
	t->child = t->depth + n;
	t->order = t->child + n;
	t->first = t->order + n;
	plant(t);
	assert(t->n_planted == n);
	link_ranks(t);
	return 0;
}

void pl_span_tree_fini(struct pl_span_tree *t)
{
	free(t->parent);
}

size_t pl_span_tree_n_children(const struct pl_span_tree *t, size_t rank)
{
	return t->first[rank + 1] - t->first[rank];
}

void pl_shape_put_tree(struct pl_shape *shape, const struct pl_span_tree *t, struct pl_hop hop,
		       bool up, bool by_level)
{
	const uint32_t group = hop.group;

	for (size_t rank = 0; rank < t->n; rank++) {
		if (t->parent[rank] == PL_NO_RANK)
			continue;
		hop.src = up ? (uint32_t)rank : t->parent[rank];
		hop.dst = up ? t->parent[rank] : (uint32_t)rank;
		hop.group = group + (by_level ? t->depth[rank] - 1 : 0);
		pl_shape_put(shape, hop);
	}
}

/* ---- objectives */

int pl_ring_objective(struct pl_shape *shape, const struct pl_algorithm *a,
		      const struct pl_call *call, struct pl_err *err)
{
	const size_t n = call->n_pos;
	const struct pl_hop hop = {
		.times = (double)(a->laps * n - a->less) / (double)n,
		.bytes = (double)call->bytes / (a->whole_blocks ? 1 : (double)n),
	};

	shape->kind = PL_SUM;
	if (call->bytes == 0 && a->impl == PL_MPICH)
		return 0;
	return pl_shape_add_ring(shape, n, a->down ? n - 1 : 1, hop, err);
}

int pl_tree_objective(struct pl_shape *shape, const struct pl_algorithm *a,
		      const struct pl_call *call, struct pl_err *err)
{
	if (pl_algorithm_rounds(a, call, shape, err))
		return -1;
	if (call->slots > 1 && a->whole)
		return 0;
	shape->kind = PL_LONGEST_PATH;
	shape->n_groups = shape->n_hops > 0;
	for (size_t i = 0; i < shape->n_hops; i++)
		shape->hop[i].group = 0;
	return 0;
}

int pl_trees_objective(struct pl_shape *shape, const struct pl_algorithm *a,
		       const struct pl_call *call, struct pl_err *err)
{
	const uint32_t n_trees = a->two_trees ? 2 : 1;
	struct pl_hop hop = {.times = (double)a->laps, .bytes = (double)call->bytes / n_trees};

	shape->kind = PL_LONGEST_PATH;
	for (; hop.group < n_trees; hop.group++) {
		struct pl_span_tree t;

		if (pl_span_tree_init(&t, a->plant, call->n_pos, 0, hop.group, err)) {
			pl_shape_fini(shape);
			return -1;
		}
		pl_shape_put_tree(shape, &t, hop, false, false);
		pl_span_tree_fini(&t);
	}
	return 0;
}
