/* SPDX-License-Identifier: BSD-3-Clause */
/* refine.c - vertices change sides where that pays */
#include "config.h"

#include "solver/assign/refine.h"

#include "base/mem.h"

#include <stdlib.h>

#define PASSES 12

/* A pass ends after so many moves in a row without a gain: these, and this part of the vertices. */
#define PATIENCE 60
#define PATIENT_PART 25

struct entry {
	double gain;
	uint32_t v;
};

/* The largest gain first; entries whose gain has changed are passed over. */
struct heap {
	struct entry *v;
	size_t n, room;
};

struct pass {
	const struct pl_bisect_graph *g;
	bool *second;
	bool *moved;  /* [n] */
	double *gain; /* [n] what the cut falls by */
	struct heap side[2];
	uint32_t *done; /* [n] the moves of the pass */
	size_t n_done;
	int64_t excess; /* of the first part */
	int64_t slack;
	double cut;
};

static int64_t size_of(const struct pl_bisect_graph *g, size_t v)
{
	return g->size ? (int64_t)g->size[v] : 1;
}

static bool before(struct entry a, struct entry b)
{
	return a.gain > b.gain || (a.gain == b.gain && a.v < b.v);
}

static int push(struct pass *p, uint32_t v)
{
	struct heap *h = &p->side[p->second[v]];
	const struct entry e = {p->gain[v], v};
	size_t k = h->n;

	if (pl_array_grow((void **)&h->v, &h->room, h->n, sizeof(*h->v)))
		return -1;
	h->n++;
	for (; k > 0 && before(e, h->v[(k - 1) / 2]); k = (k - 1) / 2)
		h->v[k] = h->v[(k - 1) / 2];
	h->v[k] = e;
	return 0;
}

static struct entry pop(struct heap *h)
{
	const struct entry top = h->v[0], e = h->v[--h->n];
	size_t k = 0, child;

	while ((child = 2 * k + 1) < h->n) {
		child += child + 1 < h->n && before(h->v[child + 1], h->v[child]);
		if (!before(h->v[child], e))
			break;
		h->v[k] = h->v[child];
		k = child;
	}
	h->v[k] = e;
	return top;
}

/* Brings the next vertex that may move to the top; false: none. */
static bool has_next(struct pass *p, bool second)
{
	struct heap *h = &p->side[second];

	while (h->n > 0) {
		const struct entry e = h->v[0];

		if (!p->moved[e.v] && p->second[e.v] == second && p->gain[e.v] == e.gain)
			return true;
		pop(h);
	}
	return false;
}

/* From the larger part, or with the larger gain. */
static bool choose(struct pass *p, uint32_t *v)
{
	const bool first = p->excess >= 0 && has_next(p, false);
	const bool second = p->excess <= 0 && has_next(p, true);

	if (!first && !second)
		return false;
	if (first && second)
		*v = before(p->side[0].v[0], p->side[1].v[0]) ? p->side[0].v[0].v
							      : p->side[1].v[0].v;
	else
		*v = p->side[second].v[0].v;
	return true;
}

static void turn(struct pass *p, uint32_t v)
{
	const struct pl_bisect_graph *g = p->g;

	p->cut -= p->gain[v];
	p->gain[v] = -p->gain[v];
	p->second[v] = !p->second[v];
	p->excess += p->second[v] ? -size_of(g, v) : size_of(g, v);
	for (size_t i = g->first[v]; i < g->first[v + 1]; i++) {
		const uint32_t u = g->edge[i].to;
		const double w = 2 * g->edge[i].weight;

		p->gain[u] += p->second[u] == p->second[v] ? -w : w;
	}
}

static int move(struct pass *p, uint32_t v)
{
	const struct pl_bisect_graph *g = p->g;

	turn(p, v);
	p->moved[v] = true;
	p->done[p->n_done++] = v;
	for (size_t i = g->first[v]; i < g->first[v + 1]; i++)
		if (!p->moved[g->edge[i].to] && push(p, g->edge[i].to))
			return -1;
	return 0;
}

static int64_t over(const struct pass *p)
{
	const int64_t size = p->excess < 0 ? -p->excess : p->excess;

	return size > p->slack ? size - p->slack : 0;
}

/* Vertices at the border may move, or if the parts are too uneven all. */
static int begin(struct pass *p)
{
	p->n_done = p->side[0].n = p->side[1].n = 0;
	for (size_t v = 0; v < p->g->n; v++) {
		bool border = over(p) > 0;

		p->moved[v] = false;
		for (size_t i = p->g->first[v]; i < p->g->first[v + 1]; i++)
			border |= p->second[v] != p->second[p->g->edge[i].to];
		if (border && push(p, (uint32_t)v))
			return -1;
	}
	return 0;
}

/* *better: did it gain anything? */
static int run(struct pass *p, bool *better)
{
	const size_t patience = PATIENCE + p->g->n / PATIENT_PART;
	double least = p->cut;
	int64_t least_over = over(p);
	size_t kept = 0;
	uint32_t v;

	*better = false;
	if (begin(p))
		return -1;
	while (p->n_done - kept < patience && choose(p, &v)) {
		if (move(p, v))
			return -1;
		if (over(p) < least_over ||
		    (over(p) == least_over && p->cut < least * (1 - 1e-12))) {
			least = p->cut;
			least_over = over(p);
			kept = p->n_done;
			*better = true;
		}
	}
	while (p->n_done > kept)
		turn(p, p->done[--p->n_done]);
	return 0;
}

static void start(struct pass *p, uint64_t want)
{
	const struct pl_bisect_graph *g = p->g;
	double twice = 0;

	p->excess = -(int64_t)want;
	for (size_t v = 0; v < g->n; v++) {
		p->gain[v] = 0;
		for (size_t i = g->first[v]; i < g->first[v + 1]; i++) {
			const bool apart = p->second[v] != p->second[g->edge[i].to];

			p->gain[v] += apart ? g->edge[i].weight : -g->edge[i].weight;
			twice += apart ? g->edge[i].weight : 0;
		}
		p->excess += p->second[v] ? 0 : size_of(g, v);
		if (size_of(g, v) - 1 > p->slack)
			p->slack = size_of(g, v) - 1;
	}
	p->cut = twice / 2;
}

int pl_bisect_refine(const struct pl_bisect_graph *g, uint64_t want, bool *second, double *cut)
{
	struct pass p = {
		.g = g,
		.second = second,
		.moved = pl_array_create(g->n, sizeof(*p.moved)),
		.gain = pl_array_create(g->n, sizeof(*p.gain)),
		.done = pl_array_create(g->n, sizeof(*p.done)),
	};
	bool better = true;
	int rc = p.moved && p.gain && p.done ? 0 : -1;

	if (rc == 0)
		start(&p, want);
	for (int k = 0; rc == 0 && better && k < PASSES; k++)
		rc = run(&p, &better);
	*cut = p.cut;
	free(p.moved);
	free(p.gain);
	free(p.done);
	free(p.side[0].v);
	free(p.side[1].v);
	return rc;
}
