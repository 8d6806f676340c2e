/* SPDX-License-Identifier: BSD-3-Clause */
/* least.c - the least time of an iteration whose compute time and ranks are within bounds */
#include "config.h"

#include "planner/srift/iteration/least.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds are sums and products of a few doubles: off by less. */
#define ROUNDING 1e-12

void pl_least_fini(struct pl_least *least)
{
	for (size_t n = 0; least->rate && n <= PL_SIM_RANKS_MAX; n++)
		free(least->rate[n]);
	free(least->rate);
	free(least->item);
	free(least->range);
	free(least->scratch);
	free(least->sizes);
	memset(least, 0, sizeof(*least));
}

/* Is the order of two layers one behind the other the same for every type? */
static bool all_agree(const struct pl_market *m, size_t a, size_t b)
{
	const double *first = m->type[0].instance->finish;

	for (size_t i = 1; i < m->n_types; i++) {
		const double *f = m->type[i].instance->finish;

		if ((f[a] < f[b]) != (first[a] < first[b]) || f[a] > f[b])
			return false;
	}
	return true;
}

/* Layers that are exchanged together must be so for every choice. */
static bool known_buckets(const struct pl_sim *sim, const struct pl_buckets *b)
{
	if (!sim->options->buckets.bytes)
		return true;
	for (size_t k = 1; k < b->n_layers; k++)
		if (!all_agree(sim->market, b->order[k - 1], b->order[k]))
			return false;
	return true;
}

static size_t find_size(struct pl_least *least, double bytes)
{
	size_t k = 1;

	bytes = pl_iteration_asked(least->sim->options, bytes);
	while (k < least->n_sizes && least->sizes[k] != bytes)
		k++;
	if (k == least->n_sizes)
		least->sizes[least->n_sizes++] = bytes;
	return k;
}

static void add_item(struct pl_least *least, const struct pl_buckets *b,
		     const struct pl_bucket *bucket, const double *forward)
{
	const struct pl_market *m = least->sim->market;
	const size_t last = b->order[bucket->first + bucket->n - 1];
	struct pl_least_item *item = &least->item[least->n];
	double finish[2] = {1, 0};

	/* one that is not always there may only hold others up */
	if (!least->sim->options->buckets.bytes && m->profile->layer[last].probability < 1)
		return;
	for (size_t i = 0; i < m->n_types; i++) {
		const double f = m->type[i].instance->finish[last];

		finish[0] = fmin(finish[0], f);
		finish[1] = fmax(finish[1], f);
	}
	for (int k = 0; k < 2; k++)
		item->share[k] = forward[k] + finish[k] * (1 - forward[k]);
	item->bytes = (double)bucket->bytes;
	item->size = find_size(least, item->bytes);
	least->n++;
}

int pl_least_init(struct pl_least *least, struct pl_sim *sim, struct pl_err *err)
{
	const struct pl_market *m = sim->market;
	struct pl_buckets b = {0};
	double forward[2];
	int rc = -1;

	*least = (struct pl_least){.sim = sim, .n_sizes = 1};
	if (pl_buckets_init(&b, m->profile, m->type[0].instance->finish, &sim->options->buckets) ==
	    0) {
		least->item = pl_array_create(b.n, sizeof(*least->item));
		least->range = pl_array_create(b.n, sizeof(*least->range));
		least->scratch = pl_array_create(b.n, PL_EXCHANGE_LEAST_SCRATCH * sizeof(double));
		least->sizes = pl_array_create(b.n + 1, sizeof(*least->sizes));
		least->rate = pl_array_create(PL_SIM_RANKS_MAX + 1, sizeof(*least->rate));
		if (least->item && least->range && least->scratch && least->sizes && least->rate)
			rc = 0;
	}
	pl_sim_forward_shares(m, forward);
	for (size_t k = 0; rc == 0 && known_buckets(sim, &b) && k < b.n; k++)
		add_item(least, &b, &b.bucket[k], forward);
	pl_buckets_fini(&b);
	if (rc) {
		pl_least_fini(least);
		return pl_err_nomem(err);
	}
	return 0;
}

/* Bandwidths of all sizes; of the first NaN: not known for so many ranks. */
static int ask(struct pl_least *least, size_t ranks, struct pl_err *err)
{
	double(*rate)[2] = pl_array_create(least->n_sizes, sizeof(*rate));

	if (!rate)
		return pl_err_nomem(err);
	least->rate[ranks] = rate;
	for (size_t k = 0; k < least->n_sizes; k++) {
		const int known =
			pl_sim_bandwidths(least->sim, least->sizes[k], ranks, rate[k], err);

		if (known < 0)
			return -1;
		if (known == 0) {
			rate[0][0] = NAN;
			return 0;
		}
	}
	return 0;
}

/* Least and most bandwidth of that size over those ranks; false: none is
 * known. */
static bool span(const struct pl_least *least, size_t size, const size_t *ranks, double *rate)
{
	rate[0] = INFINITY;
	rate[1] = 0;
	for (size_t n = ranks[0]; n <= ranks[1]; n++) {
		const double *r = least->rate[n][size];

		if (isnan(least->rate[n][0][0]))
			continue;
		rate[0] = fmin(rate[0], r[0]);
		rate[1] = fmax(rate[1], r[1]);
	}
	return rate[1] > 0;
}

static double exchange(struct pl_least *least, const struct pl_least_range *r, double cap,
		       double enough_s)
{
	struct pl_exchange_range x = {
		.cap_bytes_per_s = cap,
		.at_once = least->sim->options->at_once,
		.enough_s = enough_s,
		.scratch = least->scratch,
	};
	double end_s;

	for (size_t i = 0; i < least->n; i++) {
		const struct pl_least_item *item = &least->item[i];
		struct pl_transfer_range *t = &least->range[i];

		t->ready_s[0] = item->share[0] * r->compute_s[0] * (1 - ROUNDING);
		t->ready_s[1] = item->share[1] * r->compute_s[1] * (1 + ROUNDING);
		t->wire_bytes = pl_bus_bytes(item->bytes, r->ranks[0]);
		span(least, item->size, r->ranks, t->bytes_per_s);
	}
	end_s = pl_exchange_least(least->range, least->n, &x);
	least->steps += x.steps;
	return end_s;
}

int pl_least_seconds(struct pl_least *least, const struct pl_least_range *r, double enough_s,
		     double *seconds, struct pl_err *err)
{
	double cap[2];

	*seconds = pl_sim_least(least->sim, r->compute_s[0], r->ranks[0]);
	if (r->ranks[0] < 2 || !(*seconds < enough_s) || least->n == 0)
		return 0;
	for (size_t n = r->ranks[0]; n <= r->ranks[1]; n++)
		if (!least->rate[n] && ask(least, n, err))
			return -1;
	if (!span(least, 0, r->ranks, cap))
		*seconds = INFINITY;
	else
		*seconds = fmax(*seconds, exchange(least, r, cap[1], enough_s));
	return 0;
}
