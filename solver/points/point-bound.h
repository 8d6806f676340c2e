/* SPDX-License-Identifier: BSD-3-Clause */
/* point-bound.h - what no ring through these points can undercut */
#ifndef PLINK_SOLVER_POINTS_POINT_BOUND_H
#define PLINK_SOLVER_POINTS_POINT_BOUND_H

#include "base/err.h"
#include "base/stop.h"
#include "solver/points/kd.h"

/*
 * *bound: at most the length of every ring through the points, rounding allowed
 * for. Prices climb over the links to near hosts alone (ascent.h), by @n_steps;
 * under the best of them the least spanning tree of all links is then found,
 * and that with its dearest link proves the bound. What it has that was not
 * among the links is added to them, and prices climb on, until nothing is or
 * *stop comes. weight[n] gets the prices. 0, or -1 with @err set: out of
 * memory.
 */
int pl_point_bound(const struct pl_kd *kd, size_t n_steps,
		   const struct pl_stop *stop, double *bound, double *weight,
		   struct pl_err *err);

#endif
