/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - order statistics */
#ifndef PLINK_BASE_STATS_H
#define PLINK_BASE_STATS_H

#include <stddef.h>
#include <stdint.h>

/* Sorts ascending, in place. Doubles must not be NaN. */
void pl_sort_doubles(double *v, size_t n);
void pl_sort_int64(int64_t *v, size_t n);
void pl_sort_uint32(uint32_t *v, size_t n);

/*
 * Index of percentile @p (0 < p <= 1) in an ascending sample of @n > 0 values, by nearest rank:
 * ceil(p * n) - 1. The one definition used everywhere.
 */
size_t pl_percentile_index(size_t n, double p);

/* Median by nearest rank of an unsorted sample, NaN for n = 0; sorts @v. */
double pl_median(double *v, size_t n);

#endif
