/* SPDX-License-Identifier: BSD-3-Clause */
/* cube-bound.h - what no order of hosts on a hypercube can undercut */
#ifndef PLINK_SOLVER_BOUND_CUBE_BOUND_H
#define PLINK_SOLVER_BOUND_CUBE_BOUND_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/order-floor.h"

#include <stddef.h>

/*
 * A lower bound for rounds that each join all hosts in pairs, where any k of
 * them form cubes of 2^k hosts, as halving and doubling do. Each round costs
 * its dearest hop, *times; *bound becomes a lower bound on their sum. @times is
 * descending, @f has degrees up to @n_rounds, and f->n is a power of two. The k
 * cheapest rounds by themselves need
 * - k neighbours of every host, groups whose sizes are multiples of 2^k, and as
 *   many hosts near each group as a set of vertices has in cubes
 *   (pl_floor_growth);
 * - for k up to four, a cube around every host (cube-near.h).
 * If the cheapest links make racks of 2^k hosts each, there are two cases:
 * either the racks are the cubes of the k cheapest rounds, and the other rounds
 * join racks, as a hypercube whose hosts are racks; or the k-th round already
 * leaves some rack.
 * The amount of work is bounded, and *stop ends it early. n^2 doubles.
 * 0, or -1 with @err set: out of memory.
 */
int pl_cube_bound(const struct pl_floor *f, const double *times,
		  size_t n_rounds, const struct pl_stop *stop, double *bound,
		  struct pl_err *err);

#endif
