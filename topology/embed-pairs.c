/* SPDX-License-Identifier: BSD-3-Clause */
/* embed-pairs.c - the pairs of a square matrix, weighed and linked */
#include "config.h"

#include "base/mem.h"
#include "topology/embed.h"
#include "topology/linked.h"

#include <math.h>
#include <stdlib.h>

/* Of the mean distance; below it errors do not get smaller. */
#define LEAST 0.05

static void weigh(struct pl_measured_pair *pair, size_t n)
{
	double sum = 0, least;

	for (size_t p = 0; p < n; p++)
		sum += pair[p].distance;
	least = LEAST * sum / (double)n;
	for (size_t p = 0; sum > 0 && p < n; p++) {
		const double x = pair[p].distance > least ? pair[p].distance : least;

		pair[p].weight = (least / x) * (least / x);
	}
}

struct pl_measured_pair *pl_pairs_of(const double *cell, size_t n, enum pl_pair_weight weight,
				     size_t *n_pairs)
{
	struct pl_measured_pair *pair;
	size_t n_there = 0, to = 0;

	for (size_t i = 0; i < n * n; i++)
		n_there += i % (n + 1) != 0 && !isnan(cell[i]);
	pair = pl_array_create(n_there, sizeof(*pair));
	if (!pair)
		return NULL;
	for (size_t a = 0; a < n; a++)
		for (size_t b = 0; b < n; b++)
			if (a != b && !isnan(cell[a * n + b]))
				pair[to++] = (struct pl_measured_pair){
					.distance = cell[a * n + b],
					.weight = 1,
					.a = (uint32_t)a,
					.b = (uint32_t)b,
				};
	if (weight == PL_WEIGHT_RELATIVE)
		weigh(pair, n_there);
	*n_pairs = n_there;
	return pair;
}

struct pl_measured_pair *pl_pairs_of_known(const struct pl_known *l, enum pl_pair_weight weight,
					   size_t *n_pairs)
{
	struct pl_measured_pair *pair = pl_array_create(l->begin[l->n] + 1, sizeof(*pair));
	size_t to = 0;

	if (!pair)
		return NULL;
	for (size_t a = 0; a < l->n; a++)
		for (size_t k = l->begin[a]; k < l->begin[a + 1]; k++)
			if (!isnan(l->pair[k].there))
				pair[to++] = (struct pl_measured_pair){
					.distance = l->pair[k].there,
					.weight = 1,
					.a = (uint32_t)a,
					.b = l->pair[k].to,
				};
	if (weight == PL_WEIGHT_RELATIVE)
		weigh(pair, to);
	*n_pairs = to;
	return pair;
}

int pl_pairs_apart(size_t n, const struct pl_measured_pair *pair, size_t n_pairs, size_t *apart)
{
	size_t *link = pl_array_create(n, sizeof(*link));

	if (!link)
		return -1;
	for (size_t a = 0; a < n; a++)
		link[a] = a;
	for (size_t p = 0; p < n_pairs; p++)
		if (pair[p].weight > 0)
			link[pl_linked_root(link, pair[p].a)] = pl_linked_root(link, pair[p].b);
	*apart = 0;
	while (*apart < n && pl_linked_root(link, *apart) == pl_linked_root(link, 0))
		++*apart;
	free(link);
	return 0;
}
