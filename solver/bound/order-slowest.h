/* SPDX-License-Identifier: BSD-3-Clause */
/* order-slowest.h - what the dearest hop of rings and chains costs at least */
#ifndef PLINK_SOLVER_BOUND_ORDER_SLOWEST_H
#define PLINK_SOLVER_BOUND_ORDER_SLOWEST_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stddef.h>

/*
 * Where the hops of a shape, between seats of @alike positions, go once round
 * all seats or from one end of them to the other: what the dearest costs at
 * least (bottleneck.h). A chain is a ring with a host that costs nothing. Of
 * any other shape: 0. 0, or -1 with @err set: out of memory.
 */
int pl_slowest_floor(const struct pl_shape *shape, const struct pl_costs *costs,
		     size_t alike, const struct pl_stop *stop, double *least,
		     struct pl_err *err);

#endif
