/* SPDX-License-Identifier: BSD-3-Clause */
/* order-slowest.h - lower bound on the dearest hop of rings and chains */
#ifndef PLINK_SOLVER_BOUND_ORDER_SLOWEST_H
#define PLINK_SOLVER_BOUND_ORDER_SLOWEST_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stddef.h>

/*
 * If the hops of a shape, between seats of @alike positions, go once round all
 * seats (a ring) or from one end of them to the other (a chain), *least becomes
 * a lower bound on the dearest hop (bottleneck.h). A chain is treated as a ring
 * with one more host, whose hops cost nothing. For any other shape *least is 0.
 * 0, or -1 with @err set: out of memory.
 */
int pl_slowest_floor(const struct pl_shape *shape, const struct pl_costs *costs,
		     size_t alike, const struct pl_stop *stop, double *least,
		     struct pl_err *err);

#endif
