/* SPDX-License-Identifier: BSD-3-Clause */
/* hours.c - whether machines that are started at some hours of the day are lost less often */
#include "config.h"

#include "planner/transient/hours.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define DAY_H 24

/* The band that an hour is in. */
static size_t band_of(const struct pl_hours *h, double hour)
{
	return (size_t)hour / h->width;
}

static int by_age(const void *a, const void *b)
{
	const struct pl_life *x = a, *y = b;

	return (x->s > y->s) - (x->s < y->s);
}

/* Adds the losses at one age, with those that have lived as long: @at_risk of each band, @all
 * together. */
static void add_age(struct pl_hours *h, const size_t *at_risk, size_t all, size_t lost,
		    double *variance)
{
	for (size_t k = 0; k < h->n; k++) {
		const double share = (double)at_risk[k] / (double)all;

		h->band[k].expected += (double)lost * share;
		if (all > 1)
			variance[k] += (double)lost * share * (1 - share) * (double)(all - lost) /
				       (double)(all - 1);
	}
}

static void test(struct pl_hours *h, size_t all_lost, const double *variance)
{
	double least = 1;

	h->best = h->n;
	for (size_t k = 0; k < h->n; k++) {
		struct pl_hours_band *b = &h->band[k];
		const double more = (double)b->lost - b->expected;
		const double others = (double)all_lost - b->expected;

		b->p = NAN;
		if (fmin(b->expected, others) < PL_HOURS_LEAST)
			continue;
		b->p = fmin(erfc(fabs(more) / sqrt(2 * variance[k])) * (double)h->n, 1);
		if (b->p < PL_HOURS_LEVEL && (double)b->lost / b->expected < least) {
			least = (double)b->lost / b->expected;
			h->best = k;
		}
	}
}

int pl_hours_make(struct pl_hours *h, const struct pl_life_group *group, size_t width,
		  struct pl_err *err)
{
	struct pl_life *life = pl_array_create(group->n, sizeof(*life));
	double variance[PL_HOURS_BANDS] = {0};
	size_t at_risk[PL_HOURS_BANDS] = {0}, n = 0, all_lost = 0;

	if (!life)
		return pl_err_nomem(err);
	*h = (struct pl_hours){.width = width, .n = DAY_H / width};
	for (size_t i = 0; i < group->n; i++)
		if (!isnan(group->life[i].start_h)) {
			life[n] = group->life[i];
			at_risk[band_of(h, life[n++].start_h)]++;
		}
	for (size_t k = 0; k < h->n; k++)
		h->band[k].n = at_risk[k];
	h->n_lives = n;
	qsort(life, n, sizeof(*life), by_age);
	for (size_t i = 0; i < n;) {
		const size_t first = i;
		size_t lost = 0;

		for (; i < n && life[i].s == life[first].s; i++)
			lost += life[i].lost;
		add_age(h, at_risk, n - first, lost, variance);
		for (size_t j = first; j < i; j++) {
			const size_t k = band_of(h, life[j].start_h);

			h->band[k].lost += life[j].lost;
			at_risk[k]--;
		}
		all_lost += lost;
	}
	test(h, all_lost, variance);
	free(life);
	return 0;
}
