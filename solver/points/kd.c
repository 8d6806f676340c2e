/* SPDX-License-Identifier: BSD-3-Clause */
/* kd.c - which points are near which */
#include "config.h"

#include "solver/points/kd.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Points that a leaf has at most. */
#define LEAF_MAX 8

static void swap(uint32_t *v, size_t i, size_t j)
{
	const uint32_t t = v[i];

	v[i] = v[j];
	v[j] = t;
}

/* By coordinate, of equals by number: no two are alike. */
static bool before(const double *x, uint32_t a, uint32_t b)
{
	return x[a] < x[b] || (x[a] == x[b] && a < b);
}

static uint32_t middle_of(const double *x, uint32_t a, uint32_t b, uint32_t c)
{
	if (before(x, b, a))
		return before(x, a, c) ? a : before(x, b, c) ? c : b;
	return before(x, b, c) ? b : before(x, a, c) ? c : a;
}

/* Puts into v[from..nth) what comes before v[nth..to). Hoare, CACM 4 (1961). */
static void part(const double *x, uint32_t *v, size_t from, size_t nth,
		 size_t to)
{
	while (to - from > 1) {
		const uint32_t pivot = middle_of(
			x, v[from], v[from + (to - from) / 2], v[to - 1]);
		size_t i = from, j = to - 1;

		for (;;) {
			while (before(x, v[i], pivot))
				i++;
			while (before(x, pivot, v[j]))
				j--;
			if (i >= j)
				break;
			swap(v, i, j);
		}
		/* the pivot is at i, what comes before it to the left */
		if (nth == i)
			return;
		if (nth < i)
			to = i;
		else
			from = i + 1;
	}
}

static struct pl_box box_of(const struct pl_kd *kd, struct pl_kd_node node)
{
	struct pl_box b = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};

	for (size_t i = node.from; i < node.to; i++) {
		const uint32_t h = kd->host[i];

		b.x[0] = fmin(b.x[0], kd->p.x[h]);
		b.x[1] = fmax(b.x[1], kd->p.x[h]);
		b.y[0] = fmin(b.y[0], kd->p.y[h]);
		b.y[1] = fmax(b.y[1], kd->p.y[h]);
	}
	return b;
}

static void build(struct pl_kd *kd, struct pl_kd_node node)
{
	const struct pl_box b = box_of(kd, node);
	const bool wide = b.x[1] - b.x[0] >= b.y[1] - b.y[0];

	kd->box[node.number] = b;
	if (node.number >= kd->first_leaf)
		return;
	part(wide ? kd->p.x : kd->p.y, kd->host, node.from,
	     pl_kd_child(node, 1).from, node.to);
	build(kd, pl_kd_child(node, 0));
	build(kd, pl_kd_child(node, 1));
}

static int check(const struct pl_points *p, struct pl_err *err)
{
	for (size_t i = 0; i < p->n; i++)
		if (!(fabs(p->x[i]) <= PL_POINT_MAX &&
		      fabs(p->y[i]) <= PL_POINT_MAX))
			return pl_err_set(err, PL_EINPUT,
					  "point %zu: no coordinates", i);
	return 0;
}

int pl_kd_init(struct pl_kd *kd, const struct pl_points *p, struct pl_err *err)
{
	memset(kd, 0, sizeof(*kd));
	if (check(p, err))
		return -1;
	kd->p = *p;
	for (kd->first_leaf = 1; p->n / kd->first_leaf >= LEAF_MAX;)
		kd->first_leaf *= 2;
	kd->n_nodes = 2 * kd->first_leaf;
	kd->host = pl_array_create(p->n, sizeof(*kd->host));
	kd->box = pl_array_create(kd->n_nodes, sizeof(*kd->box));
	if (!kd->host || !kd->box) {
		pl_kd_fini(kd);
		return pl_err_nomem(err);
	}
	for (size_t i = 0; i < p->n; i++)
		kd->host[i] = (uint32_t)i;
	build(kd, pl_kd_root(kd));
	return 0;
}

void pl_kd_fini(struct pl_kd *kd)
{
	free(kd->host);
	free(kd->box);
	memset(kd, 0, sizeof(*kd));
}

/* What a search for neighbours has found. */
struct finding {
	const struct pl_kd *kd;
	size_t host, k, n;
	int quadrant; /* as quadrant_of, or ALL */
	struct pl_near *out;
};

enum { ALL = -1, QUADRANTS = 4 };

static int quadrant_of(const struct finding *f, uint32_t host)
{
	const struct pl_points *p = &f->kd->p;

	return (p->x[host] > p->x[f->host]) + 2 * (p->y[host] > p->y[f->host]);
}

/* Has the box a part in the quadrant that is searched? */
static bool reaches(const struct finding *f, const struct pl_box *b)
{
	const double x = f->kd->p.x[f->host], y = f->kd->p.y[f->host];

	if (f->quadrant == ALL)
		return true;
	return (f->quadrant & 1 ? b->x[1] > x : b->x[0] <= x) &&
	       (f->quadrant & 2 ? b->y[1] > y : b->y[0] <= y);
}

static void offer(struct finding *f, struct pl_near near)
{
	size_t at = f->n < f->k ? f->n++ : f->k;

	for (; at > 0; at--) {
		const struct pl_near *p = &f->out[at - 1];

		if (p->distance < near.distance ||
		    (p->distance == near.distance && p->host < near.host))
			break;
		if (at < f->k)
			f->out[at] = *p;
	}
	if (at < f->k)
		f->out[at] = near;
}

static bool too_far(const struct finding *f, double distance)
{
	return f->n == f->k && distance > f->out[f->k - 1].distance;
}

static void find(struct finding *f, struct pl_kd_node node)
{
	const struct pl_kd *kd = f->kd;
	const double x = kd->p.x[f->host], y = kd->p.y[f->host];
	struct pl_kd_node child[2];
	double distance[2];
	int first;

	if (node.number >= kd->first_leaf) {
		for (size_t i = node.from; i < node.to; i++) {
			const uint32_t h = kd->host[i];

			if (h != f->host && (f->quadrant == ALL ||
					     f->quadrant == quadrant_of(f, h)))
				offer(f,
				      (struct pl_near){
					      pl_distance(&kd->p, f->host, h),
					      h});
		}
		return;
	}
	for (int i = 0; i < 2; i++) {
		child[i] = pl_kd_child(node, i);
		distance[i] = pl_box_distance(&kd->box[child[i].number], x, y);
	}
	first = distance[1] < distance[0];
	for (int i = 0; i < 2; i++, first = !first)
		if (reaches(f, &kd->box[child[first].number]) &&
		    !too_far(f, distance[first]))
			find(f, child[first]);
}

size_t pl_kd_nearest(const struct pl_kd *kd, size_t host, size_t k,
		     struct pl_near *out)
{
	struct finding f = {
		.kd = kd, .host = host, .k = k, .quadrant = ALL, .out = out};

	if (k > 0 && kd->p.n > 1)
		find(&f, pl_kd_root(kd));
	return f.n;
}

size_t pl_kd_around(const struct pl_kd *kd, size_t host, size_t k,
		    struct pl_near *out)
{
	size_t n = 0;

	for (int q = 0; q < QUADRANTS; q++) {
		struct finding f = {.kd = kd,
				    .host = host,
				    .k = k,
				    .quadrant = q,
				    .out = out + n};

		if (k > 0 && kd->p.n > 1)
			find(&f, pl_kd_root(kd));
		n += f.n;
	}
	return n;
}
