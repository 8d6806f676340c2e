/* SPDX-License-Identifier: BSD-3-Clause */
/* bottleneck.h - how cheap the dearest hop of a ring can be */
#ifndef PLINK_SOLVER_BOUND_BOTTLENECK_H
#define PLINK_SOLVER_BOUND_BOTTLENECK_H

#include "base/err.h"
#include "base/stop.h"
#include "costmodels/objective.h"
#include "costmodels/shape.h"

#include <stddef.h>

/* Hosts up to which the result can be exact: 256 KiB, some 20 ms. */
#define PL_BOTTLENECK_EXACT_MAX 17

/*
 * *least becomes a lower bound on the cost of the dearest hop of any ring over c[n * n] (no NaN, >=
 * 0; n >= 1). For up to @exact_max hosts (at most PL_BOTTLENECK_EXACT_MAX) the bound is exact. For
 * more hosts it is the least threshold for which the hops that cost no more
 * - lead from every host to every other one,
 * - still link all other hosts, in either direction, when any one is removed,
 * - can give every host a successor of its own.
 * Every ring meets these conditions, so no lower threshold has a ring. The
 * result is always one of the cells. Bisection finds it; each step takes O(n^2)
 * time, except for the successors, which are carried over from step to step and
 * amended. n^2 doubles. When *stop comes early, *least is lower but still a
 * valid bound.
 * 0, or -1 with @err set: out of memory.
 */
int pl_bottleneck_ring(const double *c, size_t n, size_t exact_max, const struct pl_stop *stop,
		       double *least, struct pl_err *err);

/*
 * If the hops of a shape, between seats of @alike positions, go once round all seats (a ring) or
 * from one end of them to the other (a chain), *least becomes a lower bound on the dearest hop
 * (pl_bottleneck_ring). A chain is treated as a ring with one more host, whose hops cost nothing.
 * For any other shape *least is 0. 0, or -1 with @err set: out of memory.
 */
int pl_slowest_floor(const struct pl_shape *shape, const struct pl_costs *costs, size_t alike,
		     const struct pl_stop *stop, double *least, struct pl_err *err);

#endif
