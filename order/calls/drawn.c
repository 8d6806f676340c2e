/* SPDX-License-Identifier: BSD-3-Clause */
/* drawn.c - networks that the measurement would fit as well */
#include "config.h"

#include "order/calls/drawn.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/stats.h"
#include "order/calls/network.h"

#include <math.h>
#include <stdlib.h>

/* The least spreads: plink-probe lets a percentile be off by 2 % (95 of 100 times), and ends a flow
 * when its two halves differ by 5 % at most. */
#define TIMES_LEAST (0.02 / 1.96)
#define RATES_LEAST (0.05 / 1.96)

/* A standard deviation as a multiple of the median of what is off either way. */
#define FROM_MEDIAN 1.4826

#define TURN 6.283185307179586

/* Rates that are not known, and costs of messages, are from once to so many times the least. */
#define RATES_UNKNOWN 100
#define COSTS_UNKNOWN 4

/* Of the difference of two measurements: half its variance is that of one. */
static double spread_of(double *off, size_t n, double least)
{
	const double median = pl_median(off, n);

	return n > 0 ? fmax(FROM_MEDIAN * median / sqrt(2), least) : least;
}

static size_t differ(double *off, const struct pl_matrix *m)
{
	const double *cell = m->layer[0].cell;
	const size_t n = m->hosts.n;
	size_t k = 0;

	if (m->layer[0].quantity != PL_RTT || m->symmetrize == PL_SYM_NONE)
		return 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (cell[i * n + j] > 0 && cell[j * n + i] > 0)
				off[k++] = fabs(log(cell[i * n + j] / cell[j * n + i]));
	return k;
}

static size_t cards_differ(double *off, const struct pl_tiers *t, double *scratch)
{
	double usual;
	size_t k = 0;

	for (size_t h = 0; h < t->n; h++)
		if (t->card[h].out_bps > 0 && t->card[h].in_bps > 0)
			off[k++] = log(t->card[h].out_bps / t->card[h].in_bps);
	for (size_t i = 0; i < k; i++)
		scratch[i] = off[i];
	usual = pl_median(scratch, k);
	for (size_t i = 0; i < k; i++)
		off[i] = fabs(off[i] - usual);
	return k;
}

int pl_order_spread_of(struct pl_order_spread *spread, const struct pl_order_input *in,
		       struct pl_err *err)
{
	const size_t n = in->matrix->hosts.n;
	double *off = pl_array_create(n * n, sizeof(*off));
	double *scratch = pl_array_create(n, sizeof(*scratch));
	struct pl_tiers tiers = {0};
	int rc = off && scratch ? pl_tiers_read(&tiers, in->matrix, err) : pl_err_nomem(err);

	if (rc == 0) {
		spread->times = spread_of(off, differ(off, in->matrix), TIMES_LEAST);
		spread->rates = spread_of(off, cards_differ(off, &tiers, scratch), RATES_LEAST);
	}
	pl_tiers_fini(&tiers);
	free(scratch);
	free(off);
	return rc;
}

/* A factor whose logarithm has that standard deviation (Box and Muller). */
static double off_by(struct pl_rng *rng, double spread)
{
	const double length = sqrt(-2 * log(1 - pl_rng_double(rng)));

	return exp(spread * length * cos(TURN * pl_rng_double(rng)));
}

static void draw_times(struct pl_network *net, const struct pl_matrix *m, double spread,
		       struct pl_rng *rng)
{
	const struct pl_layer *p50 = pl_matrix_layer(m, "p50");
	const double part = pl_rng_double(rng);
	const size_t n = net->n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			const double factor = off_by(rng, spread);
			const size_t there = i * n + j, back = j * n + i;
			const double *first = m->layer[0].cell;

			net->latency_s[there] *= factor;
			net->latency_s[back] *= factor;
			if (!p50 || !(first[there] > 0 && first[back] > 0))
				continue;
			net->latency_s[there] *=
				1 + part * fmax(p50->cell[there] / first[there] - 1, 0);
			net->latency_s[back] *=
				1 + part * fmax(p50->cell[back] / first[back] - 1, 0);
		}
}

static void draw_link(struct pl_link_rate *rate, double all, double spread, struct pl_rng *rng)
{
	rate->out_bps *= all * off_by(rng, spread);
	rate->in_bps *= all * off_by(rng, spread);
}

static void draw_rates(struct pl_network *net, double spread, struct pl_rng *rng)
{
	const double all = off_by(rng, spread);

	for (size_t h = 0; h < net->tiers.n; h++)
		draw_link(&net->tiers.card[h], all, spread, rng);
	for (size_t g = 0; g < net->tiers.n_groups; g++)
		draw_link(&net->tiers.uplink[g], all, spread, rng);
	for (size_t i = 0; net->bytes_per_s && i < net->n * net->n; i++)
		net->bytes_per_s[i] *= all * off_by(rng, spread);
	pl_network_suppose(net, pl_network_least_bps(net) * pow(RATES_UNKNOWN, pl_rng_double(rng)));
}

/* On all hosts alike. */
static void draw_costs(struct pl_network *net, struct pl_rng *rng)
{
	const double times = pow(COSTS_UNKNOWN, pl_rng_double(rng) - 0.5);

	for (size_t h = 0; h < net->n; h++) {
		net->cost[h].send_s *= times;
		net->cost[h].recv_s *= times;
		net->cost[h].wake_s *= times;
		net->cost[h].spread_s *= times;
	}
}

int pl_order_draw(struct pl_order_drawn *d, const struct pl_order_spread *spread,
		  const struct pl_order_input *in, const struct pl_order_request *q, size_t k,
		  struct pl_err *err)
{
	struct pl_rng rng;

	if (pl_order_network_init(&d->net, in, q, err))
		return -1;
	pl_rng_init(&rng, q->seed, k);
	draw_times(&d->net, in->matrix, spread->times, &rng);
	draw_rates(&d->net, spread->rates, &rng);
	draw_costs(&d->net, &rng);
	return 0;
}
