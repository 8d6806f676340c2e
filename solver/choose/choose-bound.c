/* SPDX-License-Identifier: BSD-3-Clause */
/* choose-bound.c - a lower bound for rings of so many hosts */
#include "config.h"

#include "solver/choose/choice.h"

#include "base/mem.h"
#include "base/stats.h"
#include "solver/bound/order-floor.h"
#include "solver/ring/ring-restart.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The two cheapest of the ways in or out. */
struct cheapest {
	double first, second;
	size_t host; /* of the first */
};

static void offer(struct cheapest *c, double cost, size_t host)
{
	if (cost < c->first) {
		c->second = c->first;
		c->first = cost;
		c->host = host;
	} else if (cost < c->second) {
		c->second = cost;
	}
}

/* What a host pays for the hop to it and that from it, at least: of two hosts they are with the
 * same other one, of more with two. */
static double way_through(const struct pl_host_choice *choice, size_t h)
{
	struct cheapest in = {INFINITY, INFINITY, SIZE_MAX}, out = in;
	const size_t n = choice->n;
	double both = INFINITY;

	for (size_t i = 0; i < n; i++) {
		const double to = choice->c[i * n + h];
		const double from = choice->c[h * n + i];

		if (i == h)
			continue;
		offer(&in, to, i);
		offer(&out, from, i);
		both = fmin(both, to + from);
	}
	if (choice->k == 2)
		return both;
	if (in.host != out.host)
		return in.first + out.first;
	return fmin(in.first + out.second, in.second + out.first);
}

static int bound_ways(const struct pl_host_choice *choice, double *bound, struct pl_err *err)
{
	double *way = pl_array_create(choice->n, sizeof(*way));

	*bound = 0;
	if (!way)
		return pl_err_nomem(err);
	for (size_t h = 0; h < choice->n; h++)
		way[h] = way_through(choice, h);
	pl_sort_doubles(way, choice->n);
	for (size_t i = 0; i < choice->k; i++)
		*bound += way[i] / 2;
	free(way);
	return 0;
}

/* Groups of hosts, linked one after the other. */
struct groups {
	size_t n;
	size_t *parent; /* [n] a host of the same group; the last: itself */
	size_t *size;   /* [n] of a group, by its last host */
	size_t *n_of;   /* [n + 1] groups of that size */
};

static int groups_init(struct groups *g, size_t n)
{
	*g = (struct groups){
		.n = n,
		.parent = pl_array_create(n, sizeof(*g->parent)),
		.size = pl_array_create(n, sizeof(*g->size)),
		.n_of = pl_array_create(n + 1, sizeof(*g->n_of)),
	};
	if (!g->parent || !g->size || !g->n_of)
		return -1;
	for (size_t h = 0; h < n; h++) {
		g->parent[h] = h;
		g->size[h] = 1;
	}
	g->n_of[1] = n;
	return 0;
}

static void groups_fini(struct groups *g)
{
	free(g->parent);
	free(g->size);
	free(g->n_of);
}

static void join(struct groups *g, size_t a, size_t b)
{
	a = pl_group_top(g->parent, a);
	b = pl_group_top(g->parent, b);
	g->n_of[g->size[a]]--;
	g->n_of[g->size[b]]--;
	g->parent[a] = b;
	g->size[b] += g->size[a];
	g->n_of[g->size[b]]++;
}

/* How many of the largest have k hosts together? */
static size_t needed(const struct groups *g, size_t k)
{
	size_t n_groups = 0;

	for (size_t size = g->n; size > 0; size--) {
		const size_t most = (k + size - 1) / size;

		if (g->n_of[size] >= most)
			return n_groups + most;
		n_groups += g->n_of[size];
		k -= g->n_of[size] * size;
	}
	return n_groups;
}

/* The integral over the threshold of how many hops must cost that or more. */
static int bound_groups(const struct pl_host_choice *choice, double *bound, struct pl_err *err)
{
	const struct pl_costs costs = {.n = choice->n, .c = choice->c};
	struct groups g = {0};
	struct pl_floor f;
	double below = 0;

	*bound = 0;
	if (pl_floor_init(&f, &costs, 0, 1, err))
		return -1;
	if (groups_init(&g, choice->n)) {
		groups_fini(&g);
		pl_floor_fini(&f);
		return pl_err_nomem(err);
	}
	for (size_t i = 0; i + 1 < choice->n; i++) {
		const size_t n_groups = needed(&g, choice->k);

		if (n_groups < 2)
			break;
		*bound += (double)n_groups * (f.link[i] - below);
		below = f.link[i];
		join(&g, f.a[i], f.b[i]);
	}
	groups_fini(&g);
	pl_floor_fini(&f);
	return 0;
}

/* Sums of whole numbers and their halves are exact, and the cost of a ring is whole; others err by
 * a bit a term. */
static double rounded(const struct pl_host_choice *choice, double bound)
{
	bool whole = bound < 1e15;

	for (size_t i = 0; whole && i < choice->n * choice->n; i++)
		whole = choice->c[i] == floor(choice->c[i]);
	return whole ? ceil(bound) : bound - pl_ring_rounding(bound, choice->n);
}

int pl_choose_ring_bound(const struct pl_host_choice *choice, double *bound, struct pl_err *err)
{
	double ways = 0, groups = 0;

	*bound = 0;
	if (choice->k < 2)
		return 0;
	if (bound_ways(choice, &ways, err) || bound_groups(choice, &groups, err))
		return -1;
	*bound = rounded(choice, fmax(ways, groups));
	return 0;
}
