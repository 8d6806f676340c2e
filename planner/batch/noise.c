/* SPDX-License-Identifier: BSD-3-Clause */
/* noise.c - gradient noise from logs of norms */
#include "config.h"

#include "planner/batch/noise.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

#define RISEN 0.9 /* of the pairs of losses */

/* Moving averages of both squares. Their common correction for the begin drops
 * out of all ratios. */
static void average(const struct pl_norms *norms,
		    const struct pl_noise_options *o, double *local_sq,
		    double *mean_sq)
{
	const double keep = 1 - o->weight;

	*local_sq = *mean_sq = 0;
	for (size_t i = o->warmup; i < norms->n; i++) {
		const struct pl_norms_step *s = &norms->step[i];

		*local_sq = keep * *local_sq + s->local_sq;
		*mean_sq = keep * *mean_sq + s->mean_sq;
	}
}

static double noise_scale(const struct pl_norms *norms, double local_sq,
			  double mean_sq)
{
	const double big = (double)norms->batch;
	const double small = big / (double)norms->workers;
	const double gradient_sq =
		(big * mean_sq - small * local_sq) / (big - small);
	/* below 0 by rounding alone */
	const double variance =
		fmax(local_sq - mean_sq, 0) / (1 / small - 1 / big);

	return gradient_sq > 0 ? variance / gradient_sq : NAN;
}

/* NaN: out of memory, or no iteration tells. */
static double median_seconds(const struct pl_norms *norms, size_t warmup)
{
	double *v = pl_array_create(norms->n, sizeof(*v));
	double median = NAN;
	size_t n = 0;

	for (size_t i = warmup; v && i < norms->n; i++)
		if (!isnan(norms->step[i].seconds))
			v[n++] = norms->step[i].seconds;
	if (v)
		median = pl_median(v, n);
	free(v);
	return median;
}

static double mean_loss(const struct pl_norms *norms, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += norms->step[i].loss;
	return sum / (double)(to - from);
}

/* The share of pairs that rise, from the first @third losses to the last. */
static double risen(const struct pl_norms *norms, size_t first, size_t third)
{
	size_t n = 0;

	for (size_t i = first; i < first + third; i++)
		for (size_t k = norms->n - third; k < norms->n; k++)
			n += norms->step[k].loss > norms->step[i].loss;
	return (double)n / (double)(third * third);
}

int pl_noise_of(const struct pl_norms *norms, const struct pl_noise_options *o,
		struct pl_noise *noise, struct pl_err *err)
{
	double local_sq, mean_sq;

	if (norms->n <= o->warmup)
		return pl_err_set(err, PL_EINPUT,
				  "of %zu iterations none is left after the "
				  "first %zu",
				  norms->n, o->warmup);
	*noise = (struct pl_noise){.n = norms->n - o->warmup,
				   .gamma = NAN,
				   .normalized = NAN,
				   .scale = NAN,
				   .loss = {NAN, NAN}};
	average(norms, o, &local_sq, &mean_sq);
	if (norms->workers > 1 && mean_sq > 0) {
		noise->gamma = local_sq / mean_sq;
		noise->normalized = noise->gamma / (double)norms->workers;
		if (norms->batch)
			noise->scale = noise_scale(norms, local_sq, mean_sq);
	}
	noise->seconds = median_seconds(norms, o->warmup);
	if (noise->n >= 6) {
		noise->loss[0] =
			mean_loss(norms, o->warmup, o->warmup + noise->n / 3);
		noise->loss[1] =
			mean_loss(norms, norms->n - noise->n / 3, norms->n);
		noise->risen = risen(norms, o->warmup, noise->n / 3);
	}
	return 0;
}

bool pl_noise_rises(const struct pl_noise *noise)
{
	return noise->risen >= RISEN;
}
