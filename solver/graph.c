/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.c - hosts and some of the links between them */
#include "config.h"

#include "solver/graph.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a host stands that is not in the heap. */
#define NOT_YET UINT32_MAX
#define DONE (UINT32_MAX - 1)

static uint32_t lower(const struct pl_graph_link *l)
{
	return l->a < l->b ? l->a : l->b;
}

static uint32_t upper(const struct pl_graph_link *l)
{
	return l->a < l->b ? l->b : l->a;
}

static int by_ends(const void *a, const void *b)
{
	const struct pl_graph_link *x = a, *y = b;

	if (lower(x) != lower(y))
		return lower(x) < lower(y) ? -1 : 1;
	return (upper(x) > upper(y)) - (upper(x) < upper(y));
}

/* Returns how many are left. */
static size_t drop_doubles(struct pl_graph_link *link, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(link, n, sizeof(*link), by_ends);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || by_ends(&link[kept - 1], &link[i]) != 0)
			link[kept++] = link[i];
	return kept;
}

static void add(struct pl_graph *g, uint32_t from, uint32_t to, double cost)
{
	const size_t at = --g->first[from];

	g->to[at] = to;
	g->cost[at] = cost;
}

int pl_graph_init(struct pl_graph *g, size_t n, struct pl_graph_link *link,
		  size_t n_links, struct pl_err *err)
{
	n_links = drop_doubles(link, n_links);
	*g = (struct pl_graph){.n = n, .n_links = n_links};
	g->first = pl_array_create(n + 1, sizeof(*g->first));
	g->to = pl_array_create(2 * n_links, sizeof(*g->to));
	g->cost = pl_array_create(2 * n_links, sizeof(*g->cost));
	g->heap = pl_array_create(n, sizeof(*g->heap));
	g->place = pl_array_create(n, sizeof(*g->place));
	if (!g->first || !g->to || !g->cost || !g->heap || !g->place) {
		pl_graph_fini(g);
		return pl_err_nomem(err);
	}
	/* ends of the hosts' parts first, which come down to their
	 * beginnings */
	for (size_t i = 0; i < n_links; i++) {
		g->first[link[i].a]++;
		g->first[link[i].b]++;
	}
	for (size_t h = 1; h <= n; h++)
		g->first[h] += g->first[h - 1];
	for (size_t i = n_links; i-- > 0;) {
		add(g, link[i].a, link[i].b, link[i].cost);
		add(g, link[i].b, link[i].a, link[i].cost);
	}
	return 0;
}

void pl_graph_fini(struct pl_graph *g)
{
	free(g->first);
	free(g->to);
	free(g->cost);
	free(g->heap);
	free(g->place);
	memset(g, 0, sizeof(*g));
}

/* The heap has the least key at 0; the children of i are 2i + 1 and 2i + 2. */
static void put(struct pl_graph *g, size_t at, uint32_t host)
{
	g->heap[at] = host;
	g->place[host] = (uint32_t)at;
}

static void rise(struct pl_graph *g, const double *key, uint32_t host)
{
	size_t at = g->place[host];

	for (; at > 0; at = (at - 1) / 2) {
		const uint32_t above = g->heap[(at - 1) / 2];

		if (key[above] <= key[host])
			break;
		put(g, at, above);
	}
	put(g, at, host);
}

/* Takes out the first of @n; the last one sinks into its place. */
static uint32_t pop(struct pl_graph *g, const double *key, size_t n)
{
	const uint32_t first = g->heap[0], last = g->heap[n - 1];
	size_t at = 0, child;

	g->place[first] = DONE;
	for (n--; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n &&
		    key[g->heap[child + 1]] < key[g->heap[child]])
			child++;
		if (key[last] <= key[g->heap[child]])
			break;
		put(g, at, g->heap[child]);
	}
	if (n)
		put(g, at, last);
	return first;
}

void pl_graph_span(struct pl_graph *g, const double *price, double *key,
		   size_t *parent)
{
	size_t n_heap = 1;

	for (size_t h = 0; h < g->n; h++) {
		key[h] = INFINITY;
		g->place[h] = NOT_YET;
	}
	put(g, 0, 0);
	while (n_heap > 0) {
		const uint32_t h = pop(g, key, n_heap--);

		for (size_t i = g->first[h]; i < g->first[h + 1]; i++) {
			const uint32_t to = g->to[i];
			const double w = g->cost[i] + (price[h] + price[to]);

			if (g->place[to] == DONE || w >= key[to])
				continue;
			key[to] = w;
			parent[to] = h;
			if (g->place[to] == NOT_YET)
				put(g, n_heap++, to);
			rise(g, key, to);
		}
	}
}
