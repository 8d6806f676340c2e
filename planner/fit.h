/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.h - least squares and principal axes, of LAPACK */
#ifndef PLINK_PLANNER_FIT_H
#define PLINK_PLANNER_FIT_H

#include <stddef.h>

#define PL_FIT_MAX 9 /* unknowns */

/*
 * The x[k] with the least sum of (y[i] - sum_j a[i*k + j] * x[j])^2, by QR. @a is [n*k], and is
 * overwritten, as is @y. 0; -1 if n < k, if the columns depend on one another, or there is no
 * memory, with @x unchanged.
 */
int pl_fit(double *a, double *y, size_t n, size_t k, double *x);

/*
 * The eigenvectors of the symmetric n*n matrix @a, the largest eigenvalue first: axis[k*width + i]
 * is component i of the kth, whose length is 1 and whose largest component is positive. Both are
 * [n*width]; @a is used up. 0, or -1: no memory.
 */
int pl_fit_axes(double *a, double *axis, size_t n, size_t width);

#endif
