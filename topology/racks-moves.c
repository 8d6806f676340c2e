/* SPDX-License-Identifier: BSD-3-Clause */
/* racks-moves.c - moves hosts to other parts as long as the description becomes shorter */
#include "config.h"

#include "base/mem.h"
#include "topology/racks-part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES_MAX = 20 };

/* In nats: a smaller saving is none; and a loss that a change of sizes can hardly make up for. */
#define LEAST 1e-6
#define HOPELESS 20.0

int pl_parting_init(struct pl_parting *t, size_t m, size_t n_wholes)
{
	struct pl_part_code *c = &t->code;
	const size_t n_sample = m * m / 2 < PL_PARTING_SAMPLE ? m * m / 2 : PL_PARTING_SAMPLE;

	t->m = c->m = m;
	t->n_wholes = c->n_wholes = n_wholes;
	t->raw = pl_array_create(m, m * sizeof(*t->raw));
	t->cell = pl_array_create(m, m * sizeof(*t->cell));
	t->whole = pl_array_create(m, sizeof(*t->whole));
	t->part = pl_array_create(m, sizeof(*t->part));
	t->size = pl_array_create(m + 1, sizeof(*t->size));
	t->owner = pl_array_create(m + 1, sizeof(*t->owner));
	t->off = pl_array_create(m, sizeof(*t->off));
	t->n_off = pl_array_create(m, sizeof(*t->n_off));
	t->sample = pl_array_create(n_sample, sizeof(*t->sample));
	c->factorial = pl_array_create(m + 1, sizeof(*c->factorial));
	c->natural = pl_array_create(m + 2, sizeof(*c->natural));
	c->n_sized = pl_array_create(m + 1, sizeof(*c->n_sized));
	c->n_in = pl_array_create(n_wholes, sizeof(*c->n_in));
	c->n_hosts = pl_array_create(n_wholes, sizeof(*c->n_hosts));
	if (!t->raw || !t->cell || !t->whole || !t->part || !t->size || !t->owner || !t->off ||
	    !t->n_off || !t->sample || !c->factorial || !c->natural || !c->n_sized || !c->n_in ||
	    !c->n_hosts || pl_part_fit_init(&t->fit, m, n_wholes))
		return -1;
	for (size_t k = 1; k <= m; k++) {
		c->natural[k] = pl_racks_log((double)k);
		c->factorial[k] = c->factorial[k - 1] + c->natural[k];
	}
	c->natural[m + 1] = pl_racks_log((double)(m + 1));
	return 0;
}

void pl_parting_fini(struct pl_parting *t)
{
	struct pl_part_code *c = &t->code;

	free(t->raw);
	free(t->cell);
	free(t->whole);
	free(t->part);
	free(t->size);
	free(t->owner);
	pl_part_fit_fini(&t->fit);
	free(t->off);
	free(t->n_off);
	free(t->sample);
	free(t->pull);
	free(t->merge);
	free(c->factorial);
	free(c->natural);
	free(c->n_sized);
	free(c->n_in);
	free(c->n_hosts);
	memset(t, 0, sizeof(*t));
}

void pl_parting_number(struct pl_parting *t)
{
	size_t *number = t->size, n_parts = 0;

	for (size_t p = 0; p <= t->m; p++)
		number[p] = t->m;
	for (size_t i = 0; i < t->m; i++) {
		if (number[t->part[i]] == t->m)
			number[t->part[i]] = n_parts++;
		t->part[i] = number[t->part[i]];
		t->owner[t->part[i]] = t->whole[i];
	}
	memset(t->size, 0, (t->m + 1) * sizeof(*t->size));
	for (size_t i = 0; i < t->m; i++)
		t->size[t->part[i]]++;
	t->n_parts = n_parts;
	pl_part_code_begin(t);
}

/* How many nats the description becomes shorter with hosts i and j in one part instead of two. */
static double gain_of(const struct pl_parting *t, size_t i, size_t j)
{
	const double x = (double)t->cell[i * t->m + j];
	const double clip = pl_parting_clip(t);
	const double in = x - t->fit.mean[0], out = x - t->fit.mean[1];

	if (isnan(x))
		return 0;
	return (pl_parting_square(out, clip) - pl_parting_square(in, clip)) /
	       (2 * t->fit.spread * t->fit.spread);
}

double pl_parting_worth(const struct pl_parting *t)
{
	double sum = -pl_part_code_cost(&t->code);

	for (size_t i = 1; i < t->m; i++)
		for (size_t j = 0; j < i; j++)
			if (t->part[i] == t->part[j])
				sum += gain_of(t, i, j);
	return sum;
}

/* Row i: what draws host i to each of the parts. */
static float *pull_of(const struct pl_parting *t, size_t i)
{
	return t->pull + i * (t->n_parts + 1);
}

static void add_up_pulls(struct pl_parting *t)
{
	memset(t->pull, 0, t->m * (t->n_parts + 1) * sizeof(*t->pull));
	for (size_t i = 0; i < t->m; i++)
		for (size_t j = 0; j < t->m; j++)
			if (i != j)
				pull_of(t, i)[t->part[j]] += (float)gain_of(t, i, j);
}

static void move(struct pl_parting *t, size_t i, size_t to)
{
	const size_t from = t->part[i];

	t->owner[to] = t->whole[i];
	pl_parting_resize(t, from, t->size[from] - 1);
	pl_parting_resize(t, to, t->size[to] + 1);
	t->part[i] = to;
	for (size_t j = 0; j < t->m; j++) {
		const float gain = (float)gain_of(t, i, j);

		if (j == i)
			continue;
		pull_of(t, j)[from] -= gain;
		pull_of(t, j)[to] += gain;
	}
}

/* How much longer the code becomes where @n hosts go from one part to
 * another. */
static double code_more(struct pl_parting *t, size_t from, size_t to, size_t n)
{
	const double before = pl_part_code_cost(&t->code);
	double after;

	t->owner[to] = t->owner[from];
	pl_parting_resize(t, from, t->size[from] - n);
	pl_parting_resize(t, to, t->size[to] + n);
	after = pl_part_code_cost(&t->code);
	pl_parting_resize(t, to, t->size[to] - n);
	pl_parting_resize(t, from, t->size[from] + n);
	return after - before;
}

/* One part of the host's whole, or an empty one? */
static bool open_to(const struct pl_parting *t, size_t i, size_t part)
{
	return t->size[part] == 0 || t->owner[part] == t->whole[i];
}

/* Moves each host to the part that suits it best. Returns whether any moved. */
static bool move_hosts(struct pl_parting *t)
{
	bool moved = false;

	for (size_t i = 0; i < t->m; i++) {
		const float *pull = pull_of(t, i);
		const size_t from = t->part[i];
		double best = LEAST;
		size_t to = from;

		for (size_t p = 0; p <= t->n_parts; p++) {
			double gain = (double)(pull[p] - pull[from]);

			if (p == from || !open_to(t, i, p) || gain < best - HOPELESS)
				continue;
			gain -= code_more(t, from, p, 1);
			if (gain > best) {
				best = gain;
				to = p;
			}
		}
		if (to != from) {
			move(t, i, to);
			moved = true;
		}
	}
	return moved;
}

/* Exchanges hosts that would each suit the other's part better. */
static bool swap_hosts(struct pl_parting *t)
{
	bool moved = false;

	for (size_t i = 1; i < t->m; i++)
		for (size_t j = 0; j < i; j++) {
			const size_t a = t->part[i], b = t->part[j];
			double gain;

			if (a == b || t->whole[i] != t->whole[j])
				continue;
			gain = (double)(pull_of(t, i)[b] - pull_of(t, i)[a] + pull_of(t, j)[a] -
					pull_of(t, j)[b]);
			if (gain <= LEAST)
				continue;
			gain -= 2 * gain_of(t, i, j);
			if (gain <= LEAST)
				continue;
			move(t, i, b);
			move(t, j, a);
			moved = true;
		}
	return moved;
}

/* What draws parts to one another. */
static void add_up_parts(struct pl_parting *t)
{
	const size_t k = t->n_parts;

	memset(t->merge, 0, k * k * sizeof(*t->merge));
	for (size_t i = 0; i < t->m; i++)
		for (size_t p = 0; t->part[i] < k && p < k; p++)
			t->merge[t->part[i] * k + p] += (double)pull_of(t, i)[p];
}

/* The two parts that are best merged; returns whether there are any. */
static bool best_merge(struct pl_parting *t, size_t *from, size_t *to)
{
	const size_t k = t->n_parts;
	double best = LEAST;

	for (size_t p = 0; p < k; p++)
		for (size_t q = 0; q < p; q++) {
			double gain = t->merge[p * k + q];

			if (!t->size[p] || !t->size[q] || t->owner[p] != t->owner[q] ||
			    gain < best - HOPELESS)
				continue;
			gain -= code_more(t, p, q, t->size[p]);
			if (gain > best) {
				best = gain;
				*from = p;
				*to = q;
			}
		}
	return best > LEAST;
}

static bool merge_parts(struct pl_parting *t)
{
	const size_t k = t->n_parts;
	bool merged = false;
	size_t from, to;

	add_up_parts(t);
	while (best_merge(t, &from, &to)) {
		for (size_t i = 0; i < t->m; i++)
			if (t->part[i] == from)
				move(t, i, to);
		for (size_t p = 0; p < k; p++) {
			t->merge[to * k + p] += t->merge[from * k + p];
			t->merge[p * k + to] = t->merge[to * k + p];
		}
		merged = true;
	}
	return merged;
}

/* Returns whether any host moved. */
static bool pass(struct pl_parting *t)
{
	bool moved;

	add_up_pulls(t);
	moved = move_hosts(t);
	moved |= swap_hosts(t);
	moved |= merge_parts(t);
	return moved;
}

/* For what draws hosts, and parts, to parts: kept for the next time. */
static int make_room(struct pl_parting *t)
{
	if (t->n_parts < t->parts_room)
		return 0;
	free(t->pull);
	free(t->merge);
	t->parts_room = 0;
	t->pull = pl_array_create(t->m, (t->n_parts + 1) * sizeof(*t->pull));
	t->merge = pl_array_create(t->n_parts, t->n_parts * sizeof(*t->merge));
	if (!t->pull || !t->merge)
		return -1;
	t->parts_room = t->n_parts + 1;
	return 0;
}

int pl_parting_improve(struct pl_parting *t)
{
	bool moved = true, failed = false;

	for (int k = 0; moved && k < PASSES_MAX; k++) {
		pl_parting_number(t);
		failed = make_room(t) != 0;
		moved = !failed && pass(t);
	}
	pl_parting_number(t);
	return failed ? -1 : 0;
}
