/* SPDX-License-Identifier: BSD-3-Clause */
/* order-cut.c - the least cost of the longest path down a tree that is cut into groups */
#include "config.h"

#include "solver/bound/order-tree.h"

#include "base/mem.h"
#include "base/stats.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Hops from the root to a leaf up to which trees are cut. */
#define LONGEST_MAX 40

#define NONE SIZE_MAX

struct cut {
	const struct pl_floor *f;
	size_t n, longest; /* positions of the tree */
	size_t *pos;       /* [n] children before their parents */
	size_t *parent;    /* [n_pos] the root's: NONE */
	size_t *depth;     /* [n_pos] */
	bool *leaf;        /* [n_pos] */
	size_t *size;      /* [n_pos * (longest + 2)] of the part a position is
			      in, from there on down, by the dear hops above */
	double *cost;      /* [(longest + 1)^2] what ways may cost, sorted */
	double dear;
	size_t largest; /* part */
};

/* A path of so many hops, some of them expensive. */
static double way(const struct cut *c, size_t hops, size_t dear)
{
	return (double)dear * c->dear + pl_floor_forest(c->f, hops - dear);
}

/* How many dear hops a way may have, by its hops, to cost no more than @limit; NONE: it costs more
 * without any. */
static void fill_allowed(const struct cut *c, double limit, size_t *allowed)
{
	for (size_t hops = 0; hops <= c->longest; hops++) {
		size_t dear = 0;

		while (dear <= hops && way(c, hops, dear) <= limit)
			dear++;
		allowed[hops] = dear > 0 ? dear - 1 : NONE;
	}
}

/* A leaf by itself is a part; with more dear hops above it none will do. */
static void begin(struct cut *c, double limit)
{
	const size_t width = c->longest + 2;
	size_t allowed[LONGEST_MAX + 1];

	fill_allowed(c, limit, allowed);
	for (size_t i = 0; i < c->n; i++) {
		const size_t p = c->pos[i];
		const size_t most = c->leaf[p] ? allowed[c->depth[p]] : width;

		for (size_t d = 0; d < width; d++)
			c->size[p * width + d] = most == NONE || d > most ? c->n + 1 : 1;
	}
}

/* Each child's part is cut off, or where it is too large then, goes on here. */
static void add_child(struct cut *c, size_t child)
{
	const size_t width = c->longest + 2;
	const size_t *size = c->size + child * width;
	size_t *above = c->size + c->parent[child] * width;

	for (size_t d = 0; d + 1 < width; d++)
		if (size[d + 1] > c->largest)
			above[d] += size[d] < c->n + 1 ? size[d] : c->n + 1;
	above[width - 1] = c->n + 1;
}

/* Can the tree be cut so that no path down costs more? */
static bool can_be_cut(struct cut *c, double limit)
{
	const size_t root = c->pos[c->n - 1];

	begin(c, limit);
	for (size_t i = 0; i + 1 < c->n; i++)
		add_child(c, c->pos[i]);
	return c->size[root * (c->longest + 2)] <= c->largest;
}

/* The least of what ways may cost for which it can; at the dearest every position is a part. */
static double least_cost(struct cut *c)
{
	size_t n = 0, first = 0, last;

	for (size_t hops = 0; hops <= c->longest; hops++)
		for (size_t dear = 0; dear <= hops; dear++)
			c->cost[n++] = way(c, hops, dear);
	pl_sort_doubles(c->cost, n);
	last = n - 1;
	while (first < last) {
		const size_t half = first + (last - first) / 2;

		if (can_be_cut(c, c->cost[half]))
			last = half;
		else
			first = half + 1;
	}
	return c->cost[first];
}

/* The most a position can have above it first. */
static void sort_by_depth(struct cut *c, const struct pl_forest *forest)
{
	const size_t none = forest->shape->n_hops;
	size_t n = 0;

	for (size_t p = 0; p < forest->shape->n_pos; p++) {
		c->depth[p] = NONE;
		c->parent[p] = NONE;
		if (forest->above[p] == none && forest->n_children[p] == 0)
			continue;
		c->leaf[p] = forest->n_children[p] == 0;
		c->depth[p] = 0;
		for (size_t q = p; forest->above[q] != none; q = pl_forest_parent(forest, q))
			c->depth[p]++;
		if (forest->above[p] != none)
			c->parent[p] = pl_forest_parent(forest, p);
	}
	for (size_t depth = c->longest + 1; depth-- > 0;)
		for (size_t p = 0; p < forest->shape->n_pos; p++)
			if (c->depth[p] == depth)
				c->pos[n++] = p;
	c->n = n;
}

/* Each group's size at the dearest link that leaves it the largest. */
static void try_links(struct cut *c, const struct pl_stop *stop, double *least)
{
	const struct pl_floor *f = c->f;
	size_t tried = 0;

	for (size_t i = f->n - 1; i-- > 0 && !pl_stop_now(stop);) {
		if ((i > 0 && f->link[i] == f->link[i - 1]) || f->largest[i] == tried)
			continue;
		tried = c->largest = f->largest[i];
		c->dear = f->link[i];
		if (!can_be_cut(c, *least))
			*least = least_cost(c);
	}
}

static void cut_fini(struct cut *c)
{
	free(c->pos);
	free(c->parent);
	free(c->depth);
	free(c->leaf);
	free(c->size);
	free(c->cost);
}

int pl_cut_floor(const struct pl_floor *f, const struct pl_forest *forest, size_t longest,
		 const struct pl_stop *stop, double *least, struct pl_err *err)
{
	const size_t n_pos = forest->shape->n_pos;
	struct cut c = {.f = f, .longest = longest};
	int rc = -1;

	if (longest > LONGEST_MAX || f->n < 2)
		return 0;
	c.pos = pl_array_create(n_pos, sizeof(*c.pos));
	c.parent = pl_array_create(n_pos, sizeof(*c.parent));
	c.depth = pl_array_create(n_pos, sizeof(*c.depth));
	c.leaf = pl_array_create(n_pos, sizeof(*c.leaf));
	c.size = pl_array_create(n_pos * (longest + 2), sizeof(*c.size));
	c.cost = pl_array_create((longest + 1) * (longest + 2) / 2, sizeof(*c.cost));
	if (!c.pos || !c.parent || !c.depth || !c.leaf || !c.size || !c.cost) {
		pl_err_nomem(err);
		goto out;
	}
	sort_by_depth(&c, forest);
	try_links(&c, stop, least);
	rc = 0;
out:
	cut_fini(&c);
	return rc;
}
