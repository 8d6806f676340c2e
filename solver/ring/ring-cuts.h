/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-cuts.h - rings proved the cheapest, by linear programs, cuts and
 * branches */
#ifndef PLINK_SOLVER_RING_RING_CUTS_H
#define PLINK_SOLVER_RING_RING_CUTS_H

#include "base/err.h"
#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_RING_CUTS_MIN 4
#define PL_RING_CUTS_MAX 128 /* hosts */

/* Where costs are no whole numbers, a ring counts as the cheapest once none is
 * cheaper by more than this part of its cost. */
#define PL_RING_CUTS_PART 1e-8

struct pl_ring_cuts_result {
	double cost;  /* of the ring */
	double bound; /* no ring costs less: proved without any
		       * rounding error */
	/* all branches ended: no ring is cheaper, or not by
	 * PL_RING_CUTS_PART */
	bool proved;
	bool stopped;                  /* by the stop */
	uint64_t branches, iterations; /* of the simplex method */
};

/* Does it work here? Not without GLPK. */
bool pl_ring_cuts_built(void);

/* The iterations that are worth their time for n hosts. */
uint64_t pl_ring_cuts_iterations(size_t n);

/*
 * Branch and cut from the ring host_at[n] on, which should be a good one: it is
 * replaced where a cheaper one is found, host_at[0] staying. Costs c[n * n] as
 * for pl_ring_search, n from PL_RING_CUTS_MIN to PL_RING_CUTS_MAX.
 *
 * Floating point only guides it. A branch is closed where prices, rounded to
 * whole numbers, prove in whole numbers that it has no cheaper ring
 * (ring-master.h); each branch that is not adds what it proves to the bound.
 * Same costs, ring and iterations, same result with the same GLPK, unless *stop
 * came first. 0, or -1 with @err set: memory, no GLPK.
 * Padberg, Rinaldi, SIAM Rev. 33 (1991).
 */
int pl_ring_cuts(const double *c, size_t n, uint64_t iterations_max,
		 const struct pl_stop *stop, size_t *host_at,
		 struct pl_ring_cuts_result *result, struct pl_err *err);

#endif
