/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-split.c - the widest parts that a few hosts fall into */
#include "config.h"

#include "topology/sparse-split.h"

#include "base/mem.h"
#include "base/stats.h"
#include "topology/linkage.h"
#include "topology/sparse-own.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define LOOKS 4 /* at parts, and at what hosts add by these */

/* Levels of fourth roots: how wide one is at most, its spread at least; how many spreads two are
 * apart that count, and of the best such gap, what one above it must have. */
#define WINDOW 1.13
#define SPREAD_LEAST 0.0125
#define SCORE_LEAST 2.2
#define TOPMOST 0.5
#define FEW_SHARE 10 /* such a share of hosts that merge tells nothing */
#define CLEAR 3.0    /* such a score needs no comparison */

struct level {
	double mean, spread;
};

/* Heights that are within @WINDOW of each other, above a gap or below it. */
static struct level level_of(const struct pl_cluster_merge *merge, size_t from, size_t to,
			     double least, double most)
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
	return (struct level){sum, sqrt(fmax(squares / n - sum * sum, 0) +
					SPREAD_LEAST * SPREAD_LEAST * sum * sum)};
}

/* How far the levels above and below merge k are apart, in their spreads; 0 where they are too
 * near. Heights are fourth roots. */
static double gap_at(const struct pl_cluster_merge *merge, size_t m, size_t k)
{
	const double above = (double)merge[k].height;
	const double below = (double)merge[k - 1].height;
	const struct level lo = level_of(merge, 0, k, below / WINDOW, below);
	const struct level hi = level_of(merge, k, m - 1, above, above * WINDOW);

	if (isinf(above))
		return isinf(below) ? 0 : INFINITY;
	if (!(hi.mean > PL_SPARSE_GAP * lo.mean))
		return 0;
	return (hi.mean - lo.mean) / (hi.spread + lo.spread);
}

/* How many merges are below the topmost gap of a score of @least; m - 1: there is none. */
static size_t find_gap(const struct pl_cluster_merge *merge, size_t m, double least)
{
	const size_t first = 1 + m / FEW_SHARE;
	double best = least;
	size_t found = m - 1;

	for (size_t k = first; k + 1 < m; k++)
		best = fmax(best, TOPMOST * gap_at(merge, m, k));
	best = fmin(best, CLEAR);
	for (size_t k = m - 2; k >= first; k--) {
		const double here = gap_at(merge, m, k);

		if (here < best)
			continue;
		found = k;
		/* the best of those next to it */
		while (k > first && gap_at(merge, m, k - 1) > gap_at(merge, m, found))
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

/* What hosts add, by the pairs between parts. */
static int fit_own(const float *distance, size_t m, const size_t *part, double far,
		   struct pl_sparse_rest *rest, struct pl_sparse_own *own)
{
	double spread, ratio;
	size_t n = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < i; j++) {
			const float d = distance[i * m + j];

			if (part[i] != part[j] && !isnan(d))
				rest[n++] = (struct pl_sparse_rest){
					.host = {(uint32_t)i, (uint32_t)j}, .rest = d - (float)far};
		}
	return pl_sparse_own_solve(rest, n, own, &spread, &ratio);
}

static void take_off(const float *distance, size_t m, const struct pl_sparse_own *own, float *less,
		     float *root)
{
	for (size_t p = 0; p < m * m; p++) {
		less[p] = (float)fmax((double)distance[p] - own[p / m].more - own[p % m].more, 0);
		if (isnan(distance[p]))
			less[p] = NAN;
		root[p] = sqrtf(sqrtf(less[p]));
	}
}

struct looks {
	float *less, *root; /* [m * m] */
	double *v;
	size_t *map;
	struct pl_cluster_merge *merge;
	struct pl_sparse_rest *rest;
	struct pl_sparse_own *own;
};

static bool begin_looks(struct looks *l, size_t m)
{
	*l = (struct looks){
		.less = pl_array_create(m * m, sizeof(*l->less)),
		.root = pl_array_create(m * m, sizeof(*l->root)),
		.v = pl_array_create(m * m, sizeof(*l->v)),
		.map = pl_array_create(m, sizeof(*l->map)),
		.merge = pl_array_create(m, sizeof(*l->merge)),
		.rest = pl_array_create(m * m, sizeof(*l->rest)),
		.own = pl_array_create(m, sizeof(*l->own)),
	};
	return l->less && l->root && l->v && l->map && l->merge && l->rest && l->own;
}

static void end_looks(struct looks *l)
{
	free(l->less);
	free(l->root);
	free(l->v);
	free(l->map);
	free(l->merge);
	free(l->rest);
	free(l->own);
}

/* One look at parts, hosts' own being what it is by now. */
static int look_at(struct looks *l, const float *distance, size_t m,
		   const struct pl_sparse_scale *like, double least, size_t *part, size_t *n_parts)
{
	size_t n_merges = 0;

	take_off(distance, m, l->own, l->less, l->root);
	if (pl_linkage(l->root, m, l->merge))
		return -1;
	if (like)
		while (n_merges + 1 < m &&
		       (double)l->merge[n_merges].height < sqrt(sqrt(like->cut)))
			n_merges++;
	else
		n_merges = find_gap(l->merge, m, least);
	*n_parts = pl_linkage_cut(l->merge, n_merges, m, part, l->map);
	return 0;
}

int pl_sparse_split(const float *distance, size_t m, const struct pl_sparse_scale *like,
		    size_t *part, size_t *n_parts, struct pl_sparse_scale *scale)
{
	struct looks l;
	int rc = -1;

	if (!begin_looks(&l, m))
		goto out;
	for (int look = 1; look <= LOOKS; look++) {
		if (look_at(&l, distance, m, like, look < LOOKS ? 0 : SCORE_LEAST, part, n_parts))
			goto out;
		if (*n_parts == 1)
			break;
		describe(l.less, m, part, scale, l.v);
		if (look < LOOKS && fit_own(distance, m, part, scale->far, l.rest, l.own))
			goto out;
	}
	if (like)
		*scale = *like;
	else if (isnan(scale->cut) || !(scale->near < scale->far))
		*n_parts = 1;
	rc = 0;
out:
	end_looks(&l);
	return rc;
}
