/* SPDX-License-Identifier: BSD-3-Clause */
/* order-paths.c - part of order-encode.h: a sum for every way to a root */
#include "config.h"

#include "solver/proof/order-terms.h"

#include "base/mem.h"

#include <stdlib.h>

/* y's of each link were made with the first path through it. */
static int add_to_path(struct pl_filling *f, struct pl_ends *ends,
		       struct pl_err *err)
{
	if (f->y[ends->i * f->e->p.n_free + ends->j] == 0)
		pl_terms_imply(f, ends);
	return pl_terms_add_cost(f, ends, false, err);
}

/* Links to the root, by position, in one group. */
struct forest {
	size_t *up; /* the hop; SIZE_MAX: none */
	bool *inner;
	bool down; /* hops lead away from the root */
};

static void find_forest(const struct pl_shape *shape, uint32_t group,
			struct forest *t)
{
	t->down = true;
	for (int pass = 0; pass < 2; pass++) {
		bool twice = false;

		for (size_t p = 0; p < shape->n_pos; p++) {
			t->up[p] = SIZE_MAX;
			t->inner[p] = false;
		}
		for (size_t i = 0; i < shape->n_hops; i++) {
			const struct pl_hop *h = &shape->hop[i];
			const size_t child = t->down ? h->dst : h->src;

			if (h->group != group)
				continue;
			twice = twice || t->up[child] != SIZE_MAX;
			t->up[child] = i;
			t->inner[t->down ? h->src : h->dst] = true;
		}
		if (!twice)
			return;
		t->down = false;
	}
}

static int fill_path(struct pl_filling *f, const struct forest *t, size_t leaf,
		     int *y, struct pl_err *err)
{
	const struct pl_shape *shape = f->e->p.shape;
	const size_t k2 = f->e->p.n_free * f->e->p.n_free;

	if (pl_terms_new_sum(f->e, err))
		return -1;
	for (size_t pos = leaf; t->up[pos] != SIZE_MAX;) {
		const size_t i = t->up[pos];
		const struct pl_hop *h = &shape->hop[i];

		f->y = &y[i * k2];
		pos = t->down ? h->src : h->dst;
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
	struct forest t = {
		.up = pl_array_create(shape->n_pos, sizeof(*t.up)),
		.inner = pl_array_create(shape->n_pos, sizeof(*t.inner)),
	};
	int rc = t.up && t.inner ? 0 : pl_err_nomem(err);

	for (uint32_t g = 0; rc == 0 && g < shape->n_groups; g++) {
		find_forest(shape, g, &t);
		for (size_t p = 0; rc == 0 && p < shape->n_pos; p++)
			if (t.up[p] != SIZE_MAX && !t.inner[p])
				rc = fill_path(f, &t, p, y, err);
	}
	free(t.up);
	free(t.inner);
	return rc;
}
