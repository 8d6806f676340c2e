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
 * Abramowitz and Stegun 26.2.23, off by 4.5e-4 at most, for q <= 1/2; then two
 * of Halley's steps, each of which cubes the error.
 */
static double upper(double q)
{
	const double t = sqrt(-2 * log(q));
	double x = t -
		   (2.515517 + t * (0.802853 + t * 0.010328)) /
			   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

	for (int i = 0; i < 2; i++) {
		const double e = (0.5 * erfc(x * SQRT_HALF) - q) * SQRT_2PI *
				 exp(x * x / 2);

		x += e / (1 - e * x / 2);
	}
	return x;
}

double pl_normal_exceeds(double q)
{
	return q > 0.5 ? -upper(1 - q) : upper(q);
}

/*
 * All n are below x with probability P(x)^n: with U uniform the greatest is
 * where P is U^(1/n), so that it is exceeded with 1 - U^(1/n).
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

/* The random numbers of a part: a sequence of its type's own. */
static void begin(struct pl_rng *rng, const struct pl_selection_part *part,
		  uint64_t base)
{
	const char *name = part->instance->name;

	pl_rng_init(rng, base, name ? hash(name) : 0);
}

static double slowness(const struct pl_selection_part *part, struct pl_rng *rng)
{
	const double scale = part->instance->straggler;

	return scale > 0 ? fmax(0, 1 + scale * pl_normal_max(rng, part->count))
			 : 1;
}

void pl_part_slowness(double *factor, size_t iterations,
		      const struct pl_selection_part *part, uint64_t base)
{
	struct pl_rng rng;

	begin(&rng, part, base);
	for (size_t k = 0; k < iterations; k++)
		factor[k] = slowness(part, &rng);
}

/* Adds an iteration in which each part is so much slower than its mean. */
static void add(struct pl_slowest *s, const struct pl_selection *sel,
		const double *factor)
{
	double longest_s = -1;
	size_t slowest = 0;

	for (size_t i = 0; i < sel->n_parts; i++) {
		const struct pl_selection_part *part = &sel->part[i];
		const double t_s =
			factor[i] * (part->forward_s + part->backward_s);

		if (t_s > longest_s) {
			longest_s = t_s;
			slowest = i;
		}
	}
	s->forward_s += factor[slowest] * sel->part[slowest].forward_s;
	s->part_s[slowest] += factor[slowest] * sel->part[slowest].backward_s;
}

static void end(struct pl_slowest *s, const struct pl_selection *sel,
		size_t iterations)
{
	s->forward_s /= (double)iterations;
	for (size_t i = 0; i < sel->n_parts; i++) {
		s->part_s[i] /= (double)iterations;
		s->backward_s += s->part_s[i];
	}
}

int pl_slowest_take(struct pl_slowest *slowest, const struct pl_selection *sel,
		    const double *const *factor, size_t iterations)
{
	const size_t n = sel->n_parts;
	double *now = pl_array_create(n, sizeof(*now));

	*slowest = (struct pl_slowest){0};
	slowest->part_s = pl_array_create(n, sizeof(*slowest->part_s));
	if (!now || !slowest->part_s) {
		free(now);
		free(slowest->part_s);
		return -1;
	}
	for (size_t k = 0; k < iterations; k++) {
		for (size_t i = 0; i < n; i++)
			now[i] = factor[i][k];
		add(slowest, sel, now);
	}
	end(slowest, sel, iterations);
	free(now);
	return 0;
}

int pl_slowest_draw(struct pl_slowest *slowest, const struct pl_selection *sel,
		    size_t iterations, struct pl_rng *rng)
{
	const size_t n = sel->n_parts;
	const uint64_t base = pl_rng_u64(rng);
	struct pl_rng *own = pl_array_create(n, sizeof(*own));
	double *now = pl_array_create(n, sizeof(*now));
	int rc = -1;

	*slowest = (struct pl_slowest){0};
	slowest->part_s = pl_array_create(n, sizeof(*slowest->part_s));
	if (!own || !now || !slowest->part_s)
		goto out;
	for (size_t i = 0; i < n; i++)
		begin(&own[i], &sel->part[i], base);
	for (size_t k = 0; k < iterations; k++) {
		for (size_t i = 0; i < n; i++)
			now[i] = slowness(&sel->part[i], &own[i]);
		add(slowest, sel, now);
	}
	end(slowest, sel, iterations);
	rc = 0;
out:
	if (rc) {
		free(slowest->part_s);
		slowest->part_s = NULL;
	}
	free(own);
	free(now);
	return rc;
}
