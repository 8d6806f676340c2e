/* SPDX-License-Identifier: BSD-3-Clause */
/* cube-near.h - what the rounds of a hypercube cost together around one host */
#ifndef PLINK_SOLVER_BOUND_CUBE_NEAR_H
#define PLINK_SOLVER_BOUND_CUBE_NEAR_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/order-floor.h"

#include <stddef.h>
#include <stdint.h>

/* Rounds searched together at most: 16 hosts. */
#define PL_CUBE_NEAR_MAX 4

/* Rounds of a hypercube, which each join every host with one other. */
struct pl_cube_rounds {
	size_t n;
	const double *times; /* [n] how often each is taken, descending */
	/* [n] what the dearest hop of the cheapest round costs at least, of the
	 * next cheapest, ...; ascending */
	const double *least;
};

/* The sum over the rounds of times * least. */
double pl_cube_rounds_floor(const struct pl_cube_rounds *r);

/*
 * Raises *bound, which no order undercuts: the first @joint rounds (n and
 * PL_CUBE_NEAR_MAX at most) give every host a cube of 2^joint hosts. For each
 * host all cubes are tried (branch and bound; no round counts less than its
 * least) for what the rounds cost if that one were the dearest: the dearest
 * host counts. *work, taken down, is how many hosts may be put on a seat yet;
 * hosts that would take too many count nothing.
 * 0, or -1 with @err set and *bound as it was: out of memory.
 */
int pl_cube_near_floor(const struct pl_floor *f, const struct pl_cube_rounds *r,
		       size_t joint, uint64_t *work, const struct pl_stop *stop,
		       double *bound, struct pl_err *err);

#endif
