/* SPDX-License-Identifier: BSD-3-Clause */
/* noise.c - gradient noise from logs of norms */
#include "config.h"

#include "planner/batch/noise.h"

#include "base/mem.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

#define RISEN 0.9 /* of the pairs of losses */
#define ERROR_MAX 1e6

/* Moving averages of both squares. Their common correction for the begin drops out of all
 * ratios. */
static void average(const struct pl_norms *norms, const struct pl_noise_options *o,
		    double *local_sq, double *mean_sq)
{
	const double keep = 1 - o->weight;

	*local_sq = *mean_sq = 0;
	for (size_t i = o->warmup; i < norms->n; i++) {
		const struct pl_norms_step *s = &norms->step[i];

		*local_sq = keep * *local_sq + s->local_sq;
		*mean_sq = keep * *mean_sq + s->mean_sq;
	}
}

static double noise_scale(const struct pl_norms *norms, double local_sq, double mean_sq)
{
	const double big = (double)norms->batch;
	const double small = big / (double)norms->workers;
	const double gradient_sq = (big * mean_sq - small * local_sq) / (big - small);
	/* below 0 by rounding alone */
	const double variance = fmax(local_sq - mean_sq, 0) / (1 / small - 1 / big);

	return gradient_sq > 0 ? variance / gradient_sq : NAN;
}

/* The relative standard error of the ratio of both averages: how far iterations, taken to be
 * independent, are from it. */
static double ratio_error(const struct pl_norms *norms, const struct pl_noise_options *o,
			  double local_sq, double mean_sq)
{
	const double keep = 1 - o->weight, gamma = local_sq / mean_sq;
	double sum_sq = 0, weights = 0, weights_sq = 0;

	for (size_t i = o->warmup; i < norms->n; i++) {
		const struct pl_norms_step *s = &norms->step[i];
		const double off = s->local_sq - gamma * s->mean_sq;

		sum_sq = keep * keep * sum_sq + off * off;
		weights = keep * weights + 1;
		weights_sq = keep * keep * weights_sq + 1;
	}
	return sqrt(sum_sq / (1 - weights_sq / (weights * weights))) / local_sq;
}

/* The same of the noise scale, batch * (gamma - 1) / (workers - gamma). */
static double scale_error(double error, double gamma, double workers)
{
	return error * gamma * (workers - 1) / (gamma - 1) / (workers - gamma);
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
				  "of %zu iterations none is left after the first %zu", norms->n,
				  o->warmup);
	*noise = (struct pl_noise){.n = norms->n - o->warmup,
				   .gamma = NAN,
				   .normalized = NAN,
				   .scale = NAN,
				   .error = NAN,
				   .loss = {NAN, NAN}};
	average(norms, o, &local_sq, &mean_sq);
	if (norms->workers > 1 && mean_sq > 0) {
		noise->gamma = local_sq / mean_sq;
		noise->normalized = noise->gamma / (double)norms->workers;
		noise->error = ratio_error(norms, o, local_sq, mean_sq);
		if (norms->batch)
			noise->scale = noise_scale(norms, local_sq, mean_sq);
		if (!isnan(noise->scale))
			noise->error = fmax(noise->error, scale_error(noise->error, noise->gamma,
								      (double)norms->workers));
		/* of a scale near 0; files have finite numbers */
		noise->error = noise->error > ERROR_MAX ? ERROR_MAX : noise->error;
	}
	noise->seconds = median_seconds(norms, o->warmup);
	if (noise->n >= 6) {
		noise->loss[0] = mean_loss(norms, o->warmup, o->warmup + noise->n / 3);
		noise->loss[1] = mean_loss(norms, norms->n - noise->n / 3, norms->n);
		noise->risen = risen(norms, o->warmup, noise->n / 3);
	}
	return 0;
}

bool pl_noise_rises(const struct pl_noise *noise)
{
	return noise->risen >= RISEN;
}
