/* SPDX-License-Identifier: BSD-3-Clause */
/* cube-near.h - what the rounds of a hypercube cost together around one host */
#ifndef PLINK_SOLVER_BOUND_CUBE_NEAR_H
#define PLINK_SOLVER_BOUND_CUBE_NEAR_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/order-floor.h"

#include <stddef.h>
#include <stdint.h>

/* Most rounds that are searched together: 16 hosts. */
#define PL_CUBE_NEAR_MAX 4

/* Rounds of a hypercube. Each round joins every host with one other host. */
struct pl_cube_rounds {
	size_t n;
	const double *times; /* [n] how often each round is taken, descending */
	/* [n] lower bound on the dearest hop of the cheapest round, of the next
	 * cheapest, ...; ascending */
	const double *least;
};

/* The sum over the rounds of times * least. */
double pl_cube_rounds_floor(const struct pl_cube_rounds *r);

/*
 * Raises the lower bound *bound: the first @joint rounds (at most r->n and
 * PL_CUBE_NEAR_MAX) put every host into a cube of 2^joint hosts. For each host
 * a branch and bound tries all cubes around it and finds the least that all
 * rounds together can cost; no round counts less than its least. The largest of
 * these values over all hosts raises *bound. *work is the number of times that
 * a host may still be put on a seat; the search counts it down. A host whose
 * search would need too much of it does not raise *bound.
 * 0, or -1 with @err set and *bound as it was: out of memory.
 */
int pl_cube_near_floor(const struct pl_floor *f, const struct pl_cube_rounds *r,
		       size_t joint, uint64_t *work, const struct pl_stop *stop,
		       double *bound, struct pl_err *err);

#endif
