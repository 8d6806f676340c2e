/* SPDX-License-Identifier: BSD-3-Clause */
/* spearman.h - rank correlation */
#ifndef PLINK_BENCH_SPEARMAN_H
#define PLINK_BENCH_SPEARMAN_H

#include <stddef.h>

/*
 * Spearman's rank correlation of x[n] and y[n]; tied values get their mean rank. *rho is in [-1,
 * 1], or NaN if n < 2 or one side is constant. 0, or -1: out of memory. Spearman, Am. J. Psychol.
 * 15 (1904).
 */
int spearman(const double *x, const double *y, size_t n, double *rho);

#endif
