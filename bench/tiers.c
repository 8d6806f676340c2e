/* SPDX-License-Identifier: BSD-3-Clause */
/* tiers.c - for benches: very many hosts in racks, rows and halls, cell by
 * cell */
#include "config.h"

#include "bench/tiers.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* uniform numbers whose sum passes for a normal one */
#define NORMAL_TERMS 12

#define THREE .n_tiers = 3, .width = {20, 20}, .us = {100, 200, 400}
#define FOUR .n_tiers = 4, .width = {20, 20, 16}, .us = {100, 200, 400, 800}

const struct tiers_kind tiers_kinds[] = {
	{.name = "3-tiers", THREE, .noise = 0.1},
	{.name = "3-outliers", THREE, .noise = 0.1, .outliers = 0.05},
	{.name = "3-own", THREE, .noise = 0.1, .own_us = 50},
	{.name = "3-both", THREE, .noise = 0.1, .outliers = 0.05, .own_us = 50},
	{.name = "4-tiers", FOUR, .noise = 0.1},
	{.name = "4-both", FOUR, .noise = 0.1, .outliers = 0.05, .own_us = 50},
};
const size_t tiers_n_kinds = sizeof(tiers_kinds) / sizeof(*tiers_kinds);

const struct tiers_kind *tiers_find(const char *name)
{
	for (size_t k = 0; k < tiers_n_kinds; k++)
		if (!strcmp(tiers_kinds[k].name, name))
			return &tiers_kinds[k];
	return NULL;
}

int tiers_init(struct tiers *t, const struct tiers_kind *kind, size_t n, uint64_t seed)
{
	struct pl_rng rng;

	*t = (struct tiers){.kind = kind, .n = n, .seed = seed};
	t->place = pl_array_create(n, sizeof(*t->place));
	t->own = pl_array_create(n, sizeof(*t->own));
	if (!t->place || !t->own)
		return -1;
	pl_rng_init(&rng, seed, 0);
	for (size_t i = 0; i < n; i++) {
		t->place[i] = i;
		t->own[i] = kind->own_us * pl_rng_double(&rng);
	}
	pl_rng_shuffle(&rng, t->place, n);
	return 0;
}

void tiers_fini(struct tiers *t)
{
	free(t->place);
	free(t->own);
	*t = (struct tiers){0};
}

double tiers_truth(const struct tiers *t, size_t a, size_t b)
{
	size_t x = t->place[a], y = t->place[b], tier = 0;

	if (a == b)
		return 0;
	for (; tier + 1 < t->kind->n_tiers; tier++) {
		x /= t->kind->width[tier];
		y /= t->kind->width[tier];
		if (x == y)
			break;
	}
	return t->kind->us[tier] + t->own[a] + t->own[b];
}

double tiers_measured(const struct tiers *t, size_t a, size_t b)
{
	const size_t low = a < b ? a : b, high = a < b ? b : a;
	struct pl_rng rng;
	double sum = -(double)NORMAL_TERMS / 2, x;

	pl_rng_init(&rng, t->seed, 1 + (uint64_t)low * t->n + high);
	for (int i = 0; i < NORMAL_TERMS; i++)
		sum += pl_rng_double(&rng);
	x = tiers_truth(t, a, b) * exp(t->kind->noise * sum);
	if (pl_rng_double(&rng) < t->kind->outliers)
		x *= 1 + 9 * pl_rng_double(&rng);
	return x;
}
