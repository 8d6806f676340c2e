/* SPDX-License-Identifier: BSD-3-Clause */
/* racks.c - costs between hosts in racks, and the order behind them */
#include "config.h"

#include "bench/racks.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

/* Uniform numbers whose sum passes for a normal one. */
#define NORMAL_TERMS 12

struct racks {
	const struct racks_kind *kind;
	size_t n, n_racks;
	size_t *rack;  /* [n] by place */
	double *base;  /* [n_racks * n_racks] */
	double *x, *y; /* [n] by place, in a square of side 1 */
	struct pl_rng rng;
};

static double half_normal(struct pl_rng *rng)
{
	double sum = -(double)NORMAL_TERMS / 2;

	for (int i = 0; i < NORMAL_TERMS; i++)
		sum += pl_rng_double(rng);
	return fabs(sum);
}

static void place(struct racks *r, size_t size)
{
	size_t left = 0;

	for (size_t p = 0; p < r->n; p++) {
		if (left == 0) {
			left = size;
			if (r->kind->uneven)
				left = size / 2 + pl_rng_below(&r->rng, size + 1);
			left = left ? left : 1;
			r->n_racks++;
		}
		r->rack[p] = r->n_racks - 1;
		left--;
	}
}

static double base(struct racks *r, size_t a, size_t b)
{
	const size_t pod = r->kind->racks_in_pod;
	double usual = 4000;

	if (a == b)
		return 1000;
	if (pod > 0)
		usual = a / pod == b / pod ? 2000 : 6000;
	if (r->kind->varied)
		usual *= 0.75 + 0.5 * pl_rng_double(&r->rng);
	return usual;
}

static int fill_base(struct racks *r)
{
	const size_t n = r->n_racks;

	r->base = pl_array_create(n * n, sizeof(*r->base));
	for (size_t a = 0; r->base && a < n; a++)
		for (size_t b = 0; b <= a; b++) {
			r->base[a * n + b] = r->base[b * n + a] = base(r, a, b);
			if (r->kind->directed)
				r->base[b * n + a] = base(r, b, a);
		}
	return r->base ? 0 : -1;
}

static int fill_points(struct racks *r)
{
	r->x = pl_array_create(r->n, sizeof(*r->x));
	r->y = pl_array_create(r->n, sizeof(*r->y));
	for (size_t p = 0; r->x && r->y && p < r->n; p++) {
		r->x[p] = pl_rng_double(&r->rng);
		r->y[p] = pl_rng_double(&r->rng);
	}
	return r->x && r->y ? 0 : -1;
}

static double hop(struct racks *r, size_t src, size_t dst)
{
	double x = r->base[r->rack[src] * r->n_racks + r->rack[dst]];

	if (r->kind->uniform)
		x = 4000 * pl_rng_double(&r->rng);
	else if (r->kind->plane)
		x = 4000 * hypot(r->x[src] - r->x[dst], r->y[src] - r->y[dst]);
	if (r->kind->noise > 0)
		return x * (1 + r->kind->noise * half_normal(&r->rng));
	return x;
}

/* host[n] by place. */
static void fill_cells(struct racks *r, const size_t *host, double *c)
{
	const size_t n = r->n;

	for (size_t p = 0; p < n; p++)
		for (size_t q = 0; q <= p; q++) {
			double *there = &c[host[p] * n + host[q]];
			double *back = &c[host[q] * n + host[p]];
			const double x = hop(r, p, q);

			*there = *back = p == q ? 0 : x;
			if (r->kind->directed && p != q)
				*back = hop(r, q, p);
		}
}

int racks_fill(const struct racks_kind *kind, size_t n, size_t size, uint64_t seed, double *c,
	       size_t *planted, struct pl_err *err)
{
	struct racks r = {.kind = kind, .n = n};
	int rc = -1;

	r.rack = pl_array_create(n, sizeof(*r.rack));
	if (!r.rack)
		return pl_err_nomem(err);
	pl_rng_init(&r.rng, seed, n);
	for (size_t i = 0; i < n; i++)
		planted[i] = i;
	pl_rng_shuffle(&r.rng, planted, n);
	place(&r, size);
	if (fill_base(&r) == 0 && (!kind->plane || fill_points(&r) == 0)) {
		fill_cells(&r, planted, c);
		rc = 0;
	} else {
		pl_err_nomem(err);
	}
	free(r.rack);
	free(r.base);
	free(r.x);
	free(r.y);
	return rc;
}
