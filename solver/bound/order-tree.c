/* SPDX-License-Identifier: BSD-3-Clause */
/* order-tree.c - the least cost of the longest path down a tree */
#include "config.h"

#include "solver/bound/order-tree.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* The tree of a group, if it is one. */
struct tree {
	size_t n_pos, n_roots, most_children;
	size_t shortest, longest; /* hops from the root to a leaf */
};

static struct tree measure(const struct pl_forest *f)
{
	const size_t none = f->shape->n_hops;
	struct tree t = {.shortest = SIZE_MAX};

	for (size_t leaf = 0; leaf < f->shape->n_pos; leaf++) {
		size_t depth = 0;

		if (f->above[leaf] == none && f->n_children[leaf] == 0)
			continue;
		t.n_pos++;
		t.n_roots += f->above[leaf] == none;
		if (f->n_children[leaf] > t.most_children)
			t.most_children = f->n_children[leaf];
		for (size_t p = leaf; f->n_children[leaf] == 0 && f->above[p] != none;
		     p = pl_forest_parent(f, p))
			depth++;
		if (f->n_children[leaf] > 0)
			continue;
		t.shortest = depth < t.shortest ? depth : t.shortest;
		t.longest = depth > t.longest ? depth : t.longest;
	}
	return t;
}

/*
 * Cheap hops link at most @largest hosts with each other. A tree of t->n_pos seats therefore falls
 * into parts of at most @largest seats, linked by dear hops, and a part has a limited number of
 * parts below it. Returns how many dear hops the way from the root to some leaf must have.
 */
static size_t dear_hops(const struct tree *t, size_t largest)
{
	const double below = (double)largest * (double)(t->most_children - 1) + 1;
	double parts = 1, held = (double)largest;
	size_t k = 0;

	for (; held < (double)t->n_pos; k++) {
		parts *= below;
		held += parts * (double)largest;
	}
	return k;
}

int pl_tree_floor(const struct pl_floor *f, const struct pl_forest *forest,
		  const struct pl_stop *stop, double *least, struct pl_err *err)
{
	const struct tree t = measure(forest);
	const double dearest = *least;
	double best, reach = 0;

	if (t.n_roots != 1)
		return 0;
	if (t.n_pos == f->n && pl_reach_floor(f, t.shortest, t.longest, stop, &reach, err))
		return -1;
	best = fmax(pl_floor_forest(f, t.longest), dearest + pl_floor_forest(f, t.shortest - 1));
	for (size_t i = 0; i + 1 < f->n; i++) {
		size_t k, rest;

		if (i > 0 && f->link[i] == f->link[i - 1])
			continue;
		k = dear_hops(&t, f->largest[i]);
		rest = k < t.shortest ? t.shortest - k : 0;
		best = fmax(best, (double)k * f->link[i] + pl_floor_forest(f, rest));
	}
	*least = fmax(best, reach);
	return pl_cut_floor(f, forest, t.longest, stop, least, err);
}
