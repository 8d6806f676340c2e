/* SPDX-License-Identifier: BSD-3-Clause */
/* suspect.c - which measured pairs look as if something had disturbed them */
#include "config.h"

#include "probes/run/suspect.h"

#include "src/mem.h"
#include "src/stats.h"

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
	double *both;     /* [n*n] the faster of both directions, NaN: none */
	size_t *near;     /* [n * NEAREST] by host, n where there are fewer */
	double *list;     /* [n*n] what a median is taken of */
	double *residual; /* [n*n] for i < j */
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

static double slack(const struct work *w, double value)
{
	return w->in->tolerance.share * value + (double)w->in->tolerance.ns;
}

static void find_near(struct work *w, size_t host)
{
	const size_t n = w->in->n;
	size_t *near = &w->near[host * NEAREST];
	const double *row = &w->both[host * n];

	for (size_t k = 0; k < NEAREST; k++)
		near[k] = n;
	for (size_t j = 0; j < n; j++) {
		size_t k = NEAREST;

		if (j == host || isnan(row[j]))
			continue;
		while (k > 0 && (near[k - 1] == n || row[j] < row[near[k - 1]]))
			k--;
		for (size_t m = NEAREST - 1; m > k; m--)
			near[m] = near[m - 1];
		if (k < NEAREST)
			near[k] = j;
	}
}

/* What the hosts near @i have to @j, appended to v[n]. */
static size_t ask_near(const struct work *w, size_t i, size_t j, double *v,
		       size_t n)
{
	for (size_t k = 0; k < NEAREST; k++) {
		const size_t h = w->near[i * NEAREST + k];

		if (h < w->in->n && h != j && !isnan(w->both[h * w->in->n + j]))
			v[n++] = w->both[h * w->in->n + j];
	}
	return n;
}

/* How much slower the pair is than its neighbours say; NaN: they say nothing. */
static double residual(const struct work *w, size_t i, size_t j)
{
	double v[2 * NEAREST];
	size_t n = ask_near(w, i, j, v, 0);

	n = ask_near(w, j, i, v, n);
	return w->both[i * w->in->n + j] - pl_median(v, n);
}

static double width(const struct work *w, size_t at)
{
	return w->in->p50[at] - w->in->p10[at];
}

static double loss(const struct work *w, size_t at)
{
	return (w->in->lost[at] + w->in->late[at]) / w->in->sent[at];
}

/* Median of figure(at) over the cells that have one; 0 where none has. */
static double typical(struct work *w,
		      double (*figure)(const struct work *w, size_t at))
{
	size_t m = 0;

	for (size_t at = 0; at < w->in->n * w->in->n; at++) {
		const double v = figure(w, at);

		if (!isnan(v) && at / w->in->n != at % w->in->n)
			w->list[m++] = v;
	}
	return m ? pl_median(w->list, m) : 0;
}

static double deviation(const struct work *w, size_t at)
{
	return fabs(w->residual[at]);
}

static void survey(struct work *w)
{
	const size_t n = w->in->n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			w->both[i * n + j] = faster(w->in->p10[i * n + j],
						    w->in->p10[j * n + i]);
	for (size_t i = 0; i < n; i++)
		find_near(w, i);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			w->residual[i * n + j] =
				i < j ? residual(w, i, j) : NAN;
	w->width = typical(w, width);
	w->loss = typical(w, loss);
	w->deviation = NORMAL * typical(w, deviation);
}

/* By how much a figure is more than it may be, in tolerances; 0: it is not. NaN
 * exceeds nothing. */
static double excess(double value, double most, double tolerance)
{
	if (!(value > most))
		return 0;
	return tolerance > 0 ? (value - most) / tolerance : value - most;
}

/* Of one direction: how it was disturbed by load. */
static double load(const struct work *w, size_t at)
{
	const double tolerance = slack(w, w->in->p10[at]);

	if (!w->in->fresh[at] || isnan(w->in->p10[at]))
		return 0;
	return excess(width(w, at), WIDE * w->width + SLACK * tolerance,
		      tolerance) +
	       excess(loss(w, at), w->loss + LOSS_SHARE, 0.01);
}

static double score(const struct work *w, size_t i, size_t j)
{
	const size_t n = w->in->n, forth = i * n + j, back = j * n + i;
	const double one = w->in->p10[forth], two = w->in->p10[back];
	const double tolerance = slack(w, w->both[forth]);
	const double most = OUTLIER * w->deviation + SLACK * tolerance;
	double sum = load(w, forth) + load(w, back);

	if (!w->in->fresh[forth] && !w->in->fresh[back])
		return 0;
	sum += excess(fabs(one - two), SLACK * tolerance, tolerance);
	return sum + excess(w->residual[forth], most, tolerance);
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

static void collect(const struct work *w, struct found *found,
		    struct pl_meet *out, size_t *n)
{
	size_t m = 0;

	for (uint32_t i = 0; i < w->in->n; i++)
		for (uint32_t j = i + 1; j < w->in->n; j++) {
			const double s = score(w, i, j);

			if (s > 0)
				found[m++] = (struct found){i, j, s};
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

int pl_suspect(const struct pl_suspect_input *in, struct pl_meet *out,
	       size_t *n, struct pl_err *err)
{
	struct work w = {.in = in};
	struct found *found = pl_array_create(in->n, in->n * sizeof(*found));
	int status = -1;

	w.both = pl_array_create(in->n, in->n * sizeof(double));
	w.list = pl_array_create(in->n, in->n * sizeof(double));
	w.residual = pl_array_create(in->n, in->n * sizeof(double));
	w.near = pl_array_create(in->n, NEAREST * sizeof(size_t));
	if (found && w.both && w.list && w.residual && w.near) {
		survey(&w);
		collect(&w, found, out, n);
		status = 0;
	} else {
		pl_err_nomem(err);
	}
	free(found);
	free(w.both);
	free(w.list);
	free(w.residual);
	free(w.near);
	return status;
}
