/* SPDX-License-Identifier: BSD-3-Clause */
/* order-floor.c - how cheap the dearest hop of a graph on the hosts can be */
#include "config.h"

#include "solver/bound/order-floor.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells of a row that are filled before those of the next row, so that columns stay in the
 * cache. */
#define TILE 32

static double way(const struct pl_costs *costs, double bytes, size_t cell)
{
	return costs->per_byte ? costs->c[cell] + bytes * costs->per_byte[cell] : costs->c[cell];
}

static void fill_tile(struct pl_floor *f, const struct pl_costs *costs, double bytes, size_t row,
		      size_t column)
{
	const size_t n = f->n;

	for (size_t i = row; i < n && i < row + TILE; i++)
		for (size_t j = column; j < n && j < column + TILE; j++)
			f->cell[i * n + j] = f->cell[j * n + i] =
				fmin(way(costs, bytes, i * n + j), way(costs, bytes, j * n + i));
}

static void fill_cells(struct pl_floor *f, const struct pl_costs *costs, double bytes)
{
	for (size_t i = 0; i < f->n; i += TILE)
		for (size_t j = i; j < f->n; j += TILE)
			fill_tile(f, costs, bytes, i, j);
}

/* The cheapest cells of a host, ascending, by insertion. */
static void nearest_of(const struct pl_floor *f, size_t host, double *least)
{
	size_t n_least = 0;

	for (size_t j = 0; j < f->n; j++) {
		const double x = f->cell[host * f->n + j];
		size_t k;

		if (j == host || (n_least == f->degree_max && x >= least[n_least - 1]))
			continue;
		k = n_least < f->degree_max ? n_least++ : n_least - 1;
		for (; k > 0 && least[k - 1] > x; k--)
			least[k] = least[k - 1];
		least[k] = x;
	}
}

static void fill_nearest(struct pl_floor *f)
{
	double least[PL_FLOOR_DEGREE_MAX];

	if (f->degree_max == 0)
		return;
	for (size_t h = 0; h < f->n; h++) {
		nearest_of(f, h, least);
		for (size_t k = 0; k < f->degree_max; k++)
			f->nearest[k * f->n + h] = least[k];
	}
	for (size_t k = 0; k < f->degree_max; k++)
		pl_sort_doubles(f->nearest + k * f->n, f->n);
}

struct link {
	double cost;
	size_t a, b;
};

static int cheapest_first(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	return x->cost < y->cost ? -1 : x->cost > y->cost;
}

/* Prim, dense; link[h - 1] is the link that joins host h > 0 to the tree. */
static void span(const struct pl_floor *f, struct link *link)
{
	size_t last = 0;

	for (size_t h = 1; h < f->n; h++)
		link[h - 1] = (struct link){INFINITY, f->n, h};
	for (size_t done = 0; done + 1 < f->n; done++) {
		/* link[done ..] are not in the tree yet */
		size_t pick = done;
		struct link next;

		for (size_t i = done; i + 1 < f->n; i++) {
			const double x = f->cell[last * f->n + link[i].b];

			if (x < link[i].cost || link[i].a == f->n) {
				link[i].cost = x;
				link[i].a = last;
			}
			if (link[i].cost < link[pick].cost)
				pick = i;
		}
		next = link[pick];
		link[pick] = link[done];
		link[done] = next;
		last = next.b;
	}
}

/* The hosts linked so far, and how many groups of them do not fit. */
struct groups {
	size_t *parent, *size; /* [n] by host; size at the top */
	size_t divisor, misfits, largest;
};

static void join(struct groups *g, size_t a, size_t b)
{
	a = pl_group_top(g->parent, a);
	b = pl_group_top(g->parent, b);
	g->misfits -= g->size[a] % g->divisor != 0;
	g->misfits -= g->size[b] % g->divisor != 0;
	g->parent[a] = b;
	g->size[b] += g->size[a];
	g->misfits += g->size[b] % g->divisor != 0;
	if (g->size[b] > g->largest)
		g->largest = g->size[b];
}

static void groups_fini(struct groups *g)
{
	free(g->parent);
	free(g->size);
}

/* Each host by itself. 0, or -1: out of memory. */
static int groups_init(struct groups *g, size_t n, size_t divisor)
{
	*g = (struct groups){
		.parent = pl_array_create(n, sizeof(*g->parent)),
		.size = pl_array_create(n, sizeof(*g->size)),
		.divisor = divisor,
		.misfits = divisor > 1 ? n : 0,
		.largest = 1,
	};
	if (!g->parent || !g->size) {
		groups_fini(g);
		return -1;
	}
	for (size_t h = 0; h < n; h++) {
		g->parent[h] = h;
		g->size[h] = 1;
	}
	return 0;
}

static int fill_links(struct pl_floor *f)
{
	struct link *link = pl_array_create(f->n, sizeof(*link));
	struct groups g;

	if (!link || groups_init(&g, f->n, 1)) {
		free(link);
		return -1;
	}
	span(f, link);
	qsort(link, f->n - 1, sizeof(*link), cheapest_first);
	for (size_t i = 0; i + 1 < f->n; i++) {
		f->link[i] = link[i].cost;
		f->a[i] = link[i].a;
		f->b[i] = link[i].b;
		f->largest[i] = g.largest;
		join(&g, f->a[i], f->b[i]);
	}
	groups_fini(&g);
	free(link);
	return 0;
}

int pl_floor_init(struct pl_floor *f, const struct pl_costs *costs, double bytes, size_t degree_max,
		  struct pl_err *err)
{
	const size_t n = costs->n;

	memset(f, 0, sizeof(*f));
	f->n = n;
	f->degree_max = degree_max < PL_FLOOR_DEGREE_MAX ? degree_max : PL_FLOOR_DEGREE_MAX;
	if (f->degree_max > n - 1)
		f->degree_max = n - 1;
	f->cell = pl_array_create(n * n, sizeof(*f->cell));
	f->nearest = pl_array_create(f->degree_max * n, sizeof(*f->nearest));
	f->link = pl_array_create(n, sizeof(*f->link));
	f->a = pl_array_create(n, sizeof(*f->a));
	f->b = pl_array_create(n, sizeof(*f->b));
	f->largest = pl_array_create(n, sizeof(*f->largest));
	if (!f->cell || !f->nearest || !f->link || !f->a || !f->b || !f->largest)
		goto fail;
	fill_cells(f, costs, bytes);
	fill_nearest(f);
	if (fill_links(f))
		goto fail;
	return 0;
fail:
	pl_floor_fini(f);
	return pl_err_nomem(err);
}

void pl_floor_fini(struct pl_floor *f)
{
	free(f->cell);
	free(f->nearest);
	free(f->link);
	free(f->a);
	free(f->b);
	free(f->largest);
	memset(f, 0, sizeof(*f));
}

double pl_floor_degree(const struct pl_floor *f, size_t degree, size_t count)
{
	if (degree > f->degree_max)
		degree = f->degree_max;
	if (degree == 0 || count == 0)
		return 0;
	return f->nearest[(degree - 1) * f->n + count - 1];
}

int pl_floor_components(const struct pl_floor *f, size_t divisor, size_t largest, double *least,
			struct pl_err *err)
{
	struct groups g;

	*least = 0;
	if (groups_init(&g, f->n, divisor))
		return pl_err_nomem(err);
	for (size_t i = 0; i + 1 < f->n && (g.misfits > 0 || g.largest < largest); i++) {
		join(&g, f->a[i], f->b[i]);
		*least = f->link[i];
	}
	groups_fini(&g);
	return 0;
}

double pl_floor_forest(const struct pl_floor *f, size_t n_edges)
{
	double sum = 0;

	for (size_t i = 0; i < n_edges && i + 1 < f->n; i++)
		sum += f->link[i];
	return sum;
}

/* How far every host is from a group: the row of the one at its top. */
struct reach {
	double *from;   /* [n * n] */
	double *sorted; /* [n] scratch */
};

/* A group's own hosts are nearer to it than any other: at -1. */
static int reach_init(struct reach *r, const struct pl_floor *f)
{
	const size_t n = f->n;

	r->from = pl_array_create(n * n, sizeof(*r->from));
	r->sorted = pl_array_create(n, sizeof(*r->sorted));
	if (!r->from || !r->sorted) {
		free(r->from);
		free(r->sorted);
		return -1;
	}
	memcpy(r->from, f->cell, n * n * sizeof(*r->from));
	for (size_t h = 0; h < n; h++)
		r->from[h * n + h] = -1;
	return 0;
}

static void reach_fini(struct reach *r)
{
	free(r->from);
	free(r->sorted);
}

/* Joins two groups; leaves in sorted[] how far all hosts are. Gives the
 * size. */
static size_t reach_join(struct reach *r, struct groups *g, size_t n, size_t a, size_t b)
{
	double *into;

	a = pl_group_top(g->parent, a);
	b = pl_group_top(g->parent, b);
	join(g, a, b);
	into = r->from + b * n;
	for (size_t h = 0; h < n; h++)
		into[h] = fmin(into[h], r->from[a * n + h]);
	memcpy(r->sorted, into, n * sizeof(*into));
	pl_sort_doubles(r->sorted, n);
	return g->size[b];
}

int pl_floor_growth(const struct pl_floor *f, const size_t *need, size_t n_needs,
		    const struct pl_stop *stop, double *least, struct pl_err *err)
{
	const size_t n = f->n;
	struct groups g;
	struct reach r;

	if (groups_init(&g, n, 1))
		return pl_err_nomem(err);
	if (reach_init(&r, f)) {
		groups_fini(&g);
		return pl_err_nomem(err);
	}
	memset(least, 0, n_needs * sizeof(*least));
	for (size_t i = 0; i + 1 < n && !pl_stop_now(stop); i++) {
		const size_t size = reach_join(&r, &g, n, f->a[i], f->b[i]);

		for (size_t k = 0; k < n_needs; k++)
			least[k] = fmax(least[k], r.sorted[need[k * (n + 1) + size] - 1]);
	}
	reach_fini(&r);
	groups_fini(&g);
	return 0;
}
