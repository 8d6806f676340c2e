/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-split.c - the widest parts that a few hosts fall into */
#include "config.h"

#include "topology/sparse-split.h"

#include "src/mem.h"
#include "src/stats.h"
#include "topology/linkage.h"

#include <math.h>
#include <stdlib.h>

/* A host's share is judged by what most of its pairs have; where parts are few, many of
 * them are near. */
#define FAR_SHARE 0.75
#define OWN_MOST 0.25 /* of the usual distance */

/* Levels of fourth roots: how wide one is at most, its spread at least; how many spreads
 * two are apart that count, and of the best such gap, what one above it must have. */
#define WINDOW 1.13
#define SPREAD_LEAST 0.0125
#define SCORE_LEAST 2.2
#define TOPMOST 0.5

struct level {
	double mean, spread;
};

/* The percentile of row i, of the whole for i = m; NAN: nothing there. */
static double upper(const float *distance, size_t m, size_t i, double *v)
{
	size_t n = 0;

	for (size_t p = 0; p < m * m; p++)
		if ((i == m || p / m == i) && p % (m + 1) != 0 &&
		    !isnan(distance[p]))
			v[n++] = (double)distance[p];
	if (n == 0)
		return NAN;
	pl_sort_doubles(v, n);
	return v[pl_percentile_index(n, FAR_SHARE)];
}

/* Takes what hosts have of their own off the distances. */
static void take_off(float *distance, size_t m, double *own, double *v)
{
	const double usual = upper(distance, m, m, v);

	for (size_t i = 0; i < m; i++) {
		own[i] = upper(distance, m, i, v) - usual;
		if (isnan(own[i]))
			own[i] = 0;
		own[i] = fmin(own[i], OWN_MOST * usual);
		own[i] = fmax(own[i], -OWN_MOST * usual);
	}
	for (size_t p = 0; p < m * m; p++)
		if (!isnan(distance[p]))
			distance[p] = (float)fmax(
				(double)distance[p] - own[p / m] - own[p % m],
				0);
}

/* Heights that are within @WINDOW of each other, above a gap or below it. */
static struct level level_of(const struct pl_merge *merge, size_t from,
			     size_t to, double least, double most)
{
	double sum = 0, squares = 0, n = 0;

	for (size_t k = from; k < to; k++) {
		const double h = (double)merge[k].height;

		if (!(h >= least && h <= most))
			continue;
		sum += h;
		squares += h * h;
		n++;
	}
	if (n == 0)
		return (struct level){NAN, NAN};
	sum /= n;
	return (struct level){sum,
			      sqrt(fmax(squares / n - sum * sum, 0) +
				   SPREAD_LEAST * SPREAD_LEAST * sum * sum)};
}

/* How far the levels above and below merge k are apart, in their spreads; 0 where they
 * are too near. Heights are fourth roots. */
static double gap_at(const struct pl_merge *merge, size_t m, size_t k)
{
	const double above = (double)merge[k].height;
	const double below = (double)merge[k - 1].height;
	const struct level lo = level_of(merge, 0, k, below / WINDOW, below);
	const struct level hi =
		level_of(merge, k, m - 1, above, above * WINDOW);

	if (isinf(above))
		return isinf(below) ? 0 : INFINITY;
	if (!(hi.mean > PL_SPARSE_GAP * lo.mean))
		return 0;
	return (hi.mean - lo.mean) / (hi.spread + lo.spread);
}

/* How many merges are below the topmost gap; m - 1: there is none. */
static size_t find_gap(const struct pl_merge *merge, size_t m)
{
	double best = SCORE_LEAST;
	size_t found = m - 1;

	for (size_t k = 1; k + 1 < m; k++)
		best = fmax(best, TOPMOST * gap_at(merge, m, k));
	for (size_t k = m - 2; k > 0; k--) {
		const double here = gap_at(merge, m, k);

		if (here < best)
			continue;
		found = k;
		/* the best of those next to it */
		while (k > 1 &&
		       gap_at(merge, m, k - 1) > gap_at(merge, m, found))
			found = --k;
		break;
	}
	return found;
}

/* Medians within parts and between them. */
static void describe(const float *distance, size_t m, const size_t *part,
		     struct pl_sparse_scale *scale, double *v)
{
	size_t n = 0, n_far = 0;

	for (size_t p = 0; p < m * m; p++) {
		if (p % (m + 1) == 0 || isnan(distance[p]))
			continue;
		if (part[p / m] == part[p % m])
			v[n++] = (double)distance[p];
		else
			v[m * m - ++n_far] = (double)distance[p];
	}
	scale->near = pl_median(v, n);
	scale->far = pl_median(v + m * m - n_far, n_far);
	scale->cut = sqrt(scale->near * scale->far);
}

int pl_sparse_split(float *distance, size_t m, double *own, size_t *part,
		    size_t *n_parts, struct pl_sparse_scale *scale)
{
	double *v = pl_array_create(m * m, sizeof(*v));
	float *copy = pl_array_create(m * m, sizeof(*copy));
	size_t *map = pl_array_create(m, sizeof(*map));
	struct pl_merge *merge = pl_array_create(m, sizeof(*merge));
	size_t n_merges;
	int rc = -1;

	if (!v || !copy || !map || !merge)
		goto out;
	take_off(distance, m, own, v);
	for (size_t p = 0; p < m * m; p++)
		copy[p] = sqrtf(sqrtf(distance[p]));
	if (pl_linkage(copy, m, merge))
		goto out;
	n_merges = find_gap(merge, m);
	*n_parts = pl_linkage_cut(merge, n_merges, m, part, map);
	if (*n_parts > 1)
		describe(distance, m, part, scale, v);
	if (isnan(scale->cut) || !(scale->near < scale->far))
		*n_parts = 1;
	rc = 0;
out:
	free(v);
	free(copy);
	free(map);
	free(merge);
	return rc;
}

int pl_sparse_join(float *distance, size_t m, double cut, size_t *part,
		   size_t *n_parts)
{
	size_t *map = pl_array_create(m, sizeof(*map));
	struct pl_merge *merge = pl_array_create(m, sizeof(*merge));
	int rc = -1;
	size_t k = 0;

	for (size_t p = 0; p < m * m; p++)
		distance[p] = sqrtf(sqrtf(distance[p]));
	cut = sqrt(sqrt(cut));
	if (map && merge && !pl_linkage(distance, m, merge)) {
		while (k + 1 < m && (double)merge[k].height < cut)
			k++;
		*n_parts = pl_linkage_cut(merge, k, m, part, map);
		rc = 0;
	}
	free(map);
	free(merge);
	return rc;
}
