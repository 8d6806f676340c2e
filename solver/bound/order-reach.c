/* SPDX-License-Identifier: BSD-3-Clause */
/* order-reach.c - the least cost of the path to the farthest host of a tree */
#include "config.h"

#include "solver/bound/order-tree.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define WORK 3e8

/* Ways between all hosts and the one that is tried. By host. */
struct reach {
	const struct pl_floor *f;
	size_t shortest, longest;
	double *way;      /* the cheapest of so many hops */
	double *next;     /* and of one more */
	double *down;     /* from here as the root, by there, to a leaf */
	double *farthest; /* the largest of those so far */
	double *nearest;  /* the least */
};

static void one_hop_more(struct reach *r)
{
	const size_t n = r->f->n;
	double *way = r->way;

	for (size_t v = 0; v < n; v++) {
		const double *row = r->f->cell + v * n;
		double least = INFINITY;

		for (size_t u = 0; u < n; u++)
			if (u != v && way[u] + row[u] < least)
				least = way[u] + row[u];
		r->next[v] = least;
	}
	r->way = r->next;
	r->next = way;
}

static void try(struct reach *r, size_t host)
{
	const size_t n = r->f->n;

	for (size_t v = 0; v < n; v++)
		r->way[v] = r->down[v] = INFINITY;
	r->way[host] = 0;
	r->down[host] = pl_floor_forest(r->f, r->shortest);
	for (size_t hops = 1; hops <= r->longest; hops++) {
		const size_t left = hops < r->shortest ? r->shortest - hops : 0;
		const double below = pl_floor_forest(r->f, left);

		one_hop_more(r);
		for (size_t v = 0; v < n; v++)
			r->down[v] = fmin(r->down[v], r->way[v] + below);
	}
	for (size_t v = 0; v < n; v++) {
		r->farthest[v] = fmax(r->farthest[v], r->down[v]);
		r->nearest[v] = fmin(r->nearest[v], r->down[v]);
	}
	r->nearest[host] = -1;
}

/* The host that is farthest from those tried. */
static size_t next_host(const struct reach *r)
{
	size_t far = 0;

	for (size_t v = 1; v < r->f->n; v++)
		if (r->nearest[v] > r->nearest[far])
			far = v;
	return far;
}

static void try_far_ones(struct reach *r, const struct pl_stop *stop)
{
	const size_t n = r->f->n;
	const double work = (double)n * (double)n * (double)r->longest;

	for (size_t v = 0; v < n; v++)
		r->nearest[v] = INFINITY;
	for (size_t k = 0; k < n && work * (double)(k + 1) <= WORK && !pl_stop_now(stop); k++)
		try(r, next_host(r));
}

int pl_reach_floor(const struct pl_floor *f, size_t shortest, size_t longest,
		   const struct pl_stop *stop, double *least, struct pl_err *err)
{
	struct reach r = {
		.f = f,
		.shortest = shortest,
		.longest = longest,
		.way = pl_array_create(f->n, sizeof(*r.way)),
		.next = pl_array_create(f->n, sizeof(*r.next)),
		.down = pl_array_create(f->n, sizeof(*r.down)),
		.farthest = pl_array_create(f->n, sizeof(*r.farthest)),
		.nearest = pl_array_create(f->n, sizeof(*r.nearest)),
	};
	const int rc = r.way && r.next && r.down && r.farthest && r.nearest ? 0 : pl_err_nomem(err);

	*least = rc ? 0 : INFINITY;
	if (rc == 0)
		try_far_ones(&r, stop);
	for (size_t v = 0; rc == 0 && v < f->n; v++)
		*least = fmin(*least, r.farthest[v]);
	free(r.way);
	free(r.next);
	free(r.down);
	free(r.farthest);
	free(r.nearest);
	return rc;
}
