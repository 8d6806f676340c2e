/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-bound.h - what no ring over these costs can undercut */
#ifndef PLINK_SOLVER_RING_BOUND_H
#define PLINK_SOLVER_RING_BOUND_H

#include "solver/stop.h"
#include "src/err.h"

#include <stddef.h>

enum pl_bound_effort {
	PL_BOUND_NONE,
	PL_BOUND_FAST, /* a number of steps that falls with n */
	PL_BOUND_FULL, /* until nothing more is gained */
};

/*
 * *bound: at most the cost of every ring over c[n * n] (no NaN, >= 0), rounding
 * allowed for. The largest of
 * - 1-trees under subgradient ascent (Held and Karp, Oper. Res. 18 (1970) and
 *   Math. Prog. 1 (1971)), over min(c[i][j], c[j][i]);
 * - rack cuts: whatever the threshold t, a ring has at least as many hops of
 *   t or more as there are groups of hosts linked by less. Summed over t this
 *   is the least spanning tree and its dearest edge once more, with the
 *   multipliers of the ascent as well: exact where racks differ from each other by one cost;
 * - where c is not symmetric, the sum of every host's cheapest hop out and of
 *   what then remains of its cheapest hop in, and the bounds above on the rest.
 * weight[n] gets the multipliers, hints for pl_ring_search.
 * 0, or -1 with @err set: out of memory.
 */
int pl_ring_bound(const double *c, size_t n, enum pl_bound_effort effort,
		  const struct pl_stop *stop, double *bound, double *weight,
		  struct pl_err *err);

#endif
