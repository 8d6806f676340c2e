/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.c - distances by the tree of hosts, and by what each host adds of its own */
#include "config.h"

#include "topology/tree.h"

#include "src/mem.h"
#include "src/stats.h"
#include "topology/linkage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, SWEEPS = 3 };

/* Of the mean: nothing is less. */
#define LEAST 1e-3

/* Scratch. */
struct growing {
	const double *cell;
	struct pl_merge *merge; /* [n - 1] */
	size_t *next;           /* [n] the hosts of a group, in a ring */
	double *over;           /* [n] */
};

/* Both directions of a cell, without shares: harmonic; NaN where neither is. */
static double both_ways(const struct pl_tree *t, const double *cell, size_t a,
			size_t b)
{
	const double own = t->own[a] + t->own[b];
	const double to = fmax(cell[a * t->n + b] - own, t->least);
	const double back = fmax(cell[b * t->n + a] - own, t->least);

	/* fmax() passes over NaN */
	if (isnan(cell[a * t->n + b]))
		return isnan(cell[b * t->n + a]) ? NAN : back;
	return isnan(cell[b * t->n + a]) ? to : 2 / (1 / to + 1 / back);
}

/* Means of -1 / x are harmonic ones of x, and rise with x. */
static void turn_over(struct pl_tree *t, const double *cell)
{
	const size_t n = t->n;

	for (size_t a = 0; a < n; a++) {
		t->between[a * n + a] = 0;
		for (size_t b = 0; b < a; b++)
			t->between[a * n + b] = t->between[b * n + a] =
				(float)(-1 / both_ways(t, cell, a, b));
	}
}

/* All hosts of two groups are so far apart; then they are one group. */
static void join(struct pl_tree *t, struct growing *g, const struct pl_merge *m)
{
	const float far = isinf(m->height) ? m->height : -1 / m->height;
	size_t a = m->a, b = m->b, next;

	do {
		do {
			t->between[a * t->n + b] = far;
			t->between[b * t->n + a] = far;
			b = g->next[b];
		} while (b != m->b);
		a = g->next[a];
	} while (a != m->a);
	next = g->next[a];
	g->next[a] = g->next[b];
	g->next[b] = next;
}

static int grow(struct pl_tree *t, struct growing *g)
{
	turn_over(t, g->cell);
	if (pl_linkage(t->between, t->n, g->merge))
		return -1;
	for (size_t i = 0; i < t->n; i++) {
		g->next[i] = i;
		t->between[i * t->n + i] = 0;
	}
	for (size_t k = 0; k + 1 < t->n; k++)
		join(t, g, &g->merge[k]);
	return 0;
}

/* What all cells of a host are beyond the rest, in the median. */
static void share(struct pl_tree *t, struct growing *g)
{
	const size_t n = t->n;

	for (size_t a = 0; a < n; a++) {
		size_t n_over = 0;

		for (size_t b = 0; b < n; b++) {
			const double rest =
				(double)t->between[a * n + b] + t->own[b];
			const double to = g->cell[a * n + b];
			const double back = g->cell[b * n + a];

			if (a == b || (isnan(to) && isnan(back)))
				continue;
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
static double find_least(const double *cell, size_t n)
{
	double sum = 0, count = 0;

	for (size_t p = 0; p < n * n; p++)
		if (p % (n + 1) != 0 && !isnan(cell[p])) {
			sum += cell[p];
			count++;
		}
	return sum > 0 ? LEAST * sum / count : 1;
}

static int make_room(struct pl_tree *t, struct growing *g)
{
	t->between = pl_array_create(t->n, t->n * sizeof(*t->between));
	t->own = pl_array_create(t->n, sizeof(*t->own));
	g->merge = pl_array_create(t->n, sizeof(*g->merge));
	g->next = pl_array_create(t->n, sizeof(*g->next));
	g->over = pl_array_create(t->n, sizeof(*g->over));
	return t->between && t->own && g->merge && g->next && g->over ? 0 : -1;
}

int pl_tree(struct pl_tree *t, const double *cell, size_t n)
{
	struct growing g = {.cell = cell};
	int rc;

	*t = (struct pl_tree){.n = n};
	rc = make_room(t, &g);
	if (rc == 0) {
		memset(t->own, 0, n * sizeof(*t->own));
		t->least = find_least(cell, n);
	}
	for (int round = 0; rc == 0 && round < ROUNDS; round++) {
		rc = grow(t, &g);
		for (int k = 0; rc == 0 && round + 1 < ROUNDS && k < SWEEPS;
		     k++)
			share(t, &g);
	}
	free(g.merge);
	free(g.next);
	free(g.over);
	return rc;
}

void pl_tree_fini(struct pl_tree *t)
{
	free(t->between);
	free(t->own);
	memset(t, 0, sizeof(*t));
}

double pl_tree_distance(const struct pl_tree *t, size_t a, size_t b)
{
	if (a == b)
		return 0;
	return fmax((double)t->between[a * t->n + b] + t->own[a] + t->own[b],
		    t->least);
}
