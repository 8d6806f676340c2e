/* SPDX-License-Identifier: BSD-3-Clause */
/* order-bound.h - what no order can undercut, for any shape */
#ifndef PLINK_SOLVER_ORDER_BOUND_H
#define PLINK_SOLVER_ORDER_BOUND_H

#include "costmodels/objective.h"
#include "costmodels/shape.h"
#include "src/err.h"

#include <stddef.h>

/*
 * *bound: at most the cost of every order of the hosts, each of which takes
 * slots[h] positions in a row (NULL: one each). Cheap rather than close; the
 * ring has a better one in ring-bound.h. Rounding is allowed for.
 * 0, or -1 with @err set: PL_EUSAGE where hosts and positions do not fit, memory.
 */
int pl_order_lower_bound(const struct pl_shape *shape,
			 const struct pl_costs *costs, const size_t *slots,
			 double *bound, struct pl_err *err);

#endif
