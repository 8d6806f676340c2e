/* SPDX-License-Identifier: BSD-3-Clause */
/* cube-bound.h - what no order of hosts on a hypercube can undercut */
#ifndef PLINK_SOLVER_BOUND_CUBE_BOUND_H
#define PLINK_SOLVER_BOUND_CUBE_BOUND_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/bound/order-floor.h"

#include <stddef.h>

/*
 * A lower bound for rounds that each join all hosts in pairs, where any k of them form cubes of 2^k
 * hosts, as halving and doubling do. Each round costs its dearest hop, *times; *bound becomes a
 * lower bound on their sum. @times is descending, @f has degrees up to @n_rounds, and f->n is a
 * power of two. The k cheapest rounds by themselves need
 * - k neighbours of every host, groups whose sizes are multiples of 2^k, and as
 *   many hosts near each group as a set of vertices has in cubes
 *   (pl_floor_growth);
 * - for k up to four, a cube around every host (pl_cube_near_floor).
 * If the cheapest links make racks of 2^k hosts each, there are two cases:
 * either the racks are the cubes of the k cheapest rounds, and the other rounds
 * join racks, as a hypercube whose hosts are racks; or the k-th round already
 * leaves some rack.
 * The amount of work is bounded, and *stop ends it early. n^2 doubles.
 * 0, or -1 with @err set: out of memory.
 */
int pl_cube_bound(const struct pl_floor *f, const double *times, size_t n_rounds,
		  const struct pl_stop *stop, double *bound, struct pl_err *err);

/* Most rounds that are searched together: 16 hosts. */
#define PL_CUBE_NEAR_MAX 4

/* Rounds of a hypercube. Each round joins every host with one other host. */
struct pl_cube_rounds {
	size_t n;
	const double *times; /* [n] how often each round is taken, descending */
	/* [n] lower bound on the dearest hop of the cheapest round, of the next cheapest, ...;
	 * ascending */
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
int pl_cube_near_floor(const struct pl_floor *f, const struct pl_cube_rounds *r, size_t joint,
		       uint64_t *work, const struct pl_stop *stop, double *bound,
		       struct pl_err *err);

/*
 * For @n vertices that form cubes of @dim dimensions, side by side (2^dim
 * divides n): any @a vertices together with all their neighbours are at least
 * least[a] vertices, for a = 0 .. n. O(n 2^dim) time.
 * In one cube the minimum is reached by the first a vertices in the order of
 * weight, and within a weight by the positions of the ones: Harper, J. Combin.
 * Theory 1 (1966).
 * 0, or -1 with @err set: out of memory.
 */
int pl_cube_neighbours(size_t n, size_t dim, size_t *least, struct pl_err *err);

#endif
