/* SPDX-License-Identifier: BSD-3-Clause */
/* order-guide.c - a smoother cost that leads a search where the true one is flat */
#include "config.h"

#include "solver/order-guide.h"

#include "src/mem.h"

#include <stdbool.h>
#include <stdlib.h>

/* For one group, by position. */
struct forest {
	bool upward;   /* hops lead from child to parent */
	bool *parent;  /* it has children */
	size_t *above; /* the hop to its parent; n_hops: none */
};

static size_t parent_of(const struct forest *f, const struct pl_hop *hop)
{
	return f->upward ? hop->dst : hop->src;
}

static size_t child_of(const struct forest *f, const struct pl_hop *hop)
{
	return f->upward ? hop->src : hop->dst;
}

/* A position entered twice: the hops lead upward. */
static void link_forest(struct forest *f, const struct pl_shape *shape,
			size_t group)
{
	f->upward = false;
	for (size_t p = 0; p < shape->n_pos; p++) {
		f->parent[p] = false;
		f->above[p] = shape->n_hops;
	}
	for (size_t h = 0; h < shape->n_hops; h++) {
		if (shape->hop[h].group != group)
			continue;
		f->upward |= f->above[shape->hop[h].dst] != shape->n_hops;
		f->above[shape->hop[h].dst] = h;
	}
	for (size_t p = 0; p < shape->n_pos; p++)
		f->above[p] = shape->n_hops;
	for (size_t h = 0; h < shape->n_hops; h++) {
		if (shape->hop[h].group != group)
			continue;
		f->parent[parent_of(f, &shape->hop[h])] = true;
		f->above[child_of(f, &shape->hop[h])] = h;
	}
}

/* Counts for each hop of the group the leaves below; returns all its leaves. */
static size_t count_leaves(const struct forest *f, const struct pl_shape *shape,
			   double *leaves)
{
	size_t n = 0;

	for (size_t p = 0; p < shape->n_pos; p++) {
		size_t h = f->above[p];

		if (f->parent[p] || h == shape->n_hops)
			continue;
		n++;
		while (h != shape->n_hops) {
			leaves[h]++;
			h = f->above[parent_of(f, &shape->hop[h])];
		}
	}
	return n;
}

static int add_group(struct pl_shape *guide, const struct pl_shape *shape,
		     size_t group, struct forest *f, double *leaves,
		     struct pl_err *err)
{
	double n;

	link_forest(f, shape, group);
	n = (double)(count_leaves(f, shape, leaves) * shape->n_groups);
	for (size_t h = 0; h < shape->n_hops; h++) {
		struct pl_hop hop = shape->hop[h];

		if (hop.group != group)
			continue;
		hop.times *= leaves[h] / n;
		if (pl_shape_add(guide, hop, err))
			return -1;
	}
	return 0;
}

int pl_order_guide(struct pl_shape *guide, const struct pl_shape *shape,
		   struct pl_err *err)
{
	double *leaves = pl_array_create(shape->n_hops, sizeof(*leaves));
	struct forest f = {
		.parent = pl_array_create(shape->n_pos, sizeof(*f.parent)),
		.above = pl_array_create(shape->n_pos, sizeof(*f.above)),
	};
	int rc = leaves && f.parent && f.above ? 0 : pl_err_nomem(err);

	*guide = (struct pl_shape){.kind = PL_SUM, .n_pos = shape->n_pos};
	for (size_t group = 0; rc == 0 && group < shape->n_groups; group++)
		rc = add_group(guide, shape, group, &f, leaves, err);
	if (rc)
		pl_shape_fini(guide);
	free(leaves);
	free(f.parent);
	free(f.above);
	return rc;
}
