/* SPDX-License-Identifier: BSD-3-Clause */
/* spearman.c - rank correlation */
#include "config.h"

#include "bench/spearman.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct ranked {
	double value;
	size_t index;
};

static int compare_ranked(const void *a, const void *b)
{
	const double x = ((const struct ranked *)a)->value;
	const double y = ((const struct ranked *)b)->value;

	return (x > y) - (x < y);
}

/* rank[i] of v[i] from 1; equal values share the mean of their ranks */
static void rank_values(const double *v, size_t n, struct ranked *work, double *rank)
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

int spearman(const double *x, const double *y, size_t n, double *rho)
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
