/* SPDX-License-Identifier: BSD-3-Clause */
/* bound-kinds.c - what no order costs less than if kinds contradict each
 * other */
#include "config.h"

#include "order/job/parts.h"

#include "base/gcd.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The edges of a spanning tree, the cheapest first, join hosts to parts. At each level a kind
 * either keeps all its groups within parts, and then at all later levels, or one of its groups, the
 * same at all levels before, has hops between parts.
 *
 * Seats that groups join, directly or not, are a block. If some kinds keep within parts, each of
 * their blocks is in one part: the largest block is not larger than the largest part, and what
 * divides the sizes of all blocks divides those of all parts. A part has room for a few blocks
 * only, and each of them has a few seats of another kind's group: so that group is in many parts.
 *
 * What a hop between parts costs at least, less what it cost at the level before, times the number
 * of such hops, adds up over the levels to a bound of the group. The cheapest way to choose the
 * kinds that keep within parts, level by level, bounds the sum of all kinds.
 */

/* Kinds beyond the first so many count by what holds for each alone. */
#define KINDS_MAX 8
#define TERMS_MAX (2 * KINDS_MAX)

struct crossing {
	struct pl_job_outline o; /* of every group */
	double weight;
	size_t term, kind; /* the latter: a bit of a set */
	const struct pl_job_edge *tree;
	size_t next;      /* its cheapest edge between parts */
	double cost, now; /* of that edge at the level before, and now */
};

/* The blocks of a set of kinds. */
struct blocks {
	size_t least, most, divisor; /* seats of one */
	size_t shared[TERMS_MAX];    /* the most that it has of a group */
};

struct together {
	const struct pl_job_cost *c;
	struct crossing v[TERMS_MAX];
	size_t n, n_kinds;
	struct blocks *blocks; /* [1 << n_kinds] by set */
	double *best;          /* the same: least cost up to this level */
	size_t *up, *size;     /* [hosts]: parts; seats of one, at its root */
	size_t most;           /* of the largest part */
};

/* The terms whose groups' seats are joined, of the first kinds that have
 * some; the bounds of all others go to *rest. */
static void list_terms(struct together *w, struct pl_job_edge *const *tree, const double *alone,
		       double *rest)
{
	size_t last = SIZE_MAX;

	for (size_t t = 0; t < w->c->n_terms; t++) {
		const struct pl_job_term *term = &w->c->term[t];
		struct pl_job_outline o;

		if (term->n == 0)
			continue;
		o = pl_job_outline_least(w->c, term);
		if (o.n_seats < 2 || (term->kind != last && w->n_kinds == KINDS_MAX)) {
			*rest += alone[t];
			continue;
		}
		w->n_kinds += term->kind != last;
		last = term->kind;
		w->v[w->n++] = (struct crossing){
			.o = o,
			.weight = term->weight * o.times,
			.term = t,
			.kind = (size_t)1 << (w->n_kinds - 1),
			.tree = tree[t],
		};
	}
}

static const struct pl_job_group *groups_of(const struct together *w, size_t i, size_t *n)
{
	const struct pl_job_term *term = &w->c->term[w->v[i].term];

	*n = term->n;
	return &w->c->group[term->first];
}

static void join_groups(const struct together *w, size_t set, size_t *up)
{
	for (size_t i = 0; i < w->n; i++) {
		size_t n;
		const struct pl_job_group *g = groups_of(w, i, &n);

		for (; (w->v[i].kind & set) && n > 0; g++, n--)
			for (size_t p = 1; p < g->n_pos; p++)
				up[pl_job_root(up, g->seat[p])] = pl_job_root(up, g->seat[0]);
	}
}

/* The most seats of one of the term's groups in a block; @count [seats] is and stays zero, @seen
 * [seats] differs from all marks from *mark on. */
static size_t share_of(const struct together *w, size_t i, size_t *up, size_t *count, size_t *seen,
		       size_t *mark)
{
	size_t n, most = 0;
	const struct pl_job_group *g = groups_of(w, i, &n);

	for (; n > 0; g++, n--, ++*mark) {
		for (size_t p = 0; p < g->n_pos; p++) {
			const size_t root = pl_job_root(up, g->seat[p]);

			if (seen[g->seat[p]] == *mark)
				continue;
			seen[g->seat[p]] = *mark;
			if (++count[root] > most)
				most = count[root];
		}
		for (size_t p = 0; p < g->n_pos; p++)
			count[pl_job_root(up, g->seat[p])] = 0;
	}
	return most;
}

/* @scratch [4 * seats] */
static void find_blocks(struct together *w, size_t set, size_t *scratch)
{
	const size_t n = w->c->o.seats.n;
	struct blocks *b = &w->blocks[set];
	size_t *up = scratch, *size = up + n, *count = size + n;
	size_t *seen = count + n, mark = 1;

	memset(scratch, 0, 4 * n * sizeof(*scratch));
	for (size_t s = 0; s < n; s++)
		up[s] = s;
	join_groups(w, set, up);
	for (size_t s = 0; s < n; s++)
		size[pl_job_root(up, s)]++;
	*b = (struct blocks){.least = n};
	for (size_t s = 0; s < n; s++) {
		if (size[s] == 0)
			continue;
		b->least = size[s] < b->least ? size[s] : b->least;
		b->most = size[s] > b->most ? size[s] : b->most;
		b->divisor = pl_gcd(b->divisor, size[s]);
	}
	for (size_t i = 0; i < w->n; i++)
		if (!(w->v[i].kind & set))
			b->shared[i] = share_of(w, i, up, count, seen, &mark);
}

/* Each host is a part. */
static void begin_parts(struct together *w, const size_t *host_at)
{
	const size_t n = w->c->o.costs.n;

	memset(w->size, 0, n * sizeof(*w->size));
	w->most = 0;
	for (size_t i = 0; i < w->c->o.seats.n; i++)
		if (++w->size[host_at[i]] > w->most)
			w->most = w->size[host_at[i]];
	for (size_t h = 0; h < n; h++)
		w->up[h] = h;
	for (size_t i = 0; i < w->n; i++)
		w->v[i].next = w->v[i].cost = 0;
	w->best[0] = 0;
	for (size_t set = 1; set < (size_t)1 << w->n_kinds; set++)
		w->best[set] = INFINITY;
}

static void join_parts(struct together *w, const struct pl_job_edge *e)
{
	const size_t a = pl_job_root(w->up, e->a);
	const size_t b = pl_job_root(w->up, e->b);

	w->up[b] = a;
	w->size[a] += w->size[b];
	w->size[b] = 0;
	if (w->size[a] > w->most)
		w->most = w->size[a];
}

static size_t parts_divisor(const struct together *w)
{
	size_t d = 0;

	for (size_t h = 0; h < w->c->o.costs.n && d != 1; h++)
		d = pl_gcd(d, w->size[h]);
	return d;
}

/* What a hop between parts costs now. Is it more, of any term? */
static bool raise_costs(struct together *w)
{
	bool more = false;

	for (size_t i = 0; i < w->n; i++) {
		struct crossing *v = &w->v[i];

		while (pl_job_root(w->up, v->tree[v->next].a) ==
		       pl_job_root(w->up, v->tree[v->next].b))
			v->next++;
		v->now = v->tree[v->next].cost;
		more |= v->now > v->cost;
	}
	return more;
}

/* The least number of hops between parts of a group of term @i, if the kinds
 * of @set keep within parts and this one does not. */
static double hops_between(const struct together *w, size_t i, size_t set)
{
	const struct pl_job_outline *o = &w->v[i].o;
	const struct blocks *b = &w->blocks[set];
	const size_t room = w->most / b->least * b->shared[i];
	const size_t most = room < w->most ? room : w->most;
	size_t n = (o->n_seats + most - 1) / most;

	if (o->kind == PL_SUM_OF_MAXIMA && o->is_wide && w->most == 1)
		return (double)o->n_rounds;
	if (o->kind != PL_SUM)
		return 1;
	n = n > 2 ? n : 2;
	return (double)(o->is_ring ? n : (n - 1) * o->cut);
}

static double add_level(const struct together *w, size_t set, size_t divisor)
{
	const struct blocks *b = &w->blocks[set];
	double sum = w->best[set];

	if (b->most > w->most || divisor % b->divisor != 0)
		return INFINITY;
	for (size_t i = 0; i < w->n && isfinite(sum); i++)
		if (!(w->v[i].kind & set))
			sum += w->v[i].weight * (w->v[i].now - w->v[i].cost) *
			       hops_between(w, i, set);
	return sum;
}

static void take_level(struct together *w)
{
	const size_t n_sets = (size_t)1 << w->n_kinds;
	const size_t divisor = parts_divisor(w);

	for (size_t bit = 1; bit < n_sets; bit *= 2)
		for (size_t set = 0; set < n_sets; set++)
			if (set & bit)
				w->best[set] = fmin(w->best[set], w->best[set ^ bit]);
	for (size_t set = 0; set < n_sets; set++)
		w->best[set] = add_level(w, set, divisor);
	for (size_t i = 0; i < w->n; i++)
		w->v[i].cost = w->v[i].now;
}

/* The bound that the parts of one tree give. */
static double by_tree(struct together *w, const struct pl_job_edge *tree, const size_t *host_at)
{
	double least = INFINITY;

	begin_parts(w, host_at);
	for (size_t e = 0; e + 1 < w->c->o.costs.n; e++) {
		if (raise_costs(w))
			take_level(w);
		join_parts(w, &tree[e]);
	}
	for (size_t set = 0; set < (size_t)1 << w->n_kinds; set++)
		least = fmin(least, w->best[set]);
	return least;
}

static int prepare(struct together *w)
{
	const size_t n_hosts = w->c->o.costs.n, n_sets = (size_t)1 << w->n_kinds;
	size_t *scratch = pl_array_create(w->c->o.seats.n, 4 * sizeof(*scratch));

	w->blocks = pl_array_create(n_sets, sizeof(*w->blocks));
	w->best = pl_array_create(n_sets, sizeof(*w->best));
	w->up = pl_array_create(n_hosts, sizeof(*w->up));
	w->size = pl_array_create(n_hosts, sizeof(*w->size));
	if (!scratch || !w->blocks || !w->best || !w->up || !w->size) {
		free(scratch);
		return -1;
	}
	for (size_t set = 0; set < n_sets; set++)
		find_blocks(w, set, scratch);
	free(scratch);
	return 0;
}

int pl_job_bound_together(const struct pl_job_cost *c, const size_t *host_at,
			  struct pl_job_edge *const *tree, const double *alone, double *bound)
{
	struct together w = {.c = c};
	double rest = 0, most = 0;
	int rc;

	list_terms(&w, tree, alone, &rest);
	rc = prepare(&w);
	for (size_t i = 0; rc == 0 && i < w.n; i++)
		most = fmax(most, by_tree(&w, w.v[i].tree, host_at));
	*bound = rest + most;
	free(w.blocks);
	free(w.best);
	free(w.up);
	free(w.size);
	return rc;
}
