/* SPDX-License-Identifier: BSD-3-Clause */
/* forest.h - the trees of a shape whose cost is a longest path */
#ifndef PLINK_SOLVER_BOUND_FOREST_H
#define PLINK_SOLVER_BOUND_FOREST_H

#include "base/err.h"
#include "costmodels/shape.h"

#include <stdbool.h>
#include <stddef.h>

/* One group of a shape that pl_objective_create accepts. Arrays are indexed by position. */
struct pl_forest {
	const struct pl_shape *shape; /* borrowed */
	bool upward;                  /* hops lead from child to parent */
	size_t *n_children;           /* [n_pos] */
	size_t *above;                /* [n_pos] index of the hop to the parent; n_hops: no
					 parent */
};

/* Allocates room for one group at a time. 0, or -1 with @err set: out of memory. */
int pl_forest_init(struct pl_forest *f, const struct pl_shape *shape, struct pl_err *err);
void pl_forest_fini(struct pl_forest *f);

/* Fills @f with the hops of @group. */
void pl_forest_link(struct pl_forest *f, size_t group);

/* The parent of a position that has one. */
size_t pl_forest_parent(const struct pl_forest *f, size_t pos);

#endif
