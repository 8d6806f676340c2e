/* SPDX-License-Identifier: BSD-3-Clause */
/* forest.h - the trees of a shape whose cost is a longest path */
#ifndef PLINK_SOLVER_BOUND_FOREST_H
#define PLINK_SOLVER_BOUND_FOREST_H

#include "base/err.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>

/* One group of a shape that pl_objective_create has taken; by position. */
struct pl_forest {
	const struct pl_shape *shape; /* borrowed */
	bool upward;                  /* hops lead from child to parent */
	size_t *n_children;           /* [n_pos] */
	size_t *above; /* [n_pos] the hop to its parent; n_hops: none */
};

/* Room for one group at a time. 0, or -1 with @err set: out of memory. */
int pl_forest_init(struct pl_forest *f, const struct pl_shape *shape,
		   struct pl_err *err);
void pl_forest_fini(struct pl_forest *f);

void pl_forest_link(struct pl_forest *f, size_t group);

/* The position above one that has a parent. */
size_t pl_forest_parent(const struct pl_forest *f, size_t pos);

#endif
