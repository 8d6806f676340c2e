/* SPDX-License-Identifier: BSD-3-Clause */
/* forest.c - the trees of a shape whose cost is a longest path */
#include "config.h"

#include "solver/bound/forest.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

int pl_forest_init(struct pl_forest *f, const struct pl_shape *shape, struct pl_err *err)
{
	*f = (struct pl_forest){
		.shape = shape,
		.n_children = pl_array_create(shape->n_pos, sizeof(*f->n_children)),
		.above = pl_array_create(shape->n_pos, sizeof(*f->above)),
	};
	if (f->n_children && f->above)
		return 0;
	pl_forest_fini(f);
	return pl_err_nomem(err);
}

void pl_forest_fini(struct pl_forest *f)
{
	free(f->n_children);
	free(f->above);
	memset(f, 0, sizeof(*f));
}

static size_t parent_end(const struct pl_forest *f, size_t hop)
{
	return f->upward ? f->shape->hop[hop].dst : f->shape->hop[hop].src;
}

static size_t child_end(const struct pl_forest *f, size_t hop)
{
	return f->upward ? f->shape->hop[hop].src : f->shape->hop[hop].dst;
}

/* A position that is entered twice: the hops lead upward. */
static bool leads_upward(struct pl_forest *f, size_t group)
{
	const struct pl_shape *shape = f->shape;

	for (size_t h = 0; h < shape->n_hops; h++) {
		const size_t dst = shape->hop[h].dst;

		if (shape->hop[h].group != group)
			continue;
		if (f->above[dst] != shape->n_hops)
			return true;
		f->above[dst] = h;
	}
	return false;
}

static void clear(struct pl_forest *f)
{
	for (size_t p = 0; p < f->shape->n_pos; p++) {
		f->n_children[p] = 0;
		f->above[p] = f->shape->n_hops;
	}
}

void pl_forest_link(struct pl_forest *f, size_t group)
{
	clear(f);
	f->upward = leads_upward(f, group);
	clear(f);
	for (size_t h = 0; h < f->shape->n_hops; h++) {
		if (f->shape->hop[h].group != group)
			continue;
		f->n_children[parent_end(f, h)]++;
		f->above[child_end(f, h)] = h;
	}
}

size_t pl_forest_parent(const struct pl_forest *f, size_t pos)
{
	return parent_end(f, f->above[pos]);
}
