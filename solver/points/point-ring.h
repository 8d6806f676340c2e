/* SPDX-License-Identifier: BSD-3-Clause */
/* point-ring.h - a short ring through many points */
#ifndef PLINK_SOLVER_POINTS_POINT_RING_H
#define PLINK_SOLVER_POINTS_POINT_RING_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/points/kd.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As pl_ring_options (ring-search.h). */
struct pl_point_ring_options {
	uint64_t seed, moves;
	double target;        /* a bound, or 0 */
	const double *weight; /* [n] prices of pl_point_bound, or NULL: hints */
	const struct pl_stop *stop;
};

struct pl_point_ring_result {
	double cost_given, cost;
	uint64_t moves;
	bool stopped;
};

/*
 * Improves the ring host_at[n] (in: the given order, a permutation; out: the
 * best ring found) for hosts whose matrix would not fit into memory; otherwise
 * use pl_ring_search. One restart of an iterated local search starts from the
 * order of pl_point_start or the given one, whichever is shorter. With few
 * moves for each point, or UINT64_MAX, it never takes a dearer ring. Memory in
 * proportion to n. The same seed and moves give the same order unless *stop
 * came first. 0, or -1 with @err set and host_at as it was: out of memory.
 */
int pl_point_ring(const struct pl_kd *kd,
		  const struct pl_point_ring_options *options, size_t *host_at,
		  struct pl_point_ring_result *result, struct pl_err *err);

#endif
