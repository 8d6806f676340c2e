/* SPDX-License-Identifier: BSD-3-Clause */
/* racks.c - groups of hosts where nobody says how many there are */
#include "config.h"

#include "topology/racks.h"

#include "src/mem.h"
#include "topology/linkage.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define GAPS_MAX 40
#define LEVELS_MAX 8

/* What a silhouette must reach, of many hosts and of few. */
#define LEAST 0.25
#define DOUBT 0.8

/* So much for measures that differ by this share, and less for those that differ
 * less; of a cut that leaves many of them free to differ. */
#define SPREAD_USUAL 0.15
#define LEAST_SHARE 0.4
#define FREE_LEAST 0.6

/* A place to cut: so many merges are made, the next is so many times higher. */
struct gap {
	size_t n_merges;
	float ratio;
};

/* How much measures from a host to the hosts of one part differ: squares from
 * their mean, in how many of the measures beyond the first. */
struct spread {
	double squares, sum, n, n_free;
};

struct cutting {
	size_t n;
	float *near; /* [n * n] fourth roots, both directions alike */
	struct pl_merge *merge; /* [n - 1] */
	size_t *whole;          /* [n] groups so far */
	size_t *part;           /* [n] those of the cut being tried */
	size_t *best;           /* [n] */
	size_t *map;            /* [n] scratch */
	double *sum;            /* [n] to the groups, scratch */
	double *squares;        /* [n] */
	struct spread spread;   /* of the cut being tried */
	size_t *count;          /* [n] */
};

static float fourth_root(double x)
{
	return (float)sqrt(sqrt(x));
}

/* Mean of both directions; the one that is there. */
static void take_roots(struct cutting *c, const double *cell)
{
	const size_t n = c->n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			const float to = fourth_root(cell[i * n + j]);
			const float back = fourth_root(cell[j * n + i]);
			float mean = (to + back) / 2;

			if (isnan(mean))
				mean = isnan(to) ? back : to;
			c->near[i * n + j] = c->near[j * n + i] = mean;
		}
}

static double fourth_power(double x)
{
	return x * x * x * x;
}

/* What a host's measures to each part add to the spread. */
static void add_spread(struct cutting *c, size_t n_parts)
{
	for (size_t p = 0; p < n_parts; p++) {
		const double n = (double)c->count[p];

		if (n == 0)
			continue;
		c->spread.squares += c->squares[p] - c->sum[p] * c->sum[p] / n;
		c->spread.sum += c->sum[p];
		c->spread.n += n;
		c->spread.n_free += n - 1;
	}
}

/* What a silhouette must reach, of @m hosts: little where measures of one kind differ
 * little. */
static double least(const struct cutting *c, double m)
{
	const struct spread *s = &c->spread;
	const double full = LEAST + DOUBT / sqrt(m);
	double share;

	if (s->n_free < FREE_LEAST * s->n || !(s->sum > 0))
		return full;
	share = 4 * sqrt(fmax(s->squares, 0) / s->n_free) / (s->sum / s->n);
	share = fmax(share / SPREAD_USUAL, LEAST_SHARE);
	return full * fmin(share, 1);
}

/* How much nearer host i is to its own part than to the next one of the same
 * whole: 1 at most; 0 where it is alone or nothing is known. */
static double silhouette(struct cutting *c, size_t i, size_t n_parts)
{
	double own, next = INFINITY;

	for (size_t p = 0; p < n_parts; p++) {
		c->sum[p] = 0;
		c->squares[p] = 0;
		c->count[p] = 0;
	}
	for (size_t j = 0; j < c->n; j++) {
		const float d = c->near[i * c->n + j];

		if (j == i || c->whole[j] != c->whole[i] || isnan(d))
			continue;
		c->sum[c->part[j]] += (double)d;
		c->squares[c->part[j]] += (double)d * (double)d;
		c->count[c->part[j]]++;
	}
	add_spread(c, n_parts);
	for (size_t p = 0; p < n_parts; p++)
		if (p != c->part[i] && c->count[p] > 0)
			next = fmin(next, c->sum[p] / (double)c->count[p]);
	if (c->count[c->part[i]] == 0 || isinf(next))
		return 0;
	own = fourth_power(c->sum[c->part[i]] / (double)c->count[c->part[i]]);
	next = fourth_power(next);
	return next == own ? 0 : (next - own) / fmax(next, own);
}

/* Which wholes fall into parts: map[whole]. */
static void find_parted(struct cutting *c, bool *parted)
{
	for (size_t i = 0; i < c->n; i++) {
		c->map[c->whole[i]] = c->part[i];
		parted[c->whole[i]] = false;
	}
	for (size_t i = 0; i < c->n; i++)
		if (c->map[c->whole[i]] != c->part[i])
			parted[c->whole[i]] = true;
}

/* By how much the mean silhouette of the hosts that are parted is above what it
 * must reach. */
static double judge(struct cutting *c, size_t n_parts, bool *parted)
{
	double sum = 0, m = 0;

	c->spread = (struct spread){0};
	find_parted(c, parted);
	for (size_t i = 0; i < c->n; i++)
		if (parted[c->whole[i]]) {
			sum += silhouette(c, i, n_parts);
			m++;
		}
	return m > 0 ? sum / m - least(c, m) : -1;
}

static int by_ratio(const void *x, const void *y)
{
	const struct gap *a = x, *b = y;

	if (a->ratio != b->ratio)
		return a->ratio < b->ratio ? 1 : -1;
	return (a->n_merges < b->n_merges) - (a->n_merges > b->n_merges);
}

/* The widest gaps below @end merges. */
static size_t find_gaps(const struct cutting *c, size_t end, struct gap *gap)
{
	size_t n = 0;

	for (size_t m = 1; m < end; m++) {
		const float below = c->merge[m - 1].height;
		const float above = c->merge[m].height;

		if (above > below)
			gap[n++] = (struct gap){m, above / below};
	}
	qsort(gap, n, sizeof(*gap), by_ratio);
	return n < GAPS_MAX ? n : GAPS_MAX;
}

/* One level further down: how many merges are left, 0 where nothing is gained. */
static size_t cut_once(struct cutting *c, size_t end, struct gap *gap,
		       bool *parted)
{
	const size_t n_gaps = find_gaps(c, end, gap);
	double best = 0;
	size_t left = 0;

	for (size_t g = 0; g < n_gaps; g++) {
		const size_t n_parts = pl_linkage_cut(c->merge, gap[g].n_merges,
						      c->n, c->part, c->map);
		const double gain = judge(c, n_parts, parted);

		if (gain > best) {
			best = gain;
			left = gap[g].n_merges;
			memcpy(c->best, c->part, c->n * sizeof(*c->best));
		}
	}
	return left;
}

static int cut(struct cutting *c)
{
	struct gap *gap = pl_array_create(c->n, sizeof(*gap));
	bool *parted = pl_array_create(c->n, sizeof(*parted));
	size_t end = c->n - 1;
	const int rc = gap && parted ? 0 : -1;

	for (int level = 0; rc == 0 && level < LEVELS_MAX; level++) {
		end = cut_once(c, end, gap, parted);
		if (end == 0)
			break;
		memcpy(c->whole, c->best, c->n * sizeof(*c->whole));
	}
	free(gap);
	free(parted);
	return rc;
}

static int make_tree(struct cutting *c)
{
	float *copy = pl_array_create(c->n, c->n * sizeof(*copy));
	int rc = -1;

	if (copy) {
		memcpy(copy, c->near, c->n * c->n * sizeof(*copy));
		rc = pl_linkage(copy, c->n, c->merge);
	}
	free(copy);
	return rc;
}

static int make_room(struct cutting *c)
{
	const size_t n = c->n;

	c->near = pl_array_create(n, n * sizeof(*c->near));
	c->merge = pl_array_create(n, sizeof(*c->merge));
	c->whole = pl_array_create(n, sizeof(*c->whole));
	c->part = pl_array_create(n, sizeof(*c->part));
	c->best = pl_array_create(n, sizeof(*c->best));
	c->map = pl_array_create(n, sizeof(*c->map));
	c->sum = pl_array_create(n, sizeof(*c->sum));
	c->squares = pl_array_create(n, sizeof(*c->squares));
	c->count = pl_array_create(n, sizeof(*c->count));
	return c->near && c->merge && c->whole && c->part && c->best &&
			       c->map && c->sum && c->squares && c->count
		       ? 0
		       : -1;
}

int pl_racks(const double *cell, size_t n, size_t *rack, size_t *n_racks,
	     struct pl_err *err)
{
	struct cutting c = {.n = n};
	int rc = make_room(&c);

	if (rc == 0 && n > 1) {
		take_roots(&c, cell);
		rc = make_tree(&c);
	}
	if (rc == 0)
		rc = cut(&c);
	if (rc == 0) {
		memcpy(rack, c.whole, n * sizeof(*rack));
		*n_racks = 0;
		for (size_t i = 0; i < n; i++)
			if (rack[i] >= *n_racks)
				*n_racks = rack[i] + 1;
	} else {
		pl_err_nomem(err);
	}
	free(c.near);
	free(c.merge);
	free(c.whole);
	free(c.part);
	free(c.best);
	free(c.map);
	free(c.sum);
	free(c.squares);
	free(c.count);
	return rc;
}
