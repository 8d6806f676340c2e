/* SPDX-License-Identifier: BSD-3-Clause */
/* axes.h - principal axes of a few features */
#ifndef PLINK_PLANNER_TRANSIENT_AXES_H
#define PLINK_PLANNER_TRANSIENT_AXES_H

#include "planner/transient/samples.h"

#include <stddef.h>

/* The eigenvectors of the symmetric a[n][n] by Jacobi's rotations, largest
 * eigenvalue first: axis[k] is the kth, of length 1, its largest component
 * positive. @a is used up. */
void pl_axes_find(double a[PL_FEATURES_MAX][PL_FEATURES_MAX],
		  double axis[PL_FEATURES_MAX][PL_FEATURES_MAX], size_t n);

#endif
