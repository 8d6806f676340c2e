/* SPDX-License-Identifier: BSD-3-Clause */
/* knee.h - where a curve bends (kneedle) */
#ifndef PLINK_PLANNER_BATCH_KNEE_H
#define PLINK_PLANNER_BATCH_KNEE_H

#include <stdbool.h>
#include <stddef.h>

/* What the curve y(x) looks like. */
struct pl_knee_curve {
	bool convex, decreasing;
	double sensitivity; /* S; 1 is usual */
};

/*
 * The index of the knee of n points, x ascending (Satopaa et al. 2011, without its smoothing); n if
 * there is none, also for n < 3, for equal y, and if memory is out.
 */
size_t pl_knee(const double *x, const double *y, size_t n, const struct pl_knee_curve *curve);

#endif
