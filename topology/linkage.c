/* SPDX-License-Identifier: BSD-3-Clause */
/* linkage.c - the tree of hosts that are on average the nearest */
#include "config.h"

#include "topology/linkage.h"

#include "src/mem.h"
#include "topology/cluster.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Groups are known by one of their hosts. */
struct linkage {
	float *distance; /* [n * n] mean of what there is between two groups */
	float *weight;   /* [n * n] how much there is */
	size_t n;
	bool *gone;    /* [n] is in another group now */
	size_t *chain; /* [n] each the nearest of the one before */
	size_t n_chain;
};

/* The nearest group; of equals the one before in the chain, else the first. */
static size_t nearest(const struct linkage *l, size_t a)
{
	const float *to = l->distance + a * l->n;
	size_t found = l->n;

	if (l->n_chain >= 2)
		found = l->chain[l->n_chain - 2];
	for (size_t b = 0; b < l->n; b++)
		if (b != a && !l->gone[b] &&
		    (found == l->n || to[b] < to[found]))
			found = b;
	return found;
}

/* b goes into a. */
static void join(struct linkage *l, size_t a, size_t b)
{
	const size_t n = l->n;

	l->gone[b] = true;
	for (size_t c = 0; c < n; c++) {
		const float to_a = l->weight[a * n + c];
		const float to_b = l->weight[b * n + c];

		if (l->gone[c] || c == a || to_b == 0)
			continue;
		l->distance[a * n + c] =
			to_a == 0 ? l->distance[b * n + c]
				  : (to_a * l->distance[a * n + c] +
				     to_b * l->distance[b * n + c]) /
					    (to_a + to_b);
		l->weight[a * n + c] = to_a + to_b;
		l->distance[c * n + a] = l->distance[a * n + c];
		l->weight[c * n + a] = to_a + to_b;
	}
}

static void link_all(struct linkage *l, struct pl_merge *merge)
{
	size_t n_merges = 0, first = 0;

	while (n_merges + 1 < l->n) {
		size_t a, b;

		while (l->gone[first])
			first++;
		if (l->n_chain == 0)
			l->chain[l->n_chain++] = first;
		a = l->chain[l->n_chain - 1];
		b = nearest(l, a);
		if (l->n_chain < 2 || b != l->chain[l->n_chain - 2]) {
			l->chain[l->n_chain++] = b;
			continue;
		}
		l->n_chain -= 2;
		merge[n_merges++] =
			(struct pl_merge){a, b, l->distance[a * l->n + b]};
		join(l, a < b ? a : b, a < b ? b : a);
	}
}

static int by_height(const void *x, const void *y)
{
	const struct pl_merge *a = x, *b = y;

	if (a->height != b->height)
		return a->height > b->height ? 1 : -1;
	return (a->a > b->a) - (a->a < b->a);
}

static void weigh(struct linkage *l)
{
	for (size_t p = 0; p < l->n * l->n; p++) {
		l->weight[p] = isnan(l->distance[p]) ? 0 : 1;
		if (isnan(l->distance[p]))
			l->distance[p] = INFINITY;
	}
}

int pl_linkage(float *distance, size_t n, struct pl_merge *merge)
{
	struct linkage l = {.distance = distance, .n = n};
	int rc = -1;

	l.weight = pl_array_create(n, n * sizeof(*l.weight));
	l.gone = pl_array_create(n, sizeof(*l.gone));
	l.chain = pl_array_create(n, sizeof(*l.chain));
	if (!l.weight || !l.gone || !l.chain)
		goto out;
	weigh(&l);
	link_all(&l, merge);
	qsort(merge, n - 1, sizeof(*merge), by_height);
	rc = 0;
out:
	free(l.weight);
	free(l.gone);
	free(l.chain);
	return rc;
}

static size_t root(size_t *up, size_t i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}

size_t pl_linkage_cut(const struct pl_merge *merge, size_t n_merges, size_t n,
		      size_t *group, size_t *map)
{
	for (size_t i = 0; i < n; i++)
		map[i] = i;
	for (size_t m = 0; m < n_merges; m++)
		map[root(map, merge[m].a)] = root(map, merge[m].b);
	for (size_t i = 0; i < n; i++)
		group[i] = root(map, i);
	return pl_group_renumber(group, n, map);
}
