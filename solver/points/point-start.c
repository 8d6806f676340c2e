/* SPDX-License-Identifier: BSD-3-Clause */
/* point-start.c - a ring through points to start from */
#include "config.h"

#include "solver/points/point-start.h"

#include "base/mem.h"
#include "solver/graph.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Near points that a link is tried to; one of two may be the way's other
 * end. */
#define NEAR 8

#define NONE UINT32_MAX

struct ways {
	const struct pl_points *p;
	uint32_t (*beside)[2]; /* [n] whom the host is linked to, or NONE */
	uint32_t *other;       /* [n] of an end: the way's other end */
	size_t n_links;
	/* what is left to link */
	uint32_t *end; /* [n] */
	size_t n_ends;
	double *x, *y; /* [n] of the ends */
	struct pl_graph_link *link;
};

static int by_cost(const void *a, const void *b)
{
	const struct pl_graph_link *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return (x->b > y->b) - (x->b < y->b);
}

static void attach(struct ways *w, uint32_t host, uint32_t to)
{
	w->beside[host][w->beside[host][0] != NONE] = to;
}

/* Links two hosts that are ends of different ways. */
static void join(struct ways *w, uint32_t a, uint32_t b)
{
	const uint32_t left = w->other[a], right = w->other[b];

	if (w->beside[a][1] != NONE || w->beside[b][1] != NONE || left == b)
		return;
	attach(w, a, b);
	attach(w, b, a);
	w->other[left] = right;
	w->other[right] = left;
	w->n_links++;
}

/* Tries the links between the ends there are, by @kd of them. */
static void join_near(struct ways *w, const struct pl_kd *kd)
{
	struct pl_near near[NEAR];
	size_t n_links = 0;

	for (size_t i = 0; i < w->n_ends; i++) {
		const size_t n = pl_kd_nearest(kd, i, NEAR, near);

		for (size_t k = 0; k < n; k++)
			w->link[n_links++] = (struct pl_graph_link){
				near[k].distance, w->end[i],
				w->end[near[k].host]};
	}
	if (n_links)
		qsort(w->link, n_links, sizeof(*w->link), by_cost);
	for (size_t i = 0; i < n_links; i++)
		join(w, w->link[i].a, w->link[i].b);
}

static void find_ends(struct ways *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n_ends; i++)
		if (w->beside[w->end[i]][1] == NONE)
			w->end[n++] = w->end[i];
	w->n_ends = n;
	for (size_t i = 0; i < n; i++) {
		w->x[i] = w->p->x[w->end[i]];
		w->y[i] = w->p->y[w->end[i]];
	}
}

static int join_all(struct ways *w, const struct pl_kd *kd, struct pl_err *err)
{
	join_near(w, kd);
	/* each time the ends nearest to each other, of two ways, are joined */
	while (w->n_links + 1 < w->p->n) {
		struct pl_points p = {.x = w->x, .y = w->y};
		struct pl_kd ends;

		find_ends(w);
		p.n = w->n_ends;
		if (pl_kd_init(&ends, &p, err))
			return -1;
		join_near(w, &ends);
		pl_kd_fini(&ends);
	}
	return 0;
}

/* The way from one of its ends to the other. */
static void write_down(const struct ways *w, size_t *host_at)
{
	uint32_t before = NONE, host = 0;

	while (w->beside[host][1] != NONE)
		host++;
	for (size_t k = 0; k < w->p->n; k++) {
		const uint32_t *beside = w->beside[host];
		const uint32_t next =
			beside[beside[0] == before && before != NONE];

		host_at[k] = host;
		before = host;
		host = next;
	}
}

static int start(struct ways *w, const struct pl_kd *kd, size_t *host_at,
		 struct pl_err *err)
{
	for (size_t h = 0; h < w->p->n; h++) {
		w->beside[h][0] = w->beside[h][1] = NONE;
		w->other[h] = w->end[h] = (uint32_t)h;
	}
	w->n_ends = w->p->n;
	if (join_all(w, kd, err))
		return -1;
	write_down(w, host_at);
	return 0;
}

int pl_point_start(const struct pl_kd *kd, size_t *host_at, struct pl_err *err)
{
	const size_t n = kd->p.n;
	struct ways w = {.p = &kd->p};
	int rc;

	w.beside = pl_array_create(n, sizeof(*w.beside));
	w.other = pl_array_create(n, sizeof(*w.other));
	w.end = pl_array_create(n, sizeof(*w.end));
	w.x = pl_array_create(n, sizeof(*w.x));
	w.y = pl_array_create(n, sizeof(*w.y));
	w.link = pl_array_create(n * NEAR, sizeof(*w.link));
	rc = w.beside && w.other && w.end && w.x && w.y && w.link
		     ? start(&w, kd, host_at, err)
		     : pl_err_nomem(err);
	free(w.beside);
	free(w.other);
	free(w.end);
	free(w.x);
	free(w.y);
	free(w.link);
	return rc;
}
