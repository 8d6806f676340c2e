/* SPDX-License-Identifier: BSD-3-Clause */
/* bottleneck.h - how cheap the dearest hop of a ring can be */
#ifndef PLINK_SOLVER_BOUND_BOTTLENECK_H
#define PLINK_SOLVER_BOUND_BOTTLENECK_H

#include "base/err.h"
#include "base/stop.h"

#include <stddef.h>

/* Hosts up to which the result can be exact: 256 KiB, some 20 ms. */
#define PL_BOTTLENECK_EXACT_MAX 17

/*
 * *least: what the dearest hop of any ring over c[n * n] (no NaN, >= 0; n >= 1)
 * costs at least. For up to @exact_max hosts (PL_BOTTLENECK_EXACT_MAX at most)
 * the least there is; for more the least threshold such that hops that cost no
 * more
 * - lead from every host to every other one,
 * - still link all other hosts, either way, when any one is taken away,
 * - can give every host a successor, each to one;
 * so no lower one has a ring. Always one of the cells. Found by bisection, each
 * step of O(n^2) time but for the successors, which are amended from step to
 * step; n^2 doubles. What *stop leaves undone is less, but as true.
 * 0, or -1 with @err set: out of memory.
 */
int pl_bottleneck_ring(const double *c, size_t n, size_t exact_max,
		       const struct pl_stop *stop, double *least,
		       struct pl_err *err);

#endif
