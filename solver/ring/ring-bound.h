/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-bound.h - lower bounds on the cost of rings */
#ifndef PLINK_SOLVER_RING_RING_BOUND_H
#define PLINK_SOLVER_RING_RING_BOUND_H

#include "base/err.h"
#include "base/stop.h"

#include <stddef.h>

enum pl_bound_effort {
	PL_BOUND_NONE,
	PL_BOUND_FAST, /* few steps: their number falls with n */
	PL_BOUND_FULL, /* until the bound rises no more */
};

/*
 * The method that proves a bound:
 * - assignment, for costs that are not symmetric: every host has one successor
 *   and is the successor of one host;
 * - cuts: for any threshold t, a ring has at least as many hops of cost t or
 *   more as there are groups of hosts linked by cheaper hops. Summed over t
 *   this is the least spanning tree plus its dearest edge once more; the prices
 *   of the ascent are also used. Exact for racks if all costs between racks are
 *   equal;
 * - 1-trees under prices that ascend (ascent.h): one price for each host; if c
 *   is not symmetric, one for leaving and one for entering it, starting from
 *   those of the assignment.
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
 * *bound becomes a lower bound on the cost of every ring over c[n * n] (no NaN, >= 0), with the
 * method that proves the highest one. The bound allows for rounding. weight[n] gets the prices of
 * an ascent over min(c[i][j], c[j][i]), as hints for pl_ring_search. 0, or -1 with @err set: out of
 * memory.
 */
int pl_ring_bound(const double *c, size_t n, enum pl_bound_effort effort,
		  const struct pl_stop *stop, struct pl_ring_bound *bound, double *weight,
		  struct pl_err *err);

/* The name of the method, such as "1-trees"; "" for PL_PROOF_NONE. */
const char *pl_ring_proof_name(enum pl_ring_proof by);

/*
 * Prices of the assignment problem over c[n * n] (no NaN, finite; n >= 2)
 * without its diagonal: out[i] + in[j] <= c[i][j], except for rounding. The sum
 * of all prices is the cost of the cheapest way to give every host another host
 * as its own successor. Whole numbers below 2^52 give exact results. Stopped
 * early, the sum is lower. Shortest augmenting paths as in Jonker and
 * Volgenant, Computing 38 (1987): O(n^3) at worst, mostly far less.
 * 0, or -1 with @err set: out of memory.
 */
int pl_assignment(const double *c, size_t n, const struct pl_stop *stop, double *out, double *in,
		  struct pl_err *err);

#endif
