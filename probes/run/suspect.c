/* SPDX-License-Identifier: BSD-3-Clause */
/* suspect.c - which measured pairs look as if something had disturbed them */
#include "config.h"

#include "probes/run/suspect.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

#define NEAREST 3
#define SLACK 3        /* tolerances */
#define WIDE 4         /* times the median width */
#define LOSS_SHARE 0.1 /* beyond the median share */
#define OUTLIER 5      /* times the residuals' deviation ... */
#define NORMAL 1.4826  /* ... as that of a normal distribution */

struct work {
	const struct pl_suspect_input *in;
	uint32_t *pair; /* [n_pairs] a * n + b, rising, a < b, either way there */
	size_t n_pairs;
	size_t *near;                  /* [n * NEAREST] by host, n where there are fewer */
	double *residual;              /* [n_pairs] */
	double width, loss, deviation; /* medians */
};

struct found {
	uint32_t a, b;
	double score;
};

static double faster(double x, double y)
{
	if (isnan(x) || (!isnan(y) && y < x))
		return y;
	return x;
}

/* The faster of both directions; NaN: neither is there. */
static double both(const struct work *w, size_t i, size_t j)
{
	const size_t n = w->in->n;

	return faster(pl_layer_get(w->in->p10, i * n + j), pl_layer_get(w->in->p10, j * n + i));
}

static double slack(const struct work *w, double value)
{
	return w->in->tolerance.share * value + (double)w->in->tolerance.ns;
}

/* Puts @j among the nearest of @host, if it is; of those that are as near, the one that came first
 * goes before. */
static void add_near(struct work *w, size_t host, size_t j, double ns)
{
	const size_t n = w->in->n;
	size_t *near = &w->near[host * NEAREST];
	size_t k = NEAREST;

	while (k > 0 && (near[k - 1] == n || ns < both(w, host, near[k - 1])))
		k--;
	for (size_t m = NEAREST - 1; m > k; m--)
		near[m] = near[m - 1];
	if (k < NEAREST)
		near[k] = j;
}

/* What the hosts near @i have to @j, appended to v[n]. */
static size_t ask_near(const struct work *w, size_t i, size_t j, double *v, size_t n)
{
	for (size_t k = 0; k < NEAREST; k++) {
		const size_t h = w->near[i * NEAREST + k];
		const double ns = h < w->in->n && h != j ? both(w, h, j) : NAN;

		if (!isnan(ns))
			v[n++] = ns;
	}
	return n;
}

/* How much slower the pair is than its neighbours say; NaN: they say
 * nothing. */
static double residual(const struct work *w, size_t i, size_t j)
{
	double v[2 * NEAREST];
	size_t n = ask_near(w, i, j, v, 0);

	n = ask_near(w, j, i, v, n);
	return both(w, i, j) - pl_median(v, n);
}

static double width(const struct work *w, size_t at)
{
	return pl_layer_get(w->in->p50, at) - pl_layer_get(w->in->p10, at);
}

static double loss(const struct work *w, size_t at)
{
	return (pl_layer_get(w->in->lost, at) + pl_layer_get(w->in->late, at)) /
	       pl_layer_get(w->in->sent, at);
}

/* *median of figure(at) over the cells of @layer that have one; 0 where none has. 0, or -1: out of
 * memory. */
static int typical(const struct work *w, const struct pl_layer *layer,
		   double (*figure)(const struct work *w, size_t at), double *median)
{
	size_t n, m = 0;
	uint32_t *at = pl_layer_list(layer, &n);
	double *list = pl_array_create(n, sizeof(*list));

	for (size_t k = 0; at && list && k < n; k++) {
		const double v = figure(w, at[k]);

		if (!isnan(v))
			list[m++] = v;
	}
	*median = m ? pl_median(list, m) : 0;
	n = at && list;
	free(at);
	free(list);
	return n ? 0 : -1;
}

/* The pairs of which a direction is there. 0, or -1: out of memory. */
static int list_pairs(struct work *w)
{
	const size_t n = w->in->n;
	size_t n_cells, orphans = 0;
	uint32_t *at = pl_layer_list(w->in->p10, &n_cells);

	for (size_t k = 0; at && k < n_cells; k++) {
		const size_t i = at[k] / n, j = at[k] % n, back = j * n + i;

		if (i < j) {
			at[w->n_pairs++] = at[k];
		} else if (isnan(pl_layer_get(w->in->p10, back))) {
			at[w->n_pairs++] = (uint32_t)back;
			orphans++;
		}
	}
	if (orphans > 0)
		pl_sort_uint32(at, w->n_pairs);
	w->pair = at;
	return at ? 0 : -1;
}

static int find_residuals(struct work *w)
{
	const size_t n = w->in->n;
	double *list = pl_array_create(w->n_pairs, sizeof(*list));
	size_t m = 0;

	if (!list)
		return -1;
	for (size_t k = 0; k < w->n_pairs; k++) {
		w->residual[k] = residual(w, w->pair[k] / n, w->pair[k] % n);
		if (!isnan(w->residual[k]))
			list[m++] = fabs(w->residual[k]);
	}
	w->deviation = m ? NORMAL * pl_median(list, m) : 0;
	free(list);
	return 0;
}

static int survey(struct work *w)
{
	const size_t n = w->in->n;

	for (size_t k = 0; k < n * NEAREST; k++)
		w->near[k] = n;
	for (size_t k = 0; k < w->n_pairs; k++) {
		const size_t a = w->pair[k] / n, b = w->pair[k] % n;

		add_near(w, a, b, both(w, a, b));
		add_near(w, b, a, both(w, a, b));
	}
	return find_residuals(w) || typical(w, w->in->p50, width, &w->width) ||
			       typical(w, w->in->sent, loss, &w->loss)
		       ? -1
		       : 0;
}

/* By how much a figure is more than it may be, in tolerances; 0: it is not. NaN exceeds nothing. */
static double excess(double value, double most, double tolerance)
{
	if (!(value > most))
		return 0;
	return tolerance > 0 ? (value - most) / tolerance : value - most;
}

/* Of one direction: how it was disturbed by load. */
static double load(const struct work *w, size_t at)
{
	const double p10 = pl_layer_get(w->in->p10, at);
	const double tolerance = slack(w, p10);

	if (!w->in->fresh[at] || isnan(p10))
		return 0;
	return excess(width(w, at), WIDE * w->width + SLACK * tolerance, tolerance) +
	       excess(loss(w, at), w->loss + LOSS_SHARE, 0.01);
}

static double score(const struct work *w, size_t k)
{
	const size_t n = w->in->n, forth = w->pair[k];
	const size_t back = forth % n * n + forth / n;
	const double one = pl_layer_get(w->in->p10, forth);
	const double two = pl_layer_get(w->in->p10, back);
	const double tolerance = slack(w, faster(one, two));
	const double most = OUTLIER * w->deviation + SLACK * tolerance;
	double sum = load(w, forth) + load(w, back);

	if (!w->in->fresh[forth] && !w->in->fresh[back])
		return 0;
	sum += excess(fabs(one - two), SLACK * tolerance, tolerance);
	return sum + excess(w->residual[k], most, tolerance);
}

static int by_score(const void *x, const void *y)
{
	const struct found *a = x, *b = y;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

static uint8_t ways(const struct pl_suspect_input *in, size_t i, size_t j)
{
	return (uint8_t)((in->fresh[i * in->n + j] ? PL_MEET_FORTH : 0) |
			 (in->fresh[j * in->n + i] ? PL_MEET_BACK : 0));
}

static void collect(const struct work *w, struct found *found, struct pl_meet *out, size_t *n)
{
	const size_t hosts = w->in->n;
	size_t m = 0;

	for (size_t k = 0; k < w->n_pairs; k++) {
		const double s = score(w, k);

		if (s > 0)
			found[m++] = (struct found){(uint32_t)(w->pair[k] / hosts),
						    (uint32_t)(w->pair[k] % hosts), s};
	}
	qsort(found, m, sizeof(*found), by_score);
	*n = m < w->in->most ? m : w->in->most;
	for (size_t k = 0; k < *n; k++)
		out[k] = (struct pl_meet){
			.a = found[k].a,
			.b = found[k].b,
			.ways = ways(w->in, found[k].a, found[k].b),
		};
}

int pl_suspect(const struct pl_suspect_input *in, struct pl_meet *out, size_t *n,
	       struct pl_err *err)
{
	struct work w = {.in = in};
	struct found *found = NULL;
	int status = -1;

	if (list_pairs(&w))
		goto out;
	w.near = pl_array_create(in->n, NEAREST * sizeof(*w.near));
	w.residual = pl_array_create(w.n_pairs, sizeof(*w.residual));
	found = pl_array_create(w.n_pairs, sizeof(*found));
	if (!w.near || !w.residual || !found || survey(&w))
		goto out;
	collect(&w, found, out, n);
	status = 0;
out:
	free(found);
	free(w.pair);
	free(w.near);
	free(w.residual);
	return status ? pl_err_nomem(err) : 0;
}
