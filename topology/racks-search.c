/* SPDX-License-Identifier: BSD-3-Clause */
/* racks-search.c - searches for the parts with the shortest description of hosts */
#include "config.h"

#include "topology/racks-search.h"

#include "base/mem.h"
#include "base/rng.h"
#include "topology/linkage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REFITS = 6 };

/* Of each tree: cuts that are looked at, and those that are refined. */
enum { CUTS = 24, CUTS_BEST = 4 };

/* Parts that are mixed at once; how often for a host; and in as many cells at most. */
enum { MIXED = 3, MIXES_HOST = 6, MIXES_CELLS = 400000 };

/*
 * Are the m hosts of @s better described as the parts that were fitted than as one whole? Minimum
 * description length: the saving, from the squares by which cells are off either description (any
 * spread was equally likely before), less the length of the list that says which host is in which
 * part.
 */
static double judge(const struct pl_part_search *s)
{
	const struct pl_parting *t = &s->t;
	const double clip = pl_parting_clip(t);
	const double known = t->usual_cells * t->usual * t->usual;
	double off = known, off_none = known;

	if (t->n_parts == t->n_wholes || t->n_parts == t->m || !(t->fit.mean[0] < t->fit.mean[1]))
		return -INFINITY;
	for (size_t g = 0; g < t->n_wholes; g++) {
		off += pl_parting_squares(t, &t->fit, g, clip);
		off_none += pl_parting_squares(t, &s->none, g, clip);
	}
	if (s->hint.known)
		return (off_none - off) / (2 * t->fit.spread * t->fit.spread) -
		       pl_part_code_cost(&t->code);
	return (t->n_cells + t->usual_cells) / 2 * pl_racks_log(off_none / off) +
	       s->none.share_cost - t->fit.share_cost - pl_part_code_cost(&t->code) -
	       pl_racks_log(t->n_cells + 1) / 2;
}

static void take_hint(struct pl_part_search *s)
{
	memcpy(s->t.fit.mean, s->hint.mean, sizeof(s->hint.mean));
	s->t.fit.spread = s->hint.spread;
}

static void fit(struct pl_part_search *s, void (*how)(struct pl_parting *t))
{
	how(&s->t);
	if (s->hint.known)
		take_hint(s);
}

/* Moves hosts until nothing is gained. *gain; 0, or -1: no memory. */
int pl_part_search_refine(struct pl_part_search *s, double *gain)
{
	struct pl_parting *t = &s->t;
	bool same = false;

	for (int k = 0; !same; k++) {
		fit(s, pl_parting_fit);
		*gain = judge(s);
		if (isinf(*gain) || k == REFITS)
			break;
		memcpy(s->before, t->part, t->m * sizeof(*t->part));
		if (pl_parting_improve(t))
			return -1;
		same = !memcmp(s->before, t->part, t->m * sizeof(*t->part));
	}
	return 0;
}

static int by_worth(const void *x, const void *y)
{
	const struct pl_part_cut *a = x, *b = y;

	if (a->worth != b->worth)
		return a->worth < b->worth ? 1 : -1;
	return (a->n_merges < b->n_merges) - (a->n_merges > b->n_merges);
}

/* Cuts the tree at the gaps between its heights, the widest first. */
static size_t find_cuts(struct pl_part_search *s)
{
	size_t n = 0;

	for (size_t k = 1; k + 1 < s->t.m; k++) {
		const double below = (double)s->merge[k - 1].height;
		const double above = (double)s->merge[k].height;

		if (above > below)
			s->cut[n++] = (struct pl_part_cut){k, above - below};
	}
	qsort(s->cut, n, sizeof(*s->cut), by_worth);
	return n < CUTS ? n : CUTS;
}

static void cut(struct pl_part_search *s, size_t n_merges)
{
	pl_linkage_cut(s->merge, n_merges, s->t.m, s->t.part, s->map);
	pl_parting_number(&s->t);
	pl_part_fit_copy(&s->t.fit, &s->none, s->t.m, s->t.n_wholes);
	s->t.fit.parted = true;
}

static void keep_better(struct pl_part_search *s, double gain)
{
	if (!(gain > s->best_gain))
		return;
	s->best_gain = gain;
	s->best_spread = s->t.fit.spread;
	memcpy(s->best, s->t.part, s->t.m * sizeof(*s->best));
}

/* The cuts of one tree: the best as they are improved. */
static int try_cuts(struct pl_part_search *s)
{
	const size_t n_cuts = find_cuts(s);

	for (size_t k = 0; k < n_cuts; k++) {
		cut(s, s->cut[k].n_merges);
		fit(s, pl_parting_fit_fast);
		s->cut[k].worth = judge(s);
	}
	qsort(s->cut, n_cuts, sizeof(*s->cut), by_worth);
	for (size_t k = 0; k < n_cuts && k < CUTS_BEST; k++) {
		double gain;

		cut(s, s->cut[k].n_merges);
		if (pl_part_search_refine(s, &gain))
			return -1;
		keep_better(s, gain);
	}
	return 0;
}

/* Divides the hosts of a few parts at random into as many parts, or one more or less. */
static void mix(struct pl_parting *t, struct pl_rng *rng)
{
	size_t to[MIXED + 1], n_to = 0;
	const size_t n = MIXED - 1 + pl_rng_below(rng, 3);

	while (n_to < MIXED)
		to[n_to++] = pl_rng_below(rng, t->n_parts);
	to[n_to] = t->n_parts; /* an empty one */
	for (size_t i = 0; i < t->m; i++)
		for (size_t k = 0; k < MIXED; k++)
			if (t->part[i] == to[k]) {
				t->part[i] = to[pl_rng_below(rng, n)];
				break;
			}
}

/* Searches for better parts near the best ones so far. */
static int shake(struct pl_part_search *s)
{
	struct pl_parting *t = &s->t;
	const size_t m = t->m;
	const size_t room = MIXES_CELLS / (m * m), most = MIXES_HOST * m;
	const size_t n_tries = room < most ? room : most;
	struct pl_rng rng;
	double worth, gain;

	if (n_tries == 0)
		return 0;
	memcpy(t->part, s->best, m * sizeof(*t->part));
	pl_parting_number(t);
	pl_part_fit_copy(&t->fit, &s->none, m, t->n_wholes);
	t->fit.parted = true;
	fit(s, pl_parting_fit);
	worth = pl_parting_worth(t);
	memcpy(s->before, t->part, m * sizeof(*t->part));
	pl_rng_init(&rng, 1, m);
	for (size_t k = 0; k < n_tries; k++) {
		double now;

		mix(t, &rng);
		if (pl_parting_improve(t))
			return -1;
		now = pl_parting_worth(t);
		if (now > worth) {
			worth = now;
			memcpy(s->before, t->part, m * sizeof(*t->part));
		}
		memcpy(t->part, s->before, m * sizeof(*t->part));
		pl_parting_number(t);
	}
	if (pl_part_search_refine(s, &gain))
		return -1;
	keep_better(s, gain);
	return 0;
}

static bool has_shares(const struct pl_part_fit *f, size_t m)
{
	for (size_t i = 0; i < m; i++)
		if (f->share[i] != 0)
			return true;
	return false;
}

/* Trees of what was measured, and, if hosts have shares, of what is left
 * then. */
static int try_trees(struct pl_part_search *s)
{
	struct pl_parting *t = &s->t;
	const size_t m = t->m;
	const bool shares = has_shares(&s->none, m);

	for (int k = 0; k < 1 + shares; k++) {
		for (size_t i = 0; i < m * m; i++)
			t->cell[i] =
				t->raw[i] -
				(k == 0 ? 0 : (float)(s->none.share[i / m] + s->none.share[i % m]));
		if (pl_linkage(t->cell, m, s->merge) || try_cuts(s))
			return -1;
	}
	return 0;
}

int pl_part_search_init(struct pl_part_search *s, size_t m, size_t n_wholes)
{
	s->best_gain = -INFINITY;
	s->merge = pl_array_create(m, sizeof(*s->merge));
	s->cut = pl_array_create(m, sizeof(*s->cut));
	s->before = pl_array_create(m, sizeof(*s->before));
	s->best = pl_array_create(m, sizeof(*s->best));
	s->map = pl_array_create(m, sizeof(*s->map));
	return !s->merge || !s->map || !s->cut || !s->before || !s->best ||
			       pl_part_fit_init(&s->none, m, n_wholes) ||
			       pl_parting_init(&s->t, m, n_wholes)
		       ? -1
		       : 0;
}

void pl_part_search_fini(struct pl_part_search *s)
{
	free(s->merge);
	free(s->cut);
	free(s->before);
	free(s->best);
	free(s->map);
	pl_part_fit_fini(&s->none);
	pl_parting_fini(&s->t);
}

void pl_part_search_begin(struct pl_part_search *s)
{
	struct pl_parting *t = &s->t;

	t->fit.parted = false;
	pl_parting_fit(t);
	pl_part_fit_copy(&s->none, &t->fit, t->m, t->n_wholes);
}

int pl_part_search_run(struct pl_part_search *s)
{
	if (try_trees(s))
		return -1;
	return s->best_gain > -INFINITY ? shake(s) : 0;
}
