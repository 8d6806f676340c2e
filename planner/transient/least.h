/* SPDX-License-Identifier: BSD-3-Clause */
/* least.h - small dense linear algebra for fits: a few features, no more */
#ifndef PLINK_PLANNER_TRANSIENT_LEAST_H
#define PLINK_PLANNER_TRANSIENT_LEAST_H

#include "planner/transient/samples.h"

#include <stddef.h>

#define PL_LEAST_MAX (PL_FEATURES_MAX + 1)

/* Solves a[n][n] x = b[n] by elimination with pivots; @a and @b are used up, @b
 * becomes x. 0, or -1 if @a is singular within rounding. */
int pl_least_solve(double a[PL_LEAST_MAX][PL_LEAST_MAX], double b[PL_LEAST_MAX],
		   size_t n);

/* The eigenvectors of the symmetric a[n][n] by Jacobi's rotations, largest
 * eigenvalue first: axis[k] is the kth, of length 1, its largest component
 * positive. @a is used up. */
void pl_least_axes(double a[PL_FEATURES_MAX][PL_FEATURES_MAX],
		   double axis[PL_FEATURES_MAX][PL_FEATURES_MAX], size_t n);

#endif
