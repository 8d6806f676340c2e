/* SPDX-License-Identifier: BSD-3-Clause */
/* points.h - hosts as points in a plane */
#ifndef PLINK_SOLVER_POINTS_POINTS_H
#define PLINK_SOLVER_POINTS_POINTS_H

#include <math.h>
#include <stddef.h>

/* For hosts whose matrix would not fit into memory: network coordinates. The
 * cost of a hop is the distance. The arrays are borrowed, and their values are
 * finite and within +-PL_POINT_MAX. */
struct pl_points {
	const double *x, *y; /* [n] */
	size_t n;            /* < UINT32_MAX */
};

#define PL_POINT_MAX 1e150

static inline double pl_distance(const struct pl_points *p, size_t i, size_t j)
{
	const double x = p->x[i] - p->x[j], y = p->y[i] - p->y[j];

	return sqrt(x * x + y * y);
}

#endif
