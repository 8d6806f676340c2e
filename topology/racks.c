/* SPDX-License-Identifier: BSD-3-Clause */
/* racks.c - groups of hosts whose number is not known beforehand */
#include "config.h"

#include "topology/racks.h"

#include "base/mem.h"
#include "base/stats.h"
#include "topology/cluster.h"
#include "topology/racks-search.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 8, HOSTS_LEAST = 3 };

/* In nats: a whole is divided only if that shortens the description by this much. */
#define MARGIN 5.0

/* The same for each of several wholes. */
#define PARTED 2.0

/* The spread that is expected where nothing is known yet, and as how many cells that counts; and
 * where a whole above is known. */
#define SPREAD_USUAL 0.1
#define CELLS_FIRST 4
#define CELLS_LATER 10

/* What differs by more than so many usual differences between both directions is no nearer to the
 * greater one than that. */
#define APART_MOST 3.0

/* Of the mean: nothing is less. */
#define LEAST 1e-3

/* Groups are known by their first hosts. */
struct racks {
	size_t n;
	float *near;       /* [n * n] logarithms, both directions alike */
	size_t *whole;     /* [n] groups so far */
	size_t *next;      /* [n] those of the level below */
	size_t *preferred; /* [n] what wholes would fall into if they had to */
	double gain;       /* of @next, all told */
	struct pl_part_hint hint;
	double *spread;  /* [n] by group: what is expected within it */
	double *mean;    /* [n] by whole: within it */
	double *n_usual; /* [n] by group: as how many cells that counts */
	size_t *host;    /* [n] scratch: those looked at */
	bool *loose;     /* [n] hosts of a group for want of a better one */
	size_t *map;     /* [n] scratch */
};

/* Both directions together; if they differ much, the lesser one and a little more. */
static float combine(double to, double back, double most)
{
	if (isnan(to) || isnan(back))
		return (float)(isnan(to) ? back : to);
	return (float)(fmin(to, back) + fmin(fabs(to - back), most) / 2);
}

static double mean_cell(const double *cell, size_t n)
{
	double sum = 0, count = 0;

	for (size_t i = 0; i < n * n; i++)
		if (i % (n + 1) != 0 && !isnan(cell[i])) {
			sum += cell[i];
			count++;
		}
	return count > 0 ? sum / count : 0;
}

/* Median difference of the two directions, in a sample. */
static double usual_difference(const struct racks *r, double *sample)
{
	const size_t n = r->n, step = n * n / 2 / PL_PARTING_SAMPLE + 1;
	size_t turn = 0, n_sample = 0;

	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			const double off = (double)r->near[i * n + j] - (double)r->near[j * n + i];

			if (!isnan(off) && turn++ % step == 0)
				sample[n_sample++] = fabs(off);
		}
	return n_sample ? pl_median(sample, n_sample) : 0;
}

static int take_logs(struct racks *r, const double *cell)
{
	const size_t n = r->n;
	const double mean = mean_cell(cell, n);
	double *sample = pl_array_create(PL_PARTING_SAMPLE, sizeof(*sample));
	double most;

	if (!sample)
		return -1;
	for (size_t i = 0; i < n * n; i++) {
		const double least = fmax(cell[i], LEAST * mean);

		r->near[i] = NAN;
		if (i % (n + 1) != 0 && !isnan(cell[i]))
			r->near[i] = mean > 0 ? (float)pl_racks_log(least / mean) : 0;
	}
	most = APART_MOST * usual_difference(r, sample);
	free(sample);
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < i; j++)
			r->near[i * n + j] = r->near[j * n + i] = combine(
				(double)r->near[i * n + j], (double)r->near[j * n + i], most);
	return 0;
}

/* The cells of the hosts looked at, those between wholes left out. */
static void take_cells(struct pl_part_search *s, const struct racks *r)
{
	struct pl_parting *t = &s->t;

	for (size_t i = 0; i < t->m; i++)
		for (size_t j = 0; j < t->m; j++)
			t->raw[i * t->m + j] = t->whole[i] == t->whole[j]
						       ? r->near[r->host[i] * r->n + r->host[j]]
						       : NAN;
}

/* Group of each host, in @to, by the parts of the hosts looked at. */
static void give(const struct racks *r, const size_t *part, size_t m, size_t *to)
{
	for (size_t i = 0; i < m; i++)
		r->map[part[i]] = r->n;
	for (size_t i = 0; i < m; i++)
		if (r->map[part[i]] == r->n)
			r->map[part[i]] = r->host[i];
	for (size_t i = 0; i < m; i++)
		to[r->host[i]] = r->map[part[i]];
}

/* One whole by itself. */
static int part_alone(struct racks *r, size_t whole)
{
	struct pl_part_search s = {
		.t.usual = r->spread[whole], .t.usual_cells = r->n_usual[whole], .hint = r->hint};
	size_t m = 0;
	int rc;

	for (size_t i = 0; i < r->n; i++)
		if (r->whole[i] == whole)
			r->host[m++] = i;
	if (m < HOSTS_LEAST)
		return 0;
	rc = pl_part_search_init(&s, m, 1);
	if (rc == 0) {
		take_cells(&s, r);
		pl_part_search_begin(&s);
		r->mean[whole] = s.none.mean[0];
		rc = pl_part_search_run(&s);
	}
	if (rc == 0 && s.best_gain > -INFINITY)
		give(r, s.best, m, r->preferred);
	if (rc == 0 && s.best_gain > -INFINITY && !r->hint.known)
		r->spread[whole] = s.best_spread;
	if (rc == 0 && s.best_gain > MARGIN && !r->hint.known) {
		give(r, s.best, m, r->next);
		r->gain += s.best_gain;
	}
	pl_part_search_fini(&s);
	return rc;
}

/* Whole of each host looked at and its part of those preferred, both numbered within the search. */
static void take_preferred(struct pl_part_search *s, const struct racks *r)
{
	struct pl_parting *t = &s->t;
	size_t n_wholes = 0;

	for (size_t i = 0; i < t->m; i++) {
		const size_t h = r->host[i];

		r->map[h] = i;
		t->part[i] = r->map[r->preferred[h]];
		if (r->whole[h] == h)
			s->before[i] = n_wholes++;
		t->whole[i] = s->before[r->map[r->whole[h]]];
	}
}

/* Means of the wholes as they are, and the spread they have on average. */
static void take_means(struct pl_part_search *s, const struct racks *r)
{
	struct pl_parting *t = &s->t;
	double squares = 0;

	for (size_t i = 0; i < t->m; i++) {
		const size_t whole = r->whole[r->host[i]];

		t->fit.mean[t->whole[i]] = r->mean[whole];
		squares += r->spread[whole] * r->spread[whole];
	}
	t->usual = sqrt(squares / (double)t->m);
	t->usual_cells = CELLS_LATER;
}

/* Leaves wholes as they are that gain nothing by being parted; whether there were any. Sizes, which
 * are told once for all, are not held against one. */
static bool drop_losers(const struct pl_part_search *s, struct racks *r)
{
	const struct pl_parting *t = &s->t;
	const double clip = pl_parting_clip(t);
	bool *loses = (bool *)s->before; /* no longer needed */
	bool any = false;

	for (size_t g = 0; g < t->n_wholes; g++) {
		const double less = pl_parting_squares(t, &s->none, g, clip) -
				    pl_parting_squares(t, &t->fit, g, clip);

		loses[g] = less / (2 * t->fit.spread * t->fit.spread) <=
				   pl_part_code_of(t, g) + PARTED ||
			   t->code.n_in[g] == t->code.n_hosts[g];
		any = any || loses[g];
	}
	for (size_t i = 0; i < t->m; i++)
		if (loses[t->whole[i]])
			r->preferred[r->host[i]] = r->whole[r->host[i]];
	return any;
}

/* The wholes looked at, by one pair of means for all: what is alike in all is told once, and is
 * seen where each has too few cells to show it. */
static int search_together(struct pl_part_search *s, struct racks *r, bool *again)
{
	struct pl_parting *t = &s->t;
	double gain;

	take_preferred(s, r);
	take_means(s, r);
	take_cells(s, r);
	pl_parting_number(t);
	pl_part_search_begin(s);
	t->fit.parted = true;
	if (pl_part_search_refine(s, &gain))
		return -1;
	if (!r->hint.known && isfinite(gain)) {
		memcpy(r->hint.mean, t->fit.mean, sizeof(r->hint.mean));
		r->hint.spread = t->fit.spread;
		r->hint.known = true;
		return 0;
	}
	*again = isfinite(gain) && drop_losers(s, r);
	gain -= PARTED * (double)t->n_wholes;
	if (*again || !(gain > fmax(r->gain, MARGIN)))
		return 0;
	memcpy(r->next, r->whole, r->n * sizeof(*r->next));
	give(r, t->part, t->m, r->next);
	for (size_t i = 0; i < r->n; i++)
		r->spread[r->whole[i]] = t->fit.spread;
	return 0;
}

/* All wholes that could be parted, as long as there are several. */
static int part_together(struct racks *r)
{
	bool again = true;
	int rc = 0;

	while (rc == 0 && again) {
		struct pl_part_search s = {.best = NULL};
		size_t m = 0, n_wholes = 0;

		again = false;
		memset(r->map, 0, r->n * sizeof(*r->map));
		for (size_t i = 0; i < r->n; i++)
			r->map[r->whole[i]] += r->preferred[i] != r->whole[i];
		for (size_t i = 0; i < r->n; i++)
			if (r->map[r->whole[i]]) {
				r->host[m++] = i;
				n_wholes += r->whole[i] == i;
			}
		if (n_wholes < 2)
			break;
		rc = pl_part_search_init(&s, m, n_wholes);
		if (rc == 0)
			rc = search_together(&s, r, &again);
		pl_part_search_fini(&s);
	}
	return rc;
}

/* Each whole that may still be divided. */
static int part_each(struct racks *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->whole[i] == i && r->n_usual[i] > 0 && part_alone(r, i))
			return -1;
	return 0;
}

/* Hosts of a whole that are by themselves now have nothing in common that shows beside what parts
 * the others; they may have among themselves. */
static void gather_single(struct racks *r)
{
	const size_t n = r->n;

	memset(r->map, 0, n * sizeof(*r->map));
	for (size_t i = 0; i < n; i++)
		r->map[r->next[i]]++;
	for (size_t i = 0; i < n; i++)
		r->preferred[i] = n;
	for (size_t i = 0; i < n; i++) {
		size_t *first = &r->preferred[r->whole[i]];

		if (r->map[r->next[i]] > 1)
			continue;
		if (*first == n)
			*first = i;
		r->loose[i] = *first != i;
		r->loose[*first] = r->loose[*first] || r->loose[i];
		r->next[i] = *first;
	}
}

/* Takes the result for the wholes of the next level; returns whether there is any. */
static bool settle(struct racks *r)
{
	const size_t n = r->n;
	bool parted = false;

	memset(r->map, 0, n * sizeof(*r->map));
	for (size_t i = 0; i < n; i++)
		r->map[r->whole[i]] += r->next[i] != r->whole[i];
	for (size_t i = 0; i < n; i++) {
		r->n_usual[r->next[i]] = r->map[r->whole[i]] ? CELLS_LATER : 0;
		r->spread[r->next[i]] = r->spread[r->whole[i]];
		parted = parted || r->map[r->whole[i]];
		if (r->map[r->whole[i]])
			r->loose[i] = false;
	}
	gather_single(r);
	memcpy(r->whole, r->next, n * sizeof(*r->whole));
	return parted;
}

/* One level further down; returns whether any whole was divided. */
static int part_level(struct racks *r, bool *parted)
{
	memcpy(r->next, r->whole, r->n * sizeof(*r->next));
	memcpy(r->preferred, r->whole, r->n * sizeof(*r->preferred));
	r->gain = 0;
	r->hint.known = false;
	if (part_each(r) || part_together(r))
		return -1;
	if (r->hint.known && (part_each(r) || part_together(r)))
		return -1;
	*parted = settle(r);
	return 0;
}

static int make_room(struct racks *r)
{
	const size_t n = r->n;

	r->near = pl_array_create(n, n * sizeof(*r->near));
	r->whole = pl_array_create(n, sizeof(*r->whole));
	r->next = pl_array_create(n, sizeof(*r->next));
	r->preferred = pl_array_create(n, sizeof(*r->preferred));
	r->spread = pl_array_create(n, sizeof(*r->spread));
	r->mean = pl_array_create(n, sizeof(*r->mean));
	r->n_usual = pl_array_create(n, sizeof(*r->n_usual));
	r->host = pl_array_create(n, sizeof(*r->host));
	r->loose = pl_array_create(n, sizeof(*r->loose));
	r->map = pl_array_create(n + 1, sizeof(*r->map));
	return r->near && r->whole && r->next && r->preferred && r->spread && r->mean &&
			       r->n_usual && r->host && r->loose && r->map
		       ? 0
		       : -1;
}

static void free_room(struct racks *r)
{
	free(r->near);
	free(r->whole);
	free(r->next);
	free(r->preferred);
	free(r->spread);
	free(r->mean);
	free(r->n_usual);
	free(r->host);
	free(r->loose);
	free(r->map);
}

bool pl_racks_can_tell(const double *cell, size_t n)
{
	size_t n_pairs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i && n_pairs < PL_RACKS_PAIRS; j++)
			n_pairs += !isnan(cell[i * n + j]) || !isnan(cell[j * n + i]);
	return n < 2 || n_pairs >= PL_RACKS_PAIRS;
}

int pl_racks(const double *cell, size_t n, size_t *rack, size_t *n_racks, struct pl_err *err)
{
	struct racks r = {.n = n};
	bool parted = true;
	int rc = make_room(&r);

	if (rc == 0) {
		r.spread[0] = SPREAD_USUAL;
		r.n_usual[0] = CELLS_FIRST;
		rc = take_logs(&r, cell);
	}
	for (int level = 0; rc == 0 && parted && level < LEVELS_MAX; level++)
		rc = part_level(&r, &parted);
	if (rc == 0) {
		for (size_t i = 0; i < n; i++)
			rack[i] = r.loose[i] ? i : r.whole[i];
		*n_racks = pl_group_renumber(rack, n, r.map);
	} else {
		pl_err_nomem(err);
	}
	free_room(&r);
	return rc;
}
