/* SPDX-License-Identifier: BSD-3-Clause */
/* straggler.c - the slowest machine of each iteration */
#include "config.h"

#include "planner/srift/iteration/straggler.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define SQRT_HALF 0.70710678118654752440
#define SQRT_2PI 2.50662827463100050242

/*
 * Abramowitz and Stegun 26.2.23, off by 4.5e-4 at most, for q <= 1/2; then two of Halley's steps,
 * each of which cubes the error.
 */
static double upper(double q)
{
	const double t = sqrt(-2 * log(q));
	double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
			       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

	for (int i = 0; i < 2; i++) {
		const double e = (0.5 * erfc(x * SQRT_HALF) - q) * SQRT_2PI * exp(x * x / 2);

		x += e / (1 - e * x / 2);
	}
	return x;
}

double pl_normal_exceeds(double q)
{
	return q > 0.5 ? -upper(1 - q) : upper(q);
}

/*
 * All n are below x with probability P(x)^n: with U uniform the greatest is where P is U^(1/n), so
 * that it is exceeded with 1 - U^(1/n).
 */
double pl_normal_max(struct pl_rng *rng, size_t n)
{
	const double u = pl_rng_double(rng);

	return pl_normal_exceeds(-expm1(log(u > 0 ? u : 0x1p-54) / (double)n));
}

/* FNV-1a. */
static uint64_t hash(const char *s)
{
	uint64_t h = 14695981039346656037u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 1099511628211u;
	return h;
}

/* The random numbers of a part are a sequence of its type's own. */
void pl_part_slowness(double *factor, size_t iterations, const struct pl_selection_part *part,
		      uint64_t base)
{
	const double scale = part->instance->straggler;
	const char *name = part->instance->name;
	struct pl_rng rng;

	pl_rng_init(&rng, base, name ? hash(name) : 0);
	for (size_t k = 0; k < iterations; k++) {
		const double off = scale > 0 ? scale * pl_normal_max(&rng, part->count) : 0;

		factor[k] = fmax(0, 1 + off);
	}
}

/* Adds iteration @k. */
static void add(struct pl_slowest *s, const struct pl_selection *sel, const double *const *factor,
		size_t k)
{
	double longest_s = -1;
	size_t slowest = 0;

	for (size_t i = 0; i < sel->n_parts; i++) {
		const struct pl_selection_part *part = &sel->part[i];
		const double t_s = factor[i][k] * (part->forward_s + part->backward_s);

		if (t_s > longest_s) {
			longest_s = t_s;
			slowest = i;
		}
	}
	s->forward_s += factor[slowest][k] * sel->part[slowest].forward_s;
	s->part_s[slowest] += factor[slowest][k] * sel->part[slowest].backward_s;
}

int pl_slowest_take(struct pl_slowest *slowest, const struct pl_selection *sel,
		    const double *const *factor, size_t iterations)
{
	*slowest = (struct pl_slowest){0};
	slowest->part_s = pl_array_create(sel->n_parts, sizeof(*slowest->part_s));
	if (!slowest->part_s)
		return -1;
	for (size_t k = 0; k < iterations; k++)
		add(slowest, sel, factor, k);
	slowest->forward_s /= (double)iterations;
	for (size_t i = 0; i < sel->n_parts; i++) {
		slowest->part_s[i] /= (double)iterations;
		slowest->backward_s += slowest->part_s[i];
	}
	return 0;
}

int pl_slowest_draw(struct pl_slowest *slowest, const struct pl_selection *sel, size_t iterations,
		    struct pl_rng *rng)
{
	const uint64_t base = pl_rng_u64(rng);
	double *all = pl_array_create(sel->n_parts, iterations * sizeof(*all));
	const double **factor = pl_array_create(sel->n_parts, sizeof(*factor));
	int rc = -1;

	*slowest = (struct pl_slowest){0};
	for (size_t i = 0; all && factor && i < sel->n_parts; i++) {
		pl_part_slowness(all + i * iterations, iterations, &sel->part[i], base);
		factor[i] = all + i * iterations;
	}
	if (all && factor)
		rc = pl_slowest_take(slowest, sel, factor, iterations);
	free(all);
	free(factor);
	return rc;
}
