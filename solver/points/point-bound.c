/* SPDX-License-Identifier: BSD-3-Clause */
/* point-bound.c - what no ring through these points can undercut */
#include "config.h"

#include "solver/points/point-bound.h"

#include "base/mem.h"
#include "solver/graph.h"
#include "solver/points/kd-span.h"
#include "solver/ring/ascent.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hosts that each is linked to at first: of all, and of each quadrant. */
#define NEAR 5
#define AROUND 2
#define LINKS (NEAR + 4 * AROUND)

/* Climbs: later ones find little more. */
#define ROUNDS 4

struct bounding {
	const struct pl_kd *kd;
	struct pl_graph_link
		*link; /* of the graph, then those of the last tree */
	size_t n_links;
	double *price; /* [n] the best of the last climb */
	double value;  /* of the last tree */
	double best;
	double *weight; /* [n] prices of the best */
};

static void link_near(struct bounding *b)
{
	struct pl_near near[LINKS];

	for (size_t h = 0; h < b->kd->p.n; h++) {
		size_t n = pl_kd_nearest(b->kd, h, NEAR, near);

		n += pl_kd_around(b->kd, h, AROUND, near + n);
		for (size_t i = 0; i < n; i++)
			b->link[b->n_links++] = (struct pl_graph_link){
				near[i].distance, (uint32_t)h, near[i].host};
	}
}

/* A ring without its dearest hop is a spanning tree, and that hop is as dear as
 * the dearest of the least tree: else the others would connect all for less. */
static void weigh(struct bounding *b, const struct pl_graph_link *tree)
{
	const size_t n = b->kd->p.n;
	double sum = 0, size = 0, dearest = -INFINITY;

	for (size_t i = 0; i + 1 < n; i++) {
		const double w = tree[i].cost +
				 (b->price[tree[i].a] + b->price[tree[i].b]);

		sum += w;
		size += fabs(w);
		dearest = fmax(dearest, w);
	}
	for (size_t h = 0; h < n; h++) {
		sum -= 2 * b->price[h];
		size += 4 * fabs(b->price[h]);
	}
	size += fabs(dearest);
	b->value = sum + dearest - size * (double)(n + 8) * DBL_EPSILON;
	if (b->value <= b->best)
		return;
	b->best = b->value;
	memcpy(b->weight, b->price, n * sizeof(*b->weight));
}

/* Finds the tree under the prices there are; its links join the others. */
static int span(struct bounding *b, struct pl_err *err)
{
	struct pl_graph_link *tree = b->link + b->n_links;

	if (pl_kd_span(b->kd, b->price, tree, err))
		return -1;
	weigh(b, tree);
	b->n_links += b->kd->p.n - 1;
	return 0;
}

/* Prices climb over the links there are; doubles among these are dropped. */
static int climb(struct bounding *b, size_t n_steps, const struct pl_stop *stop,
		 struct pl_err *err)
{
	static const struct pl_ascent_pass pass = {1, 1};
	const size_t n = b->kd->p.n;
	struct pl_height at = {-INFINITY, -INFINITY};
	struct pl_graph g;
	struct pl_ascent a;

	if (pl_graph_init(&g, n, b->link, b->n_links, err))
		return -1;
	b->n_links = g.n_links;
	if (pl_ascent_init_graph(&a, &g, err)) {
		pl_graph_fini(&g);
		return -1;
	}
	memcpy(a.price, b->price, n * sizeof(*a.price));
	pl_ascend(&a, n_steps, &pass, 1, stop, &at);
	memcpy(b->price, a.best, n * sizeof(*b->price));
	pl_ascent_fini(&a);
	pl_graph_fini(&g);
	return 0;
}

static int work(struct bounding *b, size_t n_steps, const struct pl_stop *stop,
		struct pl_err *err)
{
	size_t before = 0;

	link_near(b);
	if (span(b, err))
		return -1;
	for (int round = 0; round < ROUNDS && !pl_stop_now(stop); round++) {
		if (climb(b, n_steps, stop, err))
			return -1;
		if (b->n_links == before)
			return 0;
		before = b->n_links;
		if (span(b, err))
			return -1;
	}
	return 0;
}

int pl_point_bound(const struct pl_kd *kd, size_t n_steps,
		   const struct pl_stop *stop, double *bound, double *weight,
		   struct pl_err *err)
{
	const size_t n = kd->p.n;
	struct bounding b = {.kd = kd, .best = -INFINITY, .weight = weight};
	int rc;

	*bound = 0;
	memset(weight, 0, n * sizeof(*weight));
	if (n < 3) {
		*bound = n == 2 ? 2 * pl_distance(&kd->p, 0, 1) : 0;
		return 0;
	}
	b.link = pl_array_create(n * (LINKS + 1 + ROUNDS), sizeof(*b.link));
	b.price = pl_array_create(n, sizeof(*b.price));
	rc = b.link && b.price ? work(&b, n_steps, stop, err)
			       : pl_err_nomem(err);
	free(b.link);
	free(b.price);
	*bound = fmax(b.best, 0);
	return rc;
}
