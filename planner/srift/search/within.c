/* SPDX-License-Identifier: BSD-3-Clause */
/* within.c - the machines that may be chosen if none may compute longer than a limit */
#include "config.h"

#include "planner/srift/search/within.h"

#include "planner/srift/search/relax.h"

#include <math.h>

#define ROUNDING 1e-12
#define PARTS_MAX (PL_MARKET_TYPES_MAX * PL_MARKET_KINDS)

/* How many machines of the type can compute for mean_s each, at most. -1: no memory. */
static int count_most(struct pl_sim *sim, size_t type, double mean_s, double compute_s,
		      size_t available, size_t *most)
{
	*most = 0;
	for (size_t n = 1; n <= available; n *= 2) {
		const double slowness = pl_sim_least_slowness(sim, type, n);

		if (isnan(slowness))
			return -1;
		if (mean_s * slowness > compute_s * (1 + ROUNDING))
			return 0;
		*most = 2 * n - 1 < available ? 2 * n - 1 : available;
	}
	return 0;
}

int pl_within_init(struct pl_within *w, struct pl_sim *sim, const size_t *available,
		   double compute_s)
{
	const struct pl_market *m = sim->market;

	w->market = m;
	for (size_t i = 0; i < m->n_types; i++)
		for (size_t k = 0; k < m->type[i].n_batches; k++)
			if (count_most(sim, i, m->type[i].mean_s[k], compute_s, available[i],
				       &w->most[i][k]))
				return -1;
	return 0;
}

struct parts {
	struct pl_relax_part part[PARTS_MAX];
	size_t n;
};

static void add(struct parts *p, double samples, double per_sample)
{
	p->part[p->n] = (struct pl_relax_part){p->n, samples, per_sample};
	p->n++;
}

static double sum_least(struct parts *p, double samples)
{
	pl_relax_sort(p->part, p->n);
	return pl_relax_sum(p->part, p->n, 0, samples);
}

/* The largest batch allowed, and the most samples that the type can take; 0: none. */
static double best_batch(const struct pl_within *w, size_t i, double *samples)
{
	const struct pl_market_type *type = &w->market->type[i];
	double batch = 0;

	*samples = 0;
	for (size_t k = 0; k < type->n_batches; k++) {
		if (!w->most[i][k])
			continue;
		batch = (double)type->batch[k];
		*samples = fmax(*samples, (double)w->most[i][k] * batch);
	}
	return batch;
}

double pl_within_ranks(const struct pl_within *w, uint64_t samples)
{
	struct parts p;

	p.n = 0;
	for (size_t i = 0; i < w->market->n_types; i++) {
		double most;
		const double batch = best_batch(w, i, &most);

		if (batch > 0)
			add(&p, most, (double)w->market->type[i].instance->ranks / batch);
	}
	return sum_least(&p, (double)samples);
}

double pl_within_per_hour(const struct pl_within *w, uint64_t samples)
{
	struct parts p;

	p.n = 0;
	for (size_t i = 0; i < w->market->n_types; i++) {
		const struct pl_market_type *type = &w->market->type[i];
		double most;
		const double batch = best_batch(w, i, &most);

		for (size_t k = 0; batch > 0 && k < type->n_stocks; k++) {
			const struct pl_market_stock *stock = &type->stock[k];
			const double here = fmin(most, (double)stock->available * batch);

			add(&p, here, stock->price_per_hour / batch);
			most -= here;
		}
	}
	return sum_least(&p, (double)samples);
}
