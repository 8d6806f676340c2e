/* SPDX-License-Identifier: BSD-3-Clause */
/* order-terms.c - part of order-encode.h: a shape's hops as terms of sums */
#include "config.h"

#include "solver/proof/order-terms.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Links of a class: one of them at most has that pair of hosts at its ends. */
static int add_to_sum(struct pl_filling *f, struct pl_ends *ends, struct pl_err *err)
{
	return pl_terms_add_cost(f, ends, pl_terms_imply(f, ends), err);
}

/* Where each seat has one link of the class each way, each host has one successor and is one: what
 * follows of the rest, but is found sooner. */
static void add_successors(struct pl_filling *f, const struct pl_proof_link *l, size_t n, int *row)
{
	const size_t k = f->e->p.n_free;

	if (k < f->e->p.costs->n || n != k)
		return;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (l[i].src == l[j].src || l[i].dst == l[j].dst)
				return;
	for (size_t i = 0; i < k; i++)
		for (int in = 0; in <= 1; in++) {
			size_t m = 0;

			for (size_t j = 0; j < k; j++) {
				const int y = in ? f->y[j * k + i] : f->y[i * k + j];

				if (y)
					row[m++] = y;
			}
			pl_pb_one(f->e->pb, row, m);
		}
}

static bool same_class(const struct pl_proof_link *a, const struct pl_proof_link *b)
{
	return a->group == b->group && a->cells == b->cells && a->bytes == b->bytes;
}

/* One sum over classes of links: an ordered pair of hosts is at the ends of one link at most. */
static int fill_sum(struct pl_filling *f, struct pl_err *err)
{
	const size_t k = f->e->p.n_free;
	int *row = pl_array_create(k, sizeof(*row));
	size_t first = 0;
	int rc = row ? pl_terms_new_sum(f->e, err) : pl_err_nomem(err);

	while (rc == 0 && first < f->n_links) {
		size_t end = first;

		memset(f->y, 0, k * k * sizeof(*f->y));
		while (rc == 0 && end < f->n_links && same_class(&f->link[first], &f->link[end]))
			rc = pl_terms_for_ends(f, &f->link[end++], add_to_sum, err);
		if (rc == 0)
			add_successors(f, &f->link[first], end - first, row);
		first = end;
	}
	if (rc == 0)
		f->e->sum[0].n_rounded = f->n_links + 1;
	free(row);
	return rc;
}

static int collect_level(struct pl_filling *f, struct pl_ends *ends, struct pl_err *err)
{
	if (ends->n_lits == 0) {
		f->base = fmax(f->base, ends->cost);
		return 0;
	}
	if (pl_array_grow((void **)&f->level, &f->levels_room, f->n_levels, sizeof(*f->level)))
		return pl_err_nomem(err);
	f->level[f->n_levels++] = ends->cost;
	return 0;
}

/* Levels above the base, each once, and z for each: a level implies those below. */
static int make_levels(struct pl_filling *f, struct pl_err *err)
{
	double below = f->base;
	size_t n = 0;

	pl_sort_doubles(f->level, f->n_levels);
	for (size_t k = 0; k < f->n_levels; k++)
		if (f->level[k] > (n > 0 ? f->level[n - 1] : f->base))
			f->level[n++] = f->level[k];
	f->n_levels = n;
	free(f->z);
	f->z = pl_array_create(n, sizeof(*f->z));
	if (!f->z)
		return pl_err_nomem(err);
	for (size_t k = 0; k < n; k++) {
		f->z[k] = pl_pb_var(f->e->pb);
		if (k > 0)
			pl_pb_any(f->e->pb, (int[]){-f->z[k], f->z[k - 1]}, 2);
		if (pl_terms_add(f->e, (struct pl_term){f->z[k], below, f->level[k]}, err))
			return -1;
		below = f->level[k];
	}
	f->e->sum[0].constant += f->base;
	return 0;
}

static int raise_level(struct pl_filling *f, struct pl_ends *ends, struct pl_err *err)
{
	size_t k = f->n_levels;

	(void)err;
	while (k > 0 && f->level[k - 1] >= ends->cost)
		k--;
	if (ends->n_lits == 0 || ends->cost <= f->base)
		return 0;
	ends->lit[ends->n_lits] = f->z[k];
	pl_pb_any(f->e->pb, ends->lit, ends->n_lits + 1);
	return 0;
}

static int fill_maxima(struct pl_filling *f, struct pl_err *err)
{
	size_t first = 0;
	int rc = pl_terms_new_sum(f->e, err);

	while (rc == 0 && first < f->n_links) {
		size_t end = first;

		f->base = 0;
		f->n_levels = 0;
		while (rc == 0 && end < f->n_links && f->link[end].group == f->link[first].group)
			rc = pl_terms_for_ends(f, &f->link[end++], collect_level, err);
		if (rc == 0)
			rc = make_levels(f, err);
		for (size_t i = first; rc == 0 && i < end; i++)
			rc = pl_terms_for_ends(f, &f->link[i], raise_level, err);
		f->e->sum[0].n_rounded += 2;
		first = end;
	}
	return rc;
}

static int by_class(const void *a, const void *b)
{
	const struct pl_proof_link *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->cells != y->cells)
		return x->cells < y->cells ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return x->dst < y->dst ? -1 : x->dst > y->dst;
}

static int by_seats(const void *a, const void *b)
{
	const struct pl_proof_link *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return x->dst < y->dst ? -1 : x->dst > y->dst;
}

/* All hops as links of one group where they are added up or compared at
 * once. */
static void make_links(struct pl_filling *f)
{
	const struct pl_shape *shape = f->e->p.shape;
	const bool grouped = shape->kind == PL_SUM_OF_MAXIMA;

	for (size_t i = 0; i < shape->n_hops; i++) {
		const struct pl_hop *h = &shape->hop[i];

		if (shape->kind != PL_LONGEST_PATH &&
		    h->src / f->e->p.alike == h->dst / f->e->p.alike)
			continue;
		f->link[f->n_links++] = (struct pl_proof_link){
			.src = h->src / f->e->p.alike,
			.dst = h->dst / f->e->p.alike,
			.group = grouped ? h->group : 0,
			.cells = h->times,
			.bytes = h->times * h->bytes,
		};
	}
}

/* Links between the same seats become one that costs as much as all. */
static void add_up_links(struct pl_filling *f)
{
	size_t n = 0;

	qsort(f->link, f->n_links, sizeof(*f->link), by_seats);
	for (size_t i = 0; i < f->n_links; i++) {
		struct pl_proof_link *last = n > 0 ? &f->link[n - 1] : NULL;

		if (last && by_seats(last, &f->link[i]) == 0) {
			last->cells += f->link[i].cells;
			last->bytes += f->link[i].bytes;
		} else {
			f->link[n++] = f->link[i];
		}
	}
	f->n_links = n;
}

/* The same link in the same group counts once. */
static void drop_doubles(struct pl_filling *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_links; i++)
		if (n == 0 || by_class(&f->link[n - 1], &f->link[i]) != 0)
			f->link[n++] = f->link[i];
	f->n_links = n;
}

int pl_terms_fill(struct pl_encoding *e, struct pl_err *err)
{
	const struct pl_shape *shape = e->p.shape;
	const bool paths = shape->kind == PL_LONGEST_PATH;
	const size_t k2 = e->p.n_free * e->p.n_free;
	struct pl_filling f = {
		.e = e,
		.link = pl_array_create(shape->n_hops, sizeof(*f.link)),
	};
	int *y = pl_array_create(paths ? k2 * shape->n_hops : k2, sizeof(*y));
	int rc = -1;

	if (!f.link || !y) {
		pl_err_nomem(err);
		goto out;
	}
	f.y = y;
	make_links(&f);
	if (shape->kind == PL_SUM)
		add_up_links(&f);
	if (!paths && f.n_links > 0)
		qsort(f.link, f.n_links, sizeof(*f.link), by_class);
	if (shape->kind != PL_SUM && !paths)
		drop_doubles(&f);
	rc = paths                   ? pl_terms_fill_paths(&f, y, err)
	     : shape->kind == PL_SUM ? fill_sum(&f, err)
				     : fill_maxima(&f, err);
out:
	free(f.link);
	free(f.level);
	free(f.z);
	free(y);
	return rc;
}
