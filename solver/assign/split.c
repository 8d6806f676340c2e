/* SPDX-License-Identifier: BSD-3-Clause */
/* split.c - hosts in two halves, positions in two parts, and so on */
#include "config.h"

#include "solver/assign/split.h"

#include "base/mem.h"
#include "solver/assign/bisect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct split {
	const struct pl_assign_flows *f;
	const double *cost;
	struct pl_rng *rng;
	size_t *host;    /* [n_hosts] in order */
	size_t *pos;     /* [n_pos] those of a half follow each other */
	size_t *scratch; /* [n_pos] */
	uint32_t *local; /* [n_pos] number of a position in its half, or NONE */
	size_t *host_at; /* [n_pos] */
};

/* Hosts host[from..to) get the positions pos[begin..end). */
struct half {
	size_t from, to, begin, end;
};

static double hop(const struct split *s, size_t a, size_t b)
{
	const size_t n = s->f->n_hosts;

	return s->cost[a * n + b] + s->cost[b * n + a];
}

static size_t slots_of(const struct split *s, size_t k)
{
	const size_t h = s->host[k];

	return s->f->slot[h + 1] - s->f->slot[h];
}

/* Each host is followed by the nearest of those that are left. */
static void order_hosts(struct split *s)
{
	const size_t n = s->f->n_hosts;

	for (size_t h = 0; h < n; h++)
		s->host[h] = h;
	for (size_t k = 1; k < n; k++) {
		size_t best = k, host;

		for (size_t i = k + 1; i < n; i++)
			if (hop(s, s->host[k - 1], s->host[i]) <
			    hop(s, s->host[k - 1], s->host[best]))
				best = i;
		host = s->host[best];
		s->host[best] = s->host[k];
		s->host[k] = host;
	}
}

/* Where the hosts are cut, and the slots before: the longest hop with a third of the slots on each
 * side; of several, the most even. */
static size_t cut_hosts(const struct split *s, const struct half *x, size_t *before, size_t *all)
{
	double longest = -1;
	size_t best = x->from + 1, sum = 0, off = SIZE_MAX;

	*all = 0;
	for (size_t k = x->from; k < x->to; k++)
		*all += slots_of(s, k);
	*before = slots_of(s, x->from);
	for (size_t k = x->from + 1; k < x->to; k++) {
		const double length = hop(s, s->host[k - 1], s->host[k]);
		size_t uneven;

		sum += slots_of(s, k - 1);
		uneven = 2 * sum > *all ? 2 * sum - *all : *all - 2 * sum;
		if (3 * uneven > *all ? longest < 0 && uneven < off
				      : length > longest || (length == longest && uneven < off)) {
			longest = 3 * uneven > *all ? -1 : length;
			off = uneven;
			best = k;
			*before = sum;
		}
	}
	return best;
}

/* The flows among the positions of a half. */
static int make_graph(struct split *s, const struct half *x, struct pl_bisect_graph *g)
{
	const struct pl_assign_flows *f = s->f;
	size_t used = 0, n_edges = 0;

	g->n = x->end - x->begin;
	for (size_t i = 0; i < g->n; i++) {
		const size_t p = s->pos[x->begin + i];

		s->local[p] = (uint32_t)i;
		n_edges += f->first[p + 1] - f->first[p];
	}
	g->first = pl_array_create(g->n + 1, sizeof(*g->first));
	g->edge = pl_array_create(n_edges, sizeof(*g->edge));
	if (!g->first || !g->edge)
		return -1;
	for (size_t i = 0; i < g->n; i++) {
		const size_t p = s->pos[x->begin + i];

		for (size_t k = f->first[p]; k < f->first[p + 1]; k++)
			if (s->local[f->peer[k].pos] != NONE)
				g->edge[used++] = (struct pl_bisect_edge){
					s->local[f->peer[k].pos],
					pl_assign_exchanged(f, &f->peer[k])};
		g->first[i + 1] = used;
	}
	for (size_t i = 0; i < g->n; i++)
		s->local[s->pos[x->begin + i]] = NONE;
	return 0;
}

/* The first n_first positions of the half become those of its first part. */
static int cut_positions(struct split *s, const struct half *x, size_t n_first)
{
	const size_t n = x->end - x->begin;
	struct pl_bisect_graph g = {.n = 0};
	bool *second = pl_array_create(n, sizeof(*second));
	size_t first = 0, last = n;
	int rc = -1;

	if (second && make_graph(s, x, &g) == 0)
		rc = pl_bisect(&g, n_first, s->rng, second, NULL);
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (second[i])
			s->scratch[--last] = s->pos[x->begin + i];
		else
			s->scratch[first++] = s->pos[x->begin + i];
	if (rc == 0)
		memcpy(s->pos + x->begin, s->scratch, n * sizeof(*s->pos));
	free(g.first);
	free(g.edge);
	free(second);
	return rc;
}

static int split(struct split *s, const struct half *x)
{
	const size_t n = x->end - x->begin;
	struct half a = *x, b = *x;
	size_t before, all, n_first;

	if (n == 0)
		return 0;
	if (x->to - x->from == 1) {
		for (size_t i = x->begin; i < x->end; i++)
			s->host_at[s->pos[i]] = s->host[x->from];
		return 0;
	}
	a.to = b.from = cut_hosts(s, x, &before, &all);
	n_first = (size_t)llround((double)n * (double)before / (double)all);
	if (n_first > before)
		n_first = before;
	if (n - n_first > all - before)
		n_first = n - (all - before);
	if (n_first > 0 && n_first < n && cut_positions(s, x, n_first))
		return -1;
	a.end = b.begin = x->begin + n_first;
	return split(s, &a) || split(s, &b) ? -1 : 0;
}

int pl_assign_split(const struct pl_assign_flows *flows, const double *cost, struct pl_rng *rng,
		    size_t *host_at, struct pl_err *err)
{
	const size_t n = flows->n_pos;
	struct split s = {
		.f = flows,
		.cost = cost,
		.rng = rng,
		.host = pl_array_create(flows->n_hosts, sizeof(*s.host)),
		.pos = pl_array_create(n, sizeof(*s.pos)),
		.scratch = pl_array_create(n, sizeof(*s.scratch)),
		.local = pl_array_create(n, sizeof(*s.local)),
		.host_at = host_at,
	};
	const struct half all = {.from = 0, .to = flows->n_hosts, .end = n};
	int rc = -1;

	if (s.host && s.pos && s.scratch && s.local) {
		order_hosts(&s);
		for (size_t p = 0; p < n; p++) {
			s.pos[p] = p;
			s.local[p] = NONE;
		}
		rc = split(&s, &all);
	}
	free(s.host);
	free(s.pos);
	free(s.scratch);
	free(s.local);
	return rc ? pl_err_nomem(err) : 0;
}
