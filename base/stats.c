/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - order statistics */
#include "config.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int compare_int64(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int compare_uint32(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void pl_sort_doubles(double *v, size_t n)
{
	if (n > 1)
		qsort(v, n, sizeof(*v), compare_doubles);
}

void pl_sort_int64(int64_t *v, size_t n)
{
	if (n > 1)
		qsort(v, n, sizeof(*v), compare_int64);
}

void pl_sort_uint32(uint32_t *v, size_t n)
{
	if (n > 1)
		qsort(v, n, sizeof(*v), compare_uint32);
}

size_t pl_percentile_index(size_t n, double p)
{
	double rank = ceil(p * (double)n);

	/* 0.07 * 100 is a little more than 7: do not let that move the rank */
	if (rank - p * (double)n > 1 - 1e-9)
		rank -= 1;
	if (rank < 1)
		return 0;
	return rank > (double)n ? n - 1 : (size_t)rank - 1;
}

double pl_median(double *v, size_t n)
{
	if (n == 0)
		return NAN;
	pl_sort_doubles(v, n);
	return v[pl_percentile_index(n, 0.5)];
}
