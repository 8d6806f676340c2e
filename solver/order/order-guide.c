/* SPDX-License-Identifier: BSD-3-Clause */
/* order-guide.c - a smoother cost that leads a search where the true one is flat */
#include "config.h"

#include "solver/order/seating.h"

#include "base/mem.h"
#include "solver/bound/forest.h"

#include <stdlib.h>

/* Counts for each hop of the group the leaves below; returns all its leaves. */
static size_t count_leaves(const struct pl_forest *f, double *leaves)
{
	const size_t none = f->shape->n_hops;
	size_t n = 0;

	for (size_t leaf = 0; leaf < f->shape->n_pos; leaf++) {
		if (f->n_children[leaf] > 0 || f->above[leaf] == none)
			continue;
		n++;
		for (size_t p = leaf; f->above[p] != none; p = pl_forest_parent(f, p))
			leaves[f->above[p]]++;
	}
	return n;
}

static int add_group(struct pl_shape *guide, const struct pl_forest *f, size_t group,
		     const double *leaves, double n, struct pl_err *err)
{
	for (size_t h = 0; h < f->shape->n_hops; h++) {
		struct pl_hop hop = f->shape->hop[h];

		if (hop.group != group)
			continue;
		hop.times *= leaves[h] / n;
		if (pl_shape_add(guide, hop, err))
			return -1;
	}
	return 0;
}

int pl_order_guide(struct pl_shape *guide, const struct pl_shape *shape, struct pl_err *err)
{
	double *leaves = pl_array_create(shape->n_hops, sizeof(*leaves));
	struct pl_forest f;
	int rc = 0;

	*guide = (struct pl_shape){.kind = PL_SUM, .n_pos = shape->n_pos};
	if (!leaves)
		return pl_err_nomem(err);
	if (pl_forest_init(&f, shape, err)) {
		free(leaves);
		return -1;
	}
	for (size_t group = 0; rc == 0 && group < shape->n_groups; group++) {
		size_t n;

		pl_forest_link(&f, group);
		n = count_leaves(&f, leaves) * shape->n_groups;
		rc = add_group(guide, &f, group, leaves, (double)n, err);
	}
	pl_forest_fini(&f);
	free(leaves);
	return rc;
}
