/* SPDX-License-Identifier: BSD-3-Clause */
/* affinity.c - how well measured distances tell which hosts are near each other (PAIA) */
#include "config.h"

#include "topology/affinity.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define APART_MAX (PL_PLACES_LEVELS_MAX + 1)

/* One that the observer looks at. */
struct seen {
	double measured;
	unsigned char apart;
};

double pl_affinity_score(const struct pl_affinity *a)
{
	const uint64_t all = a->right + a->wrong + a->tied;

	return all ? (double)a->right / (double)all : NAN;
}

static int by_measured(const void *x, const void *y)
{
	const struct seen *a = x, *b = y;

	return (a->measured > b->measured) - (a->measured < b->measured);
}

/* Pairs of counts at different distances. */
static uint64_t pairs_apart(const uint64_t *count)
{
	uint64_t pairs = 0, before = 0;

	for (size_t t = 0; t <= APART_MAX; t++) {
		pairs += before * count[t];
		before += count[t];
	}
	return pairs;
}

/* seen[n] by rising measure; those measured alike form a run. */
static void judge(struct pl_affinity *sum, const struct seen *seen, size_t n)
{
	uint64_t before[APART_MAX + 1] = {0};
	size_t end;

	for (size_t first = 0; first < n; first = end) {
		uint64_t run[APART_MAX + 1] = {0};

		for (end = first; end < n && seen[end].measured == seen[first].measured; end++) {
			const size_t apart = seen[end].apart;

			run[apart]++;
			for (size_t t = 0; t < apart; t++)
				sum->right += before[t];
			for (size_t t = apart + 1; t <= APART_MAX; t++)
				sum->wrong += before[t];
		}
		sum->tied += pairs_apart(run);
		for (size_t t = 0; t <= APART_MAX; t++)
			before[t] += run[t];
	}
}

int pl_affinity_add(struct pl_affinity *sum, const double *cell, size_t n, size_t c,
		    const unsigned char *apart, struct pl_err *err)
{
	struct seen *seen = pl_array_create(n, sizeof(*seen));
	size_t n_seen = 0;

	if (!seen)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++)
		if (i != c && apart[i] <= APART_MAX && !isnan(cell[i * n + c]))
			seen[n_seen++] = (struct seen){cell[i * n + c], apart[i]};
	qsort(seen, n_seen, sizeof(*seen), by_measured);
	judge(sum, seen, n_seen);
	free(seen);
	return 0;
}

int pl_affinity(struct pl_affinity *sum, const double *cell, size_t n,
		const struct pl_places *truth, const ptrdiff_t *place, struct pl_err *err)
{
	unsigned char *apart = pl_array_create(n, sizeof(*apart));
	int rc = 0;

	if (!apart)
		return pl_err_nomem(err);
	memset(sum, 0, sizeof(*sum));
	for (size_t c = 0; rc == 0 && c < n; c++) {
		if (place[c] < 0)
			continue;
		for (size_t i = 0; i < n; i++)
			apart[i] = place[i] < 0
					   ? PL_APART_UNKNOWN
					   : (unsigned char)pl_places_apart(truth, (size_t)place[i],
									    (size_t)place[c]);
		rc = pl_affinity_add(sum, cell, n, c, apart, err);
	}
	free(apart);
	return rc;
}
