/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-cuts.h - branch and cut: proves that a ring is the cheapest */
#ifndef PLINK_SOLVER_RING_RING_CUTS_H
#define PLINK_SOLVER_RING_RING_CUTS_H

#include "base/err.h"
#include "base/stop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_RING_CUTS_MIN 4
#define PL_RING_CUTS_MAX 128 /* hosts */

/* If costs are not whole numbers, a ring counts as the cheapest once no ring is cheaper by more
 * than this part of its cost. */
#define PL_RING_CUTS_PART 1e-8

struct pl_ring_cuts_result {
	double cost;  /* of the ring */
	double bound; /* no ring costs less; proved in exact arithmetic */
	/* all branches are closed: no ring is cheaper, or none by more than PL_RING_CUTS_PART */
	bool proved;
	bool stopped;                  /* by *stop */
	uint64_t branches, iterations; /* of the simplex method */
};

/* True if GLPK was built in. */
bool pl_ring_cuts_built(void);

/* The default number of iterations for n hosts: more gain little. */
uint64_t pl_ring_cuts_iterations(size_t n);

/*
 * Branch and cut, starting from the ring host_at[n], which should be a good one. A cheaper ring, if
 * found, replaces it; host_at[0] stays. Costs c[n * n] as for pl_ring_search, n from
 * PL_RING_CUTS_MIN to PL_RING_CUTS_MAX.
 *
 * Floating point only guides the search. A branch is closed if prices, rounded
 * to whole numbers, prove in integer arithmetic that it has no cheaper ring
 * (ring-master.h). A branch that stays open limits the bound to what is proved
 * for it. The same costs, ring and iterations give the same result with the
 * same version of GLPK, unless *stop came first. 0, or -1 with @err set: out of
 * memory, or GLPK is not built in.
 * Padberg, Rinaldi, SIAM Rev. 33 (1991).
 */
int pl_ring_cuts(const double *c, size_t n, uint64_t iterations_max, const struct pl_stop *stop,
		 size_t *host_at, struct pl_ring_cuts_result *result, struct pl_err *err);

#endif
