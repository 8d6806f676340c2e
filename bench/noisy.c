/* SPDX-License-Identifier: BSD-3-Clause */
/* noisy.c - for benches: hosts in racks in rows, measured with noise */
#include "config.h"

#include "bench/noisy.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

/* Uniform numbers whose sum passes for a normal one. */
#define NORMAL_TERMS 12

struct noisy {
	const struct noisy_kind *kind;
	size_t *rack; /* [n] */
	double *own;  /* [n] */
	struct pl_rng rng;
};

static double normal(struct pl_rng *rng)
{
	double sum = -(double)NORMAL_TERMS / 2;

	for (int i = 0; i < NORMAL_TERMS; i++)
		sum += pl_rng_double(rng);
	return sum;
}

static unsigned char tier(const struct noisy *w, size_t i, size_t j)
{
	const size_t a = w->rack[i], b = w->rack[j];

	if (a == b)
		return 1;
	return a / w->kind->racks_in_row == b / w->kind->racks_in_row ? 2 : 3;
}

static double clean(const struct noisy *w, size_t i, size_t j)
{
	if (i == j)
		return 0;
	return w->kind->us[tier(w, i, j) - 1] + w->own[i] + w->own[j];
}

static double measured(struct noisy *w, size_t i, size_t j)
{
	double x = clean(w, i, j) * exp(w->kind->noise * normal(&w->rng));

	if (pl_rng_double(&w->rng) < w->kind->outliers)
		x *= 1 + 9 * pl_rng_double(&w->rng);
	return x;
}

static void fill_cells(struct noisy *w, double *cell)
{
	const size_t n = w->kind->n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++) {
			const double x = measured(w, i, j);

			cell[i * n + j] = cell[j * n + i] = x;
			if (w->kind->directed && i != j)
				cell[j * n + i] = measured(w, i, j);
		}
}

int noisy_fill(const struct noisy_kind *kind, uint64_t seed, double *cell, double *truth,
	       unsigned char *apart, size_t *rack)
{
	const size_t n = kind->n;
	struct noisy w = {.kind = kind};
	int rc = -1;

	w.rack = pl_array_create(n, sizeof(*w.rack));
	w.own = pl_array_create(n, sizeof(*w.own));
	if (!w.rack || !w.own)
		goto out;
	pl_rng_init(&w.rng, seed, n);
	for (size_t i = 0; i < n; i++)
		w.rack[i] = i / kind->in_rack;
	pl_rng_shuffle(&w.rng, w.rack, n);
	for (size_t i = 0; i < n; i++)
		w.own[i] = kind->own_us * pl_rng_double(&w.rng);
	if (cell)
		fill_cells(&w, cell);
	for (size_t p = 0; truth && p < n * n; p++)
		truth[p] = clean(&w, p / n, p % n);
	for (size_t p = 0; apart && p < n * n; p++)
		apart[p] = tier(&w, p / n, p % n);
	for (size_t i = 0; rack && i < n; i++)
		rack[i] = w.rack[i];
	rc = 0;
out:
	free(w.rack);
	free(w.own);
	return rc;
}
