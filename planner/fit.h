/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.h - least squares of a few unknowns */
#ifndef PLINK_PLANNER_FIT_H
#define PLINK_PLANNER_FIT_H

#include <stddef.h>

#define PL_FIT_MAX 9 /* unknowns */

/*
 * The x[k] with the least sum of (y[i] - sum_j a[i*k + j] * x[j])^2, by
 * Gram-Schmidt with a second pass (Bjorck 1967). @a is [n*k], and is
 * overwritten, as is @y. 0; -1 if n < k or the columns depend on one another,
 * with @x unchanged.
 */
int pl_fit(double *a, double *y, size_t n, size_t k, double *x);

#endif
