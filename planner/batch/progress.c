/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c - what a larger batch costs in epochs, from losses */
#include "config.h"

#include "planner/batch/progress.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define LEAST_LARGE 9  /* iterations with the larger batch */
#define ERROR_MOST 0.2 /* relative standard error of the result */

/* The line through the losses of some iterations. */
struct stretch {
	double centre, mean; /* samples, loss */
	double slope;        /* of the loss, for each sample */
	double error;        /* standard error of the mean */
};

static double samples_before(const struct pl_norms *norms, size_t i)
{
	return (double)norms->step[i].iteration * (double)norms->batch;
}

/* Fits it to n >= 3 iterations from @first. */
static struct stretch fit(const struct pl_norms *norms, size_t first, size_t n)
{
	struct stretch s = {0};
	double xx = 0, xy = 0, yy = 0;

	for (size_t i = first; i < first + n; i++) {
		s.centre += samples_before(norms, i) / (double)n;
		s.mean += norms->step[i].loss / (double)n;
	}
	for (size_t i = first; i < first + n; i++) {
		const double x = samples_before(norms, i) - s.centre;
		const double y = norms->step[i].loss - s.mean;

		xx += x * x;
		xy += x * y;
		yy += y * y;
	}
	s.slope = xy / xx;
	s.error =
		sqrt(fmax(yy - s.slope * xy, 0) / (double)(n - 2) / (double)n);
	return s;
}

static bool has_losses(const struct pl_norms *norms)
{
	size_t i = 0;

	while (i < norms->n && isfinite(norms->step[i].loss))
		i++;
	return i == norms->n;
}

/* How many iterations have fewer samples before them than that? */
static size_t count_before(const struct pl_norms *norms, double samples)
{
	size_t n = 0;

	while (n < norms->n && samples_before(norms, n) < samples)
		n++;
	return n;
}

/* The first n iterations whose mean loss is not above @loss; false: there are
 * none. */
static bool find(struct stretch *s, const struct pl_norms *norms, size_t n,
		 double loss)
{
	double sum = 0;

	for (size_t i = 0; i < norms->n; i++) {
		sum += norms->step[i].loss;
		if (i >= n)
			sum -= norms->step[i - n].loss;
		if (i + 1 >= n && sum <= loss * (double)n) {
			*s = fit(norms, i + 1 - n, n);
			return true;
		}
	}
	return false;
}

double pl_batch_progress(const struct pl_norms *small,
			 const struct pl_norms *large)
{
	struct stretch begin[2], end, same;
	size_t n, third, n_small;
	double at;

	if (small->n < LEAST_LARGE || !has_losses(small) || !has_losses(large))
		return NAN;
	n = count_before(large, samples_before(small, small->n - 1) /
					PL_PROGRESS_MORE);
	if (n < LEAST_LARGE)
		return NAN;
	third = n / 3;
	n_small = count_before(small, samples_before(large, third));
	if (n_small < third)
		return NAN;
	begin[0] = fit(small, 0, n_small);
	begin[1] = fit(large, 0, third);
	end = fit(large, n - third, third);
	if (!(end.mean < begin[1].mean) ||
	    fabs(begin[0].mean - begin[1].mean) >
		    (begin[1].mean - end.mean) / 2 ||
	    !find(&same, small, n_small, end.mean) || !(same.slope < 0))
		return NAN;
	at = same.centre + (end.mean - same.mean) / same.slope;
	if (!(at > 0) ||
	    hypot(end.error, same.error) > ERROR_MOST * -same.slope * at)
		return NAN;
	return end.centre / at;
}
