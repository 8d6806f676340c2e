/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.c - few pairs of hosts that show a network whose places are known from a file */
#include "config.h"

#include "topology/sample.h"

#include "base/mem.h"
#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

/* A host and the way to it; way[] ends in 0, the whole, which is below
 * nothing. */
struct seat {
	size_t way[PL_PLACES_LEVELS_MAX + 1];
	size_t host, lot; /* random numbers order the hosts of one place */
};

/* The hosts of one place that stand next to each other. */
struct range {
	size_t from, n;
};

struct sampler {
	const struct pl_sample_options *options;
	struct seat *seat; /* [n], hosts of a place next to each other */
	struct pl_sample_pair *pair;
	size_t n_pairs, room;
};

static int compare(const void *a, const void *b)
{
	const struct seat *x = a, *y = b;

	for (size_t d = 0; d <= PL_PLACES_LEVELS_MAX; d++) {
		if (x->way[d] != y->way[d])
			return x->way[d] < y->way[d] ? -1 : 1;
		if (x->way[d] == 0)
			break;
	}
	return (x->lot > y->lot) - (x->lot < y->lot);
}

static void find_way(const struct pl_places *p, struct seat *seat, ptrdiff_t at)
{
	size_t node;

	if (at < 0) { /* a place that no other host is in */
		seat->way[0] = p->n_nodes + 1 + seat->host;
		return;
	}
	node = p->host[at].node;
	for (size_t d = p->node[node].depth; d > 0; d--) {
		seat->way[d - 1] = node;
		node = p->node[node].parent;
	}
}

static int sit_down(struct sampler *s, const struct pl_places *p, const ptrdiff_t *at, size_t n)
{
	size_t *lot = pl_array_create(n, sizeof(*lot));
	struct pl_rng rng;

	s->seat = pl_array_create(n, sizeof(*s->seat));
	if (!lot || !s->seat) {
		free(lot);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		lot[i] = i;
	pl_rng_init(&rng, s->options->seed, 0);
	pl_rng_shuffle(&rng, lot, n);
	for (size_t i = 0; i < n; i++) {
		s->seat[i].host = i;
		s->seat[i].lot = lot[i];
		find_way(p, &s->seat[i], at[i]);
	}
	free(lot);
	qsort(s->seat, n, sizeof(*s->seat), compare);
	return 0;
}

/* The hosts on two seats. */
static int add_pair(struct sampler *s, size_t x, size_t y)
{
	const size_t a = s->seat[x].host, b = s->seat[y].host;

	if (pl_array_grow((void **)&s->pair, &s->room, s->n_pairs, sizeof(*s->pair)))
		return -1;
	s->pair[s->n_pairs++] =
		a < b ? (struct pl_sample_pair){a, b} : (struct pl_sample_pair){b, a};
	return 0;
}

/* Seat number @r of @count that are spread over the range, from @shift on. */
static size_t spread(const struct range *g, size_t r, size_t count, size_t shift)
{
	const size_t k = count < g->n ? count : g->n;

	return g->from + ((r % g->n) * g->n / k + shift) % g->n;
}

static int compare_two(struct sampler *s, const struct range *g, const struct range *h,
		       size_t shift)
{
	const size_t most = g->n > h->n ? g->n : h->n;
	const size_t across = s->options->across;
	const size_t count = across < most ? across : most;

	for (size_t r = 0; r < count; r++)
		if (add_pair(s, spread(g, r, count, shift), spread(h, r, count, shift)))
			return -1;
	return 0;
}

/* Of m things in a circle those @step apart are met once. */
static size_t n_met(size_t m, size_t step)
{
	return 2 * step == m ? step : m;
}

/* Places g[m] within one: with those 1, 2, 4, ... further on. */
static int compare_places(struct sampler *s, const struct range *g, size_t m)
{
	size_t shift = 0;

	for (size_t step = 1; step <= m / 2; step *= 2, shift++)
		for (size_t i = 0; i < n_met(m, step); i++)
			if (compare_two(s, &g[i], &g[(i + step) % m], shift))
				return -1;
	return 0;
}

/* Pairs of hosts in one place, that are 1, 2, 4, ... apart, or 1, 2, 3, ... where that is not
 * enough. */
static int meet(struct sampler *s, const struct range *g)
{
	const size_t within = s->options->within;
	const size_t steps = within == PL_SAMPLE_ALL ? g->n : within / 2 + within % 2;
	size_t n_doubling = 0;

	for (size_t step = 1; step <= g->n / 2; step *= 2)
		n_doubling++;
	for (size_t k = 0, step = 1; step <= g->n / 2; k++) {
		if (within && k == steps)
			break;
		for (size_t i = 0; i < n_met(g->n, step); i++)
			if (add_pair(s, g->from + i, g->from + (i + step) % g->n))
				return -1;
		step = within && steps > n_doubling ? step + 1 : step * 2;
	}
	return 0;
}

/* Cuts what is within one place of that depth into the places in it; g is made larger as needed. */
static int cut(const struct sampler *s, const struct range *whole, size_t depth, struct range **g,
	       size_t *m)
{
	size_t room = 0;

	*g = NULL;
	*m = 0;
	for (size_t i = whole->from; i < whole->from + whole->n; i++) {
		const size_t way = s->seat[i].way[depth];

		if (i > whole->from && way == s->seat[i - 1].way[depth]) {
			(*g)[*m - 1].n++;
			continue;
		}
		if (pl_array_grow((void **)g, &room, *m, sizeof(**g)))
			return -1;
		(*g)[(*m)++] = (struct range){.from = i, .n = 1};
	}
	return 0;
}

/* As deep as paths are long. */
static int sample_place(struct sampler *s, const struct range *whole, size_t depth)
{
	struct range *g = NULL;
	size_t m;
	int rc = cut(s, whole, depth, &g, &m);

	if (rc == 0 && m > 1)
		rc = compare_places(s, g, m);
	for (size_t i = 0; rc == 0 && i < m; i++)
		rc = s->seat[g[i].from].way[depth] == 0 ? meet(s, &g[i])
							: sample_place(s, &g[i], depth + 1);
	free(g);
	return rc;
}

int pl_places_sample(const struct pl_places *p, const ptrdiff_t *at, size_t n,
		     const struct pl_sample_options *options, struct pl_sample_pair **pair,
		     size_t *n_pairs, struct pl_err *err)
{
	struct sampler s = {.options = options};
	const struct range whole = {.n = n};
	int rc = sit_down(&s, p, at, n);

	if (rc == 0 && n > 0)
		rc = sample_place(&s, &whole, 0);
	free(s.seat);
	if (rc) {
		free(s.pair);
		return pl_err_nomem(err);
	}
	*pair = s.pair;
	*n_pairs = s.n_pairs;
	return 0;
}
