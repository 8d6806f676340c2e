/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse-own.c - what hosts add to each of their pairs, as far as the pairs show it */
#include "config.h"

#include "topology/sparse-tree.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

#define STEPS 12
#define CLIP 3.0 /* spreads from the median that count in full */
/* spreads, of a median of absolute differences */
#define MAD_OF_NORMAL 1.4826

/* Clips what is far from the median, which becomes zero; the spread. */
static double clip(struct pl_sparse_rest *v, size_t n, double *scratch)
{
	double median, spread;

	for (size_t k = 0; k < n; k++)
		scratch[k] = (double)v[k].rest;
	median = pl_median(scratch, n);
	for (size_t k = 0; k < n; k++)
		scratch[k] = fabs((double)v[k].rest - median);
	spread = MAD_OF_NORMAL * pl_median(scratch, n);
	for (size_t k = 0; k < n; k++) {
		const double r = (double)v[k].rest - median;

		v[k].rest = (float)fmax(fmin(r, CLIP * spread), -CLIP * spread);
	}
	return spread;
}

static void clear(const struct pl_sparse_rest *v, size_t n, struct pl_sparse_own *host)
{
	for (size_t k = 0; k < n; k++)
		for (int e = 0; e < 2; e++) {
			host[v[k].host[e]].sum = 0;
			host[v[k].host[e]].n = 0;
		}
}

/*
 * A pair's rest is what one host adds, what the other adds, and noise. Two pairs of one host share
 * the first: the mean of their products is its variance.
 */
static void find_variance(const struct pl_sparse_rest *v, size_t n, struct pl_sparse_own *host,
			  double *own, double *noise)
{
	double squares = 0, products = 0, n_products = 0;

	clear(v, n, host);
	for (size_t k = 0; k < n; k++) {
		squares += (double)v[k].rest * (double)v[k].rest;
		for (int e = 0; e < 2; e++) {
			host[v[k].host[e]].sum += (double)v[k].rest;
			host[v[k].host[e]].n++;
		}
	}
	for (size_t k = 0; k < n; k++)
		for (int e = 0; e < 2; e++) {
			struct pl_sparse_own *h = &host[v[k].host[e]];

			products += h->sum * h->sum;
			n_products += (double)h->n * ((double)h->n - 1);
			*h = (struct pl_sparse_own){0};
		}
	*own = n_products > 0 ? fmax((products - 2 * squares) / n_products, 0) : 0;
	*noise = squares / (double)n - 2 * *own;
}

/* Half a step to where each host's pairs put it, the others being where they are. */
static void step(const struct pl_sparse_rest *v, size_t n, struct pl_sparse_own *host, double ratio)
{
	clear(v, n, host);
	for (size_t k = 0; k < n; k++)
		for (int e = 0; e < 2; e++) {
			struct pl_sparse_own *h = &host[v[k].host[e]];

			h->sum += (double)v[k].rest - host[v[k].host[1 - e]].more;
			h->n++;
		}
	for (size_t k = 0; k < n; k++)
		for (int e = 0; e < 2; e++) {
			struct pl_sparse_own *h = &host[v[k].host[e]];

			if (h->n == 0)
				continue;
			h->more += h->sum / ((double)h->n + ratio);
			h->more /= 2;
			h->n = 0;
		}
}

int pl_sparse_own_solve(struct pl_sparse_rest *v, size_t n, struct pl_sparse_own *host,
			double *spread, double *ratio)
{
	double *scratch = pl_array_create(n, sizeof(*scratch));
	double own, noise;

	if (!scratch)
		return -1;
	*ratio = INFINITY;
	for (size_t k = 0; k < n; k++)
		host[v[k].host[0]].more = host[v[k].host[1]].more = 0;
	if (n > 0) {
		*spread = clip(v, n, scratch);
		find_variance(v, n, host, &own, &noise);
		if (own > 0 && noise > 0)
			*ratio = noise / own;
	}
	free(scratch);
	if (isinf(*ratio))
		return 0;
	for (int k = 0; k < STEPS; k++)
		step(v, n, host, *ratio);
	return 0;
}

struct list {
	struct pl_sparse_rest *v;
	size_t n, room;
};

/* Pairs of @host with hosts of other parts of its node, each by the one of the two that has the
 * higher number. */
static int add_far_of(const struct pl_sparse *s, const struct pl_sparse_node *node, uint32_t host,
		      struct list *l)
{
	const struct pl_sparse_host *h = &s->host[host];
	uint32_t at = s->pairs.head[host];

	while (at != PL_SPARSE_END) {
		size_t other;
		double d;

		at = pl_sparse_pairs_walk(&s->pairs, host, at, &other, &d);
		if (other >= host || isnan(d) || s->host[other].node != h->node ||
		    s->host[other].seat != PL_SEAT_TAKEN || s->host[other].part == h->part)
			continue;
		if (pl_array_grow((void **)&l->v, &l->room, l->n, sizeof(*l->v)))
			return -1;
		l->v[l->n++] = (struct pl_sparse_rest){.host = {host, (uint32_t)other},
						       .rest = (float)(d - node->scale.far -
								       (double)h->own -
								       (double)s->host[other].own)};
	}
	return 0;
}

int pl_sparse_own_fit(struct pl_sparse *s, struct pl_sparse_node *node)
{
	struct list l = {0};
	int rc = -1;

	for (size_t k = 0; k < node->n; k++)
		if (s->host[node->member[k]].seat == PL_SEAT_TAKEN &&
		    add_far_of(s, node, node->member[k], &l))
			goto out;
	if (pl_sparse_own_solve(l.v, l.n, s->own, &node->scale.spread, &node->scale.ratio))
		goto out;
	for (size_t k = 0; k < l.n; k++)
		for (int e = 0; e < 2; e++) {
			const uint32_t h = l.v[k].host[e];

			s->host[h].own += (float)s->own[h].more;
			s->own[h].more = 0;
		}
	rc = 0;
out:
	free(l.v);
	return rc;
}
