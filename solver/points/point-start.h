/* SPDX-License-Identifier: BSD-3-Clause */
/* point-start.h - a ring through points to start from */
#ifndef PLINK_SOLVER_POINTS_POINT_START_H
#define PLINK_SOLVER_POINTS_POINT_START_H

#include "base/err.h"
#include "solver/points/kd.h"

/*
 * Always joins two paths by the shortest link first (Bentley, ORSA J. Comput. 4
 * (1992): greedy, some 16 % above the bound if points are spread evenly). Links
 * to near points are tried in order of length; then the same is repeated with
 * only the ends of the paths made so far, until there is one path. Fills
 * host_at[n]. 0, or -1 with @err set: out of memory.
 */
int pl_point_start(const struct pl_kd *kd, size_t *host_at, struct pl_err *err);

#endif
