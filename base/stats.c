/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c - order statistics and rank correlation */
#include "config.h"

#include "base/stats.h"

#include "base/mem.h"

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

struct ranked {
	double value;
	size_t index;
};

static int compare_ranked(const void *a, const void *b)
{
	return compare_doubles(&((const struct ranked *)a)->value,
			       &((const struct ranked *)b)->value);
}

/* rank[i] of v[i] from 1; equal values share the mean of their ranks */
static void rank_values(const double *v, size_t n, struct ranked *work,
			double *rank)
{
	for (size_t i = 0; i < n; i++)
		work[i] = (struct ranked){.value = v[i], .index = i};
	qsort(work, n, sizeof(*work), compare_ranked);
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i; j < n && work[j].value == work[i].value;)
			j++;
		for (size_t k = i; k < j; k++)
			rank[work[k].index] = (double)(i + j + 1) / 2;
	}
}

/* Pearson's correlation; ranks have the mean (n + 1) / 2 */
static double correlate(const double *x, const double *y, size_t n)
{
	const double mean = (double)(n + 1) / 2;
	double xy = 0, xx = 0, yy = 0;

	for (size_t i = 0; i < n; i++) {
		xy += (x[i] - mean) * (y[i] - mean);
		xx += (x[i] - mean) * (x[i] - mean);
		yy += (y[i] - mean) * (y[i] - mean);
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

int pl_spearman(const double *x, const double *y, size_t n, double *rho)
{
	struct ranked *work = pl_array_create(n, sizeof(*work));
	double *rank = pl_array_create(n, 2 * sizeof(*rank));
	int rc = -1;

	if (!work || !rank)
		goto out;
	*rho = NAN;
	if (n >= 2) {
		rank_values(x, n, work, rank);
		rank_values(y, n, work, rank + n);
		*rho = correlate(rank, rank + n, n);
	}
	rc = 0;
out:
	free(work);
	free(rank);
	return rc;
}
