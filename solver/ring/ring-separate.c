/* SPDX-License-Identifier: BSD-3-Clause */
/* ring-separate.c - constraints that hold for all rings and not for a fractional one */
#include "config.h"

#include "solver/ring/ring-separate.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least amount by which a cut has to be violated. */
#define MISSED 1e-3
/* A smaller value is no link at all. */
#define NOTHING 1e-7

bool pl_ring_cut_has(const struct pl_ring_cut *cut, size_t host)
{
	return cut->in[host / 64] >> host % 64 & 1;
}

static void take_in(struct pl_ring_cut *cut, size_t host)
{
	cut->in[host / 64] |= (uint64_t)1 << host % 64;
}

bool pl_ring_separation_init(struct pl_ring_separation *s, size_t n, bool teeth)
{
	*s = (struct pl_ring_separation){.n = n, .teeth = teeth, .room = 5 * n};
	s->key = pl_array_create(n, sizeof(*s->key));
	s->merged = pl_array_create(n * n, sizeof(*s->merged));
	s->node = pl_array_create(n, sizeof(*s->node));
	s->group = pl_array_create(n, sizeof(*s->group));
	s->within = pl_array_create(n, sizeof(*s->within));
	s->cut = pl_array_create(s->room, sizeof(*s->cut));
	if (s->key && s->merged && s->node && s->group && s->within && s->cut)
		return true;
	pl_ring_separation_fini(s);
	return false;
}

void pl_ring_separation_fini(struct pl_ring_separation *s)
{
	free(s->key);
	free(s->merged);
	free(s->node);
	free(s->group);
	free(s->within);
	free(s->cut);
	memset(s, 0, sizeof(*s));
}

/* Numbers in s->group the groups connected by links between @least and @most. Returns how many. */
static size_t tie(struct pl_ring_separation *s, const double *link, double least, double most)
{
	size_t n_groups = 0, *stack = s->node;

	for (size_t h = 0; h < s->n; h++)
		s->group[h] = SIZE_MAX;
	for (size_t h = 0; h < s->n; h++) {
		size_t top = 0;

		if (s->group[h] != SIZE_MAX)
			continue;
		s->group[h] = n_groups;
		stack[top++] = h;
		while (top > 0) {
			const double *from = &link[stack[--top] * s->n];

			for (size_t k = 0; k < s->n; k++)
				if (s->group[k] == SIZE_MAX && from[k] >= least &&
				    from[k] <= most) {
					s->group[k] = n_groups;
					stack[top++] = k;
				}
		}
		n_groups++;
	}
	return n_groups;
}

static void fill_group(const struct pl_ring_separation *s, size_t group, struct pl_ring_cut *cut)
{
	*cut = (struct pl_ring_cut){.n_teeth = 0};
	for (size_t h = 0; h < s->n; h++)
		if (s->group[h] == group)
			take_in(cut, h);
}

/* Adds groups that are not connected to the rest, if there are any. */
static void cut_groups(struct pl_ring_separation *s, const double *link)
{
	const size_t n_groups = tie(s, link, NOTHING, INFINITY);

	/* of two groups, one implies the other */
	for (size_t g = 0; n_groups > 1 && g < n_groups - (n_groups == 2); g++)
		if (s->n_cuts < s->room)
			fill_group(s, g, &s->cut[s->n_cuts++]);
}

/* Orders the first @n nodes so that each is, of those left, the one with the largest sum of links
 * to all before it. */
static void order_nodes(struct pl_ring_separation *s, size_t n)
{
	for (size_t k = 0; k < n; k++)
		s->key[s->node[k]] = 0;
	for (size_t k = 0; k < n; k++) {
		size_t next = k, node;

		for (size_t i = k + 1; i < n; i++)
			if (s->key[s->node[i]] > s->key[s->node[next]])
				next = i;
		node = s->node[next];
		s->node[next] = s->node[k];
		s->node[k] = node;
		for (size_t i = k + 1; i < n; i++)
			s->key[s->node[i]] += s->merged[node * s->n + s->node[i]];
	}
}

static void merge(struct pl_ring_separation *s, size_t n, size_t into, size_t node)
{
	for (size_t i = 0; i < n; i++) {
		const size_t k = s->node[i];

		s->merged[into * s->n + k] += s->merged[node * s->n + k];
		s->merged[k * s->n + into] = s->merged[into * s->n + k];
	}
	for (size_t w = 0; w < PL_CUT_HOSTS_MAX / 64; w++)
		s->within[into].in[w] |= s->within[node].in[w];
}

/* Groups left by too little; the one left by the least is among them. */
static void cut_least(struct pl_ring_separation *s, const double *link)
{
	memcpy(s->merged, link, s->n * s->n * sizeof(*link));
	for (size_t h = 0; h < s->n; h++) {
		s->node[h] = h;
		s->within[h] = (struct pl_ring_cut){.n_teeth = 0};
		take_in(&s->within[h], h);
	}
	for (size_t n = s->n; n > 1; n--) {
		size_t last;

		order_nodes(s, n);
		last = s->node[n - 1];
		if (s->key[last] < 2 - MISSED && s->n_cuts < s->room)
			s->cut[s->n_cuts++] = s->within[last];
		merge(s, n - 1, s->node[n - 2], last);
	}
}

/* A link that crosses; the nearer to a half, the less it matters on which side of it the link
 * counts. */
struct crossing {
	size_t a, b;
	double doubt;
};

static void drop_tooth(struct pl_ring_cut *cut, const struct crossing *c)
{
	for (size_t t = 0; t < cut->n_teeth; t++)
		if (cut->tooth[t][0] == c->a && cut->tooth[t][1] == c->b) {
			cut->n_teeth--;
			memmove(cut->tooth[t], cut->tooth[cut->n_teeth], sizeof(cut->tooth[t]));
			return;
		}
	cut->tooth[cut->n_teeth][0] = (uint8_t)c->a;
	cut->tooth[cut->n_teeth++][1] = (uint8_t)c->b;
}

static bool known(const struct pl_ring_separation *s, const struct pl_ring_cut *cut)
{
	for (size_t k = 0; k < s->n_cuts; k++)
		if (s->cut[k].n_teeth > 0 && memcmp(s->cut[k].in, cut->in, sizeof(cut->in)) == 0)
			return true;
	return false;
}

/* The odd number of teeth that the links miss most: what crosses by more than a half, and one more
 * or less. Do they miss it? */
static bool find_teeth(const struct pl_ring_separation *s, const double *link,
		       struct pl_ring_cut *cut)
{
	struct crossing odd_one = {.doubt = INFINITY};
	double crossing = 0;

	for (size_t i = 0; i < s->n * s->n; i++) {
		const size_t a = i / s->n, b = i % s->n;

		if (!pl_ring_cut_has(cut, a) || pl_ring_cut_has(cut, b))
			continue;
		crossing += fmin(link[i], 1 - link[i]);
		if (fabs(link[i] - 0.5) < odd_one.doubt)
			odd_one = (struct crossing){a, b, fabs(link[i] - 0.5)};
		if (link[i] <= 0.5)
			continue;
		if (cut->n_teeth + 1 >= PL_CUT_TEETH_MAX)
			return false;
		cut->tooth[cut->n_teeth][0] = (uint8_t)a;
		cut->tooth[cut->n_teeth++][1] = (uint8_t)b;
	}
	if (cut->n_teeth % 2 == 0) {
		drop_tooth(cut, &odd_one);
		crossing += 2 * odd_one.doubt;
	}
	return cut->n_teeth >= 3 && crossing < 1 - 10 * MISSED;
}

static void cut_teeth(struct pl_ring_separation *s, const double *link)
{
	static const double margin[] = {1e-6, 0.15, 0.3};

	for (size_t m = 0; m < sizeof(margin) / sizeof(*margin); m++) {
		const size_t n_groups = tie(s, link, margin[m], 1 - margin[m]);

		for (size_t g = 0; g < n_groups && s->n_cuts < s->room; g++) {
			struct pl_ring_cut *cut = &s->cut[s->n_cuts];

			fill_group(s, g, cut);
			s->n_cuts += !known(s, cut) && find_teeth(s, link, cut);
		}
	}
}

void pl_ring_separate(struct pl_ring_separation *s, const double *link)
{
	s->n_cuts = 0;
	cut_groups(s, link);
	if (s->n_cuts == 0)
		cut_least(s, link);
	if (s->teeth)
		cut_teeth(s, link);
}
