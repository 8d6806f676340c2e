/* SPDX-License-Identifier: BSD-3-Clause */
/* linkage.c - the tree of hosts by average linkage */
#include "config.h"

#include "topology/linkage.h"

#include "base/mem.h"
#include "topology/cluster.h"
#include "topology/linkage-chain.h"
#include "topology/linked.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

int pl_chain_init(struct pl_chain *c, size_t n)
{
	c->n = n;
	c->n_chain = 0;
	c->gone = pl_array_create(n, sizeof(*c->gone));
	c->chain = pl_array_create(n, sizeof(*c->chain));
	return c->gone && c->chain ? 0 : -1;
}

void pl_chain_fini(struct pl_chain *c)
{
	free(c->gone);
	free(c->chain);
}

size_t pl_chain_before(const struct pl_chain *c)
{
	return c->n_chain >= 2 ? c->chain[c->n_chain - 2] : c->n;
}

static int by_height(const void *x, const void *y)
{
	const struct pl_cluster_merge *a = x, *b = y;

	if (a->height != b->height)
		return a->height > b->height ? 1 : -1;
	return (a->a > b->a) - (a->a < b->a);
}

int pl_chain_link(struct pl_chain *c, struct pl_cluster_merge *merge)
{
	size_t n_merges = 0, first = 0;

	while (n_merges + 1 < c->n) {
		size_t a, b;
		float height;

		while (c->gone[first])
			first++;
		if (c->n_chain == 0)
			c->chain[c->n_chain++] = first;
		a = c->chain[c->n_chain - 1];
		b = c->nearest(c, a, &height);
		if (b != pl_chain_before(c)) {
			c->chain[c->n_chain++] = b;
			continue;
		}
		c->n_chain -= 2;
		merge[n_merges++] = (struct pl_cluster_merge){a, b, height};
		c->gone[a < b ? b : a] = true;
		if (c->join(c, a < b ? a : b, a < b ? b : a))
			return -1;
	}
	if (n_merges > 0)
		qsort(merge, n_merges, sizeof(*merge), by_height);
	return 0;
}

/* Between any two groups. */
struct linkage {
	struct pl_chain chain; /* first: it is what a pointer to this points to */
	float *distance;       /* [n * n] mean of the known cells between two
				* groups */
	float *weight;         /* [n * n] number of these cells */
};

static size_t nearest(struct pl_chain *c, size_t a, float *distance)
{
	const struct linkage *l = (const struct linkage *)c;
	const float *to = l->distance + a * c->n;
	size_t found = pl_chain_before(c);

	for (size_t b = 0; b < c->n; b++)
		if (b != a && !c->gone[b] && (found == c->n || to[b] < to[found]))
			found = b;
	*distance = to[found];
	return found;
}

static int join(struct pl_chain *chain, size_t a, size_t b)
{
	struct linkage *l = (struct linkage *)chain;
	const size_t n = chain->n;

	for (size_t c = 0; c < n; c++) {
		const float to_a = l->weight[a * n + c];
		const float to_b = l->weight[b * n + c];

		if (chain->gone[c] || c == a || to_b == 0)
			continue;
		l->distance[a * n + c] =
			to_a == 0
				? l->distance[b * n + c]
				: (to_a * l->distance[a * n + c] + to_b * l->distance[b * n + c]) /
					  (to_a + to_b);
		l->weight[a * n + c] = to_a + to_b;
		l->distance[c * n + a] = l->distance[a * n + c];
		l->weight[c * n + a] = to_a + to_b;
	}
	return 0;
}

static void weigh(struct linkage *l)
{
	for (size_t p = 0; p < l->chain.n * l->chain.n; p++) {
		l->weight[p] = isnan(l->distance[p]) ? 0 : 1;
		if (isnan(l->distance[p]))
			l->distance[p] = INFINITY;
	}
}

int pl_linkage(float *distance, size_t n, struct pl_cluster_merge *merge)
{
	struct linkage l = {
		.chain = {.nearest = nearest, .join = join},
		.distance = distance,
	};
	int rc = pl_chain_init(&l.chain, n);

	l.weight = pl_array_create(n, n * sizeof(*l.weight));
	if (!l.weight)
		rc = -1;
	if (rc == 0) {
		weigh(&l);
		rc = pl_chain_link(&l.chain, merge);
	}
	free(l.weight);
	pl_chain_fini(&l.chain);
	return rc;
}

size_t pl_linkage_cut(const struct pl_cluster_merge *merge, size_t n_merges, size_t n,
		      size_t *group, size_t *map)
{
	for (size_t i = 0; i < n; i++)
		map[i] = i;
	for (size_t m = 0; m < n_merges; m++)
		map[pl_linked_root(map, merge[m].a)] = pl_linked_root(map, merge[m].b);
	for (size_t i = 0; i < n; i++)
		group[i] = pl_linked_root(map, i);
	return pl_group_renumber(group, n, map);
}
