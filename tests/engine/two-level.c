/* SPDX-License-Identifier: BSD-3-Clause */
/* two-level.c - slices of two-level hierarchical aggregation (2LHA) */
#include "config.h"

#include "tests/engine/two-level.h"

#include "base/mem.h"
#include "engine/levels.h"

#include <stdlib.h>

int pl_two_level_slices(struct pl_slices *slices, const struct pl_two_level *t, struct pl_err *err)
{
	const size_t root = t->n_ranks + t->n_groups;
	uint32_t *parent = pl_array_create(root + 1, sizeof(*parent));
	double *share = pl_array_create(root + 1, sizeof(*share));
	const struct pl_rank_tree levels = {.n_ranks = t->n_ranks,
					    .n_nodes = root + 1,
					    .parent = parent,
					    .share = t->share ? share : NULL,
					    .rate = t->rate};
	int rc = -1;

	if (!parent || !share) {
		pl_err_nomem(err);
		goto out;
	}
	for (size_t r = 0; r < t->n_ranks; r++) {
		parent[r] = (uint32_t)t->n_ranks + t->group[r];
		share[r] = 1;
	}
	for (size_t g = 0; g < t->n_groups; g++) {
		parent[t->n_ranks + g] = (uint32_t)root;
		share[t->n_ranks + g] = t->share ? t->share[g] : 0;
	}
	rc = pl_levels_slices(slices, &levels, err);
out:
	free(parent);
	free(share);
	return rc;
}
