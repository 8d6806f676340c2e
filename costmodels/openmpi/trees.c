/* SPDX-License-Identifier: BSD-3-Clause */
/* trees.c - the trees along which Open MPI broadcasts and reduces */
#include "config.h"

#include "costmodels/openmpi/trees.h"

#include <assert.h>
#include <stdint.h>

static size_t shift(const struct pl_openmpi_tree *t, size_t rank)
{
	return (rank + t->n - t->root) % t->n;
}

static size_t unshift(const struct pl_openmpi_tree *t, size_t shifted)
{
	return (shifted + t->root) % t->n;
}

/* The n - 1 ranks behind the root in nearly equal chains, the first @longer of
 * them one rank longer than the others. */
struct chains {
	size_t n, length, longer;
};

static struct chains chains(const struct pl_openmpi_tree *t)
{
	size_t n = t->fanout ? t->fanout : 1;

	if (n > PL_OPENMPI_CHAINS_MAX)
		n = PL_OPENMPI_CHAINS_MAX;
	if (n > t->n - 1)
		n = t->n - 1;
	if (n == 0)
		return (struct chains){0};
	return (struct chains){n, (t->n - 1) / n, (t->n - 1) % n};
}

/* The first (shifted) rank of chain @i; of i = n: one behind the last. */
static size_t head(const struct chains *c, size_t i)
{
	return 1 + i * c->length + (i < c->longer ? i : c->longer);
}

static void place_in_chains(struct pl_openmpi_node *node)
{
	const struct pl_openmpi_tree *t = &node->tree;
	const struct chains c = chains(t);
	const size_t s = node->shifted;
	size_t chain;

	if (s == 0) {
		node->n_children = c.n;
		return;
	}
	if (s < head(&c, c.longer))
		chain = (s - 1) / (c.length + 1);
	else
		chain = c.longer + (s - head(&c, c.longer)) / c.length;
	node->depth = s - head(&c, chain) + 1;
	node->parent = unshift(t, node->depth == 1 ? 0 : s - 1);
	node->n_children = s + 1 < head(&c, chain + 1);
}

static size_t chain_child(const struct pl_openmpi_node *node, size_t i)
{
	const struct chains c = chains(&node->tree);

	return unshift(&node->tree, node->shifted == 0 ? head(&c, i) : node->shifted + 1);
}

/* Level l holds the 2^l ranks from 2^l - 1 on; their children are 2^l and
 * 2^(l+1) behind them, so that odd ranks have odd ones below them. */
static void place_in_binary(struct pl_openmpi_node *node)
{
	const struct pl_openmpi_tree *t = &node->tree;
	const size_t s = node->shifted;

	node->unit = 1;
	while (2 * node->unit - 1 <= s) {
		node->unit *= 2;
		node->depth++;
	}
	if (s > 0) {
		const size_t above = node->unit / 2;

		node->parent = unshift(t, s - above < node->unit - 1 ? s - above : s - 2 * above);
	}
	for (size_t i = 1; i <= 2; i++)
		node->n_children += s + i * node->unit < t->n;
}

/*
 * A subtree of @size ranks from @first on has its last rank on top, the right
 * child's size / 2 ranks first and the left child's others between the two.
 * Leaves the top of the rank's own subtree in unit (its first) and shifted
 * (its size).
 */
static void place_in_order(struct pl_openmpi_node *node, size_t rank)
{
	size_t first = 0, size = node->tree.n;

	while (rank != first + size - 1) {
		const size_t right = size / 2, top = first + size - 1;

		/* of two ranks the lower one is the left child, alone */
		node->parent = top;
		node->depth++;
		if (size > 2 && rank >= first + right) {
			first += right;
			size -= right + 1;
		} else {
			size = size > 2 ? right : 1;
		}
	}
	node->unit = first;
	node->shifted = size;
	node->n_children = size > 2 ? 2 : size - 1;
}

static size_t in_order_child(const struct pl_openmpi_node *node, size_t i)
{
	const size_t first = node->unit, size = node->shifted;

	return i == 0 ? first + size - 2 : first + size / 2 - 1;
}

/* Children: the highest bit of the rank and above set, one each. */
static void place_in_binomial(struct pl_openmpi_node *node)
{
	const struct pl_openmpi_tree *t = &node->tree;
	const size_t s = node->shifted;

	node->unit = 1;
	while (node->unit <= s)
		node->unit *= 2;
	if (s > 0)
		node->parent = unshift(t, s - node->unit / 2);
	for (size_t mask = node->unit; s + mask < t->n; mask *= 2)
		node->n_children++;
	node->depth = (size_t)__builtin_popcountll(s);
}

/* Children: one of the bits below the rank's lowest one set. */
static void place_in_order_binomial(struct pl_openmpi_node *node)
{
	const struct pl_openmpi_tree *t = &node->tree;
	const size_t s = node->shifted, lowest = s & (~s + 1);

	node->unit = 1;
	if (s > 0)
		node->parent = unshift(t, s - lowest);
	for (size_t mask = 1; s + mask < t->n && (s == 0 || mask < lowest); mask *= 2)
		node->n_children++;
	node->depth = (size_t)__builtin_popcountll(s);
}

/* How many children differ from the rank in the digit of that weight. */
static size_t children_at(const struct pl_openmpi_node *node, size_t weight)
{
	const size_t there = (node->tree.n - 1 - node->shifted) / weight;

	return there < node->tree.fanout - 1 ? there : node->tree.fanout - 1;
}

/* Children: one of the digits (base k) below the rank's lowest one that is not
 * 0 set, great digits first. The parent has that lowest digit 0. */
static void place_in_knomial(struct pl_openmpi_node *node)
{
	const struct pl_openmpi_tree *t = &node->tree;
	const size_t s = node->shifted, k = t->fanout;
	size_t weight = 1;

	assert(k >= 2);
	while (weight < t->n && s % (k * weight) == 0)
		weight *= k;
	if (s > 0)
		node->parent = unshift(t, s / (k * weight) * (k * weight));
	node->unit = weight / k; /* of its greatest children; 0: no child */
	for (weight = node->unit; weight > 0; weight /= k)
		node->n_children += children_at(node, weight);
	for (size_t rest = s; rest > 0; rest /= k)
		node->depth += rest % k != 0;
}

static size_t knomial_child(const struct pl_openmpi_node *node, size_t i)
{
	size_t weight = node->unit;

	while (i >= children_at(node, weight)) {
		i -= children_at(node, weight);
		weight /= node->tree.fanout;
	}
	return unshift(&node->tree, node->shifted + (i + 1) * weight);
}

struct pl_openmpi_node pl_openmpi_node(const struct pl_openmpi_tree *tree, size_t rank)
{
	struct pl_openmpi_node node = {
		.parent = SIZE_MAX,
		.tree = *tree,
		.shifted = shift(tree, rank),
	};

	assert(rank < tree->n && tree->root < tree->n);
	switch (tree->kind) {
	case PL_OPENMPI_CHAINS:
		place_in_chains(&node);
		break;
	case PL_OPENMPI_BINARY:
		place_in_binary(&node);
		break;
	case PL_OPENMPI_IN_ORDER_BINARY:
		assert(tree->root == tree->n - 1);
		place_in_order(&node, rank);
		break;
	case PL_OPENMPI_BINOMIAL:
		place_in_binomial(&node);
		break;
	case PL_OPENMPI_IN_ORDER_BINOMIAL:
		place_in_order_binomial(&node);
		break;
	case PL_OPENMPI_KNOMIAL:
		place_in_knomial(&node);
		break;
	}
	return node;
}

size_t pl_openmpi_child(const struct pl_openmpi_node *node, size_t i)
{
	const struct pl_openmpi_tree *t = &node->tree;

	assert(i < node->n_children);
	switch (t->kind) {
	case PL_OPENMPI_CHAINS:
		return chain_child(node, i);
	case PL_OPENMPI_BINARY:
		return unshift(t, node->shifted + (i + 1) * node->unit);
	case PL_OPENMPI_IN_ORDER_BINARY:
		return in_order_child(node, i);
	case PL_OPENMPI_BINOMIAL:
	case PL_OPENMPI_IN_ORDER_BINOMIAL:
		return unshift(t, node->shifted + (node->unit << i));
	case PL_OPENMPI_KNOMIAL:
		return knomial_child(node, i);
	}
	return SIZE_MAX;
}

/* How many digits a number below @n can have that are not 0. */
static size_t digits(size_t n, size_t base)
{
	size_t count = 0;

	for (size_t ones = 1; ones < n; ones = ones * base + 1)
		count++;
	return count;
}

size_t pl_openmpi_tree_depth(const struct pl_openmpi_tree *tree)
{
	struct chains c;

	switch (tree->kind) {
	case PL_OPENMPI_CHAINS:
		c = chains(tree);
		return c.length + (c.longer > 0);
	case PL_OPENMPI_BINARY: /* the last rank stands lowest */
		return pl_openmpi_node(tree, unshift(tree, tree->n - 1)).depth;
	case PL_OPENMPI_IN_ORDER_BINARY: /* the first one */
		return pl_openmpi_node(tree, 0).depth;
	case PL_OPENMPI_BINOMIAL:
	case PL_OPENMPI_IN_ORDER_BINOMIAL:
		return digits(tree->n, 2);
	case PL_OPENMPI_KNOMIAL:
		return digits(tree->n, tree->fanout);
	}
	return 0;
}
