/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.c - distances by the tree of hosts, and by what each host adds of its own */
#include "config.h"

#include "topology/tree.h"

#include "base/mem.h"
#include "base/stats.h"
#include "topology/linkage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, SWEEPS = 3 };

/* Of the mean: nothing is less. */
#define LEAST 1e-3
#define MANY 4 /* one in so many of all links */

/* Scratch. */
struct growing {
	const struct pl_known *l;
	float *square;                  /* [n * n] of many links, else NULL */
	struct pl_linkage_pair *pair;   /* of few */
	struct pl_cluster_merge *merge; /* [n - 1] */
	uint32_t *up;                   /* [n] to the first host of a group */
	uint32_t *last;                 /* [n] of the group of such a host */
	uint32_t *next;                 /* [n] in the row */
	float *gap;                     /* [n] to that */
	double *over;                   /* [n] */
};

/* Both directions without shares: harmonic; NaN where neither is. */
static double both_ways(const struct pl_tree *t, size_t a, const struct pl_known_pair *link)
{
	const double own = t->own[a] + t->own[link->to];
	const double to = fmax(link->there - own, t->least);
	const double back = fmax(link->back - own, t->least);

	/* fmax() passes over NaN */
	if (isnan(link->there))
		return isnan(link->back) ? NAN : back;
	return isnan(link->back) ? to : 2 / (1 / to + 1 / back);
}

static int join_nearest(const struct pl_tree *t, struct growing *g)
{
	const struct pl_known *l = g->l;
	const size_t n = t->n;
	size_t n_pairs = 0;

	for (size_t p = 0; g->square && p < n * n; p++)
		g->square[p] = NAN;
	for (size_t a = 0; a < n; a++)
		for (size_t k = l->begin[a]; k < l->begin[a + 1]; k++) {
			const size_t b = l->pair[k].to;
			/* means of -1 / x are harmonic ones of x, and rise
			 * with x */
			const float x = (float)(-1 / both_ways(t, a, &l->pair[k]));

			if (b >= a || isnan(x))
				continue;
			if (g->square)
				g->square[a * n + b] = g->square[b * n + a] = x;
			else
				g->pair[n_pairs++] =
					(struct pl_linkage_pair){(uint32_t)a, (uint32_t)b, x};
		}
	return g->square ? pl_linkage(g->square, n, g->merge)
			 : pl_linkage_few(g->pair, n_pairs, n, g->merge);
}

static uint32_t root(uint32_t *up, uint32_t a)
{
	while (up[a] != a)
		a = up[a] = up[up[a]];
	return a;
}

/* Groups stand behind one another as they are joined, the nearest first: so two hosts are as far
 * apart as the widest gap between them. */
static void line_up(struct pl_tree *t, struct growing *g)
{
	uint32_t host;

	for (size_t a = 0; a < t->n; a++)
		g->up[a] = g->last[a] = (uint32_t)a;
	for (size_t k = 0; k + 1 < t->n; k++) {
		const struct pl_cluster_merge *m = &g->merge[k];
		const uint32_t a = root(g->up, (uint32_t)m->a);
		const uint32_t b = root(g->up, (uint32_t)m->b);

		g->gap[g->last[a]] = isinf(m->height) ? m->height : -1 / m->height;
		g->next[g->last[a]] = b;
		g->last[a] = g->last[b];
		g->up[b] = a;
	}
	host = root(g->up, 0);
	for (size_t i = 0; i < t->n; i++) {
		t->place[host] = (uint32_t)i;
		if (i + 1 < t->n)
			t->far[i] = g->gap[host];
		host = g->next[host];
	}
	for (size_t k = 1; (size_t)1 << k < t->n; k++)
		for (size_t i = 0; i + ((size_t)1 << k) < t->n; i++) {
			const float *half = t->far + (k - 1) * t->n + i;

			t->far[k * t->n + i] = fmaxf(half[0], half[(size_t)1 << (k - 1)]);
		}
}

/* How far apart the groups are in which two hosts are before they are in
 * one. */
static float between(const struct pl_tree *t, size_t a, size_t b)
{
	size_t from = t->place[a], to = t->place[b], k = 0;
	const float *far;

	if (from > to) {
		from = t->place[b];
		to = t->place[a];
	}
	while ((size_t)2 << k <= to - from)
		k++;
	far = t->far + k * t->n;
	return fmaxf(far[from], far[to - ((size_t)1 << k)]);
}

/* What all cells of a host are beyond the rest, in the median. */
static void share(struct pl_tree *t, struct growing *g)
{
	const struct pl_known *l = g->l;

	for (size_t a = 0; a < t->n; a++) {
		size_t n_over = 0;

		for (size_t k = l->begin[a]; k < l->begin[a + 1]; k++) {
			const size_t b = l->pair[k].to;
			const double to = l->pair[k].there;
			const double back = l->pair[k].back;
			double rest;

			if (isnan(to) && isnan(back))
				continue;
			rest = (double)between(t, a, b) + t->own[b];
			g->over[n_over++] = (isnan(to)     ? back
					     : isnan(back) ? to
							   : (to + back) / 2) -
					    rest;
		}
		if (n_over)
			t->own[a] = pl_median(g->over, n_over);
	}
}

/* The least that is told, by the mean. */
static double find_least(const struct pl_known *l)
{
	double sum = 0, count = 0;

	for (size_t k = 0; k < l->begin[l->n]; k++)
		if (!isnan(l->pair[k].there)) {
			sum += l->pair[k].there;
			count++;
		}
	return sum > 0 ? LEAST * sum / count : 1;
}

static int make_room(struct pl_tree *t, struct growing *g)
{
	const size_t n = t->n, n_links = g->l->begin[n];
	size_t n_levels = 1;

	while ((size_t)1 << n_levels < n)
		n_levels++;
	t->place = pl_array_create(n, sizeof(*t->place));
	t->far = pl_array_create(n, n_levels * sizeof(*t->far));
	t->own = pl_array_create(n, sizeof(*t->own));
	if (n_links >= n * n / MANY)
		g->square = pl_array_create(n, n * sizeof(*g->square));
	else
		g->pair = pl_array_create(n_links / 2 + 1, sizeof(*g->pair));
	g->merge = pl_array_create(n, sizeof(*g->merge));
	g->up = pl_array_create(n, sizeof(*g->up));
	g->last = pl_array_create(n, sizeof(*g->last));
	g->next = pl_array_create(n, sizeof(*g->next));
	g->gap = pl_array_create(n, sizeof(*g->gap));
	g->over = pl_array_create(n, sizeof(*g->over));
	return t->place && t->far && t->own && (g->square || g->pair) && g->merge && g->up &&
			       g->last && g->next && g->gap && g->over
		       ? 0
		       : -1;
}

int pl_tree(struct pl_tree *t, const struct pl_known *l)
{
	struct growing g = {.l = l};
	int rc;

	*t = (struct pl_tree){.n = l->n};
	rc = make_room(t, &g);
	if (rc == 0)
		t->least = find_least(l);
	for (int round = 0; rc == 0 && round < ROUNDS; round++) {
		rc = join_nearest(t, &g);
		if (rc == 0)
			line_up(t, &g);
		for (int k = 0; rc == 0 && round + 1 < ROUNDS && k < SWEEPS; k++)
			share(t, &g);
	}
	free(g.square);
	free(g.pair);
	free(g.merge);
	free(g.up);
	free(g.last);
	free(g.next);
	free(g.gap);
	free(g.over);
	return rc;
}

void pl_tree_fini(struct pl_tree *t)
{
	free(t->place);
	free(t->far);
	free(t->own);
	memset(t, 0, sizeof(*t));
}

double pl_tree_distance(const struct pl_tree *t, size_t a, size_t b)
{
	if (a == b)
		return 0;
	return fmax((double)between(t, a, b) + t->own[a] + t->own[b], t->least);
}
