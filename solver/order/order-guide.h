/* SPDX-License-Identifier: BSD-3-Clause */
/* order-guide.h - a smoother cost that leads a search where the true one is
 * flat */
#ifndef PLINK_SOLVER_ORDER_ORDER_GUIDE_H
#define PLINK_SOLVER_ORDER_ORDER_GUIDE_H

#include "base/err.h"
#include "costmodels/shape.h"

/*
 * For a shape whose cost is its longest path, *guide becomes a shape whose cost
 * is the mean of all paths from a root to a leaf, as a sum. A change of one hop
 * often leaves the longest path the same, but it changes the mean. Start with
 * {0}, release with pl_shape_fini. 0, or -1 with @err set.
 */
int pl_order_guide(struct pl_shape *guide, const struct pl_shape *shape,
		   struct pl_err *err);

#endif
