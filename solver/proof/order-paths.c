/* SPDX-License-Identifier: BSD-3-Clause */
/* order-paths.c - part of order-encode.h: a sum for every path to a root */
#include "config.h"

#include "solver/proof/order-terms.h"

#include "solver/bound/forest.h"

#include <stddef.h>

/* y's of each link were made with the first path through it. */
static int add_to_path(struct pl_filling *f, struct pl_ends *ends, struct pl_err *err)
{
	if (f->y[ends->i * f->e->p.n_free + ends->j] == 0)
		pl_terms_imply(f, ends);
	return pl_terms_add_cost(f, ends, false, err);
}

static int fill_path(struct pl_filling *f, const struct pl_forest *t, size_t leaf, int *y,
		     struct pl_err *err)
{
	const size_t k2 = f->e->p.n_free * f->e->p.n_free;

	if (pl_terms_new_sum(f->e, err))
		return -1;
	for (size_t pos = leaf; t->above[pos] != t->shape->n_hops; pos = pl_forest_parent(t, pos)) {
		const size_t i = t->above[pos];

		f->y = &y[i * k2];
		if (f->link[i].src == f->link[i].dst)
			continue;
		f->e->sum[f->e->n_sums - 1].n_rounded++;
		if (pl_terms_for_ends(f, &f->link[i], add_to_path, err))
			return -1;
	}
	f->e->sum[f->e->n_sums - 1].n_rounded++;
	return 0;
}

int pl_terms_fill_paths(struct pl_filling *f, int *y, struct pl_err *err)
{
	const struct pl_shape *shape = f->e->p.shape;
	struct pl_forest t;
	int rc = 0;

	if (pl_forest_init(&t, shape, err))
		return -1;
	for (size_t g = 0; rc == 0 && g < shape->n_groups; g++) {
		pl_forest_link(&t, g);
		for (size_t p = 0; rc == 0 && p < shape->n_pos; p++)
			if (t.above[p] != shape->n_hops && t.n_children[p] == 0)
				rc = fill_path(f, &t, p, y, err);
	}
	pl_forest_fini(&t);
	return rc;
}
