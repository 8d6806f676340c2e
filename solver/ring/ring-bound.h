/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-bound.h - what no ring over these costs can undercut */
#ifndef PLINK_SOLVER_RING_RING_BOUND_H
#define PLINK_SOLVER_RING_RING_BOUND_H

#include "base/err.h"
#include "base/stop.h"

#include <stddef.h>

enum pl_bound_effort {
	PL_BOUND_NONE,
	PL_BOUND_FAST, /* a number of steps that falls with n */
	PL_BOUND_FULL, /* until nothing more is gained */
};

/*
 * What proves a bound:
 * - where c is not symmetric, the assignment: every host has one successor and
 *   is the successor of one;
 * - cuts: whatever the threshold t, a ring has at least as many hops of t or
 *   more as there are groups of hosts linked by less. Summed over t this is
 *   the least spanning tree and its dearest edge once more, with the prices
 *   of the ascent as well: exact where racks differ from each other by one
 *   cost;
 * - 1-trees under prices that climb (ascent.h): for each host; and where c is
 *   not symmetric for leaving it and for entering it, from the assignment's on.
 */
enum pl_ring_proof {
	PL_PROOF_NONE,
	PL_PROOF_ASSIGNMENT,
	PL_PROOF_CUTS,
	PL_PROOF_ONE_TREE,
};

struct pl_ring_bound {
	double value;
	enum pl_ring_proof by;
};

/*
 * *bound: at most the cost of every ring over c[n * n] (no NaN, >= 0), rounding
 * allowed for, and what proves the most.
 * weight[n] gets the prices of an ascent over min(c[i][j], c[j][i]), hints for
 * pl_ring_search. 0, or -1 with @err set: out of memory.
 */
int pl_ring_bound(const double *c, size_t n, enum pl_bound_effort effort,
		  const struct pl_stop *stop, struct pl_ring_bound *bound,
		  double *weight, struct pl_err *err);

/* "1-trees"; "" for PL_PROOF_NONE. */
const char *pl_ring_proof_name(enum pl_ring_proof by);

#endif
