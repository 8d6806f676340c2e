/* SPDX-License-Identifier: BSD-3-Clause */
/* point-bound.h - lower bound on rings through points */
#ifndef PLINK_SOLVER_POINTS_POINT_BOUND_H
#define PLINK_SOLVER_POINTS_POINT_BOUND_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/points/kd.h"

/*
 * *bound becomes a lower bound on the length of every ring through the points.
 * The bound allows for rounding. An ascent of @n_steps raises prices over the
 * links to near hosts alone (ascent.h). Under the best prices, the least
 * spanning tree over all links is then found; together with its dearest link it
 * proves the bound. If that tree has links that were not among those to near
 * hosts, these are added and the ascent goes on, until none is missing or *stop
 * comes. weight[n] gets the prices. 0, or -1 with @err set: out of memory.
 */
int pl_point_bound(const struct pl_kd *kd, size_t n_steps,
		   const struct pl_stop *stop, double *bound, double *weight,
		   struct pl_err *err);

#endif
