/* SPDX-License-Identifier: BSD-3-Clause */
/* cube-bound.h - what no order of hosts on a hypercube can undercut */
#ifndef PLINK_SOLVER_BOUND_CUBE_BOUND_H
#define PLINK_SOLVER_BOUND_CUBE_BOUND_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/order-floor.h"

#include <stddef.h>

/*
 * Rounds that each join all hosts in pairs, k of them in cubes of 2^k: those of
 * halving and doubling. Each costs its dearest hop, *times; together no less
 * than *bound. @times is descending, @f has degrees up to @n_rounds, and f->n
 * is a power of two. The k cheapest rounds by themselves ask for
 * - k neighbours of every host, groups of hosts of a multiple of 2^k, and
 *   as many hosts near each group as a set has in cubes (pl_floor_growth);
 * - up to four of them, a cube around every host (cube-near.h).
 * Where the cheapest links make racks of 2^k hosts each, either those are
 * cubes of the k cheapest rounds, and the others join racks: a hypercube
 * with racks for hosts; or the k-th round leaves some rack as well.
 * Looked at with a bounded amount of work, until *stop. n^2 doubles.
 * 0, or -1 with @err set: out of memory.
 */
int pl_cube_bound(const struct pl_floor *f, const double *times,
		  size_t n_rounds, const struct pl_stop *stop, double *bound,
		  struct pl_err *err);

#endif
