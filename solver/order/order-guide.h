/* SPDX-License-Identifier: BSD-3-Clause */
/* order-guide.h - a smoother cost that leads a search where the true one is
 * flat */
#ifndef PLINK_SOLVER_ORDER_ORDER_GUIDE_H
#define PLINK_SOLVER_ORDER_ORDER_GUIDE_H

#include "base/err.h"
#include "costmodels/shape.h"

/*
 * The mean of all paths from a root to a leaf, for a shape whose cost is the
 * longest of them: one hop more or less does not change which is longest, but
 * it changes the mean. As a sum, in *guide: start with {0}, release with
 * pl_shape_fini. 0, or -1 with @err set.
 */
int pl_order_guide(struct pl_shape *guide, const struct pl_shape *shape,
		   struct pl_err *err);

#endif
