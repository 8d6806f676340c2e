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
	return (double)(norms->step[i].iteration - norms->step[0].iteration) * (double)norms->batch;
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
	s.error = sqrt(fmax(yy - s.slope * xy, 0) / (double)(n - 2) / (double)n);
	return s;
}

/* How many iterations have fewer samples before them than that? */
static size_t count_before(const struct pl_norms *norms, double samples)
{
	size_t n = 0;

	while (n < norms->n && samples_before(norms, n) < samples)
		n++;
	return n;
}

/* The index behind the first n iterations whose mean loss is not above @loss; 0: there are none. */
static size_t find(const struct pl_norms *norms, size_t n, double loss)
{
	double sum = 0;

	for (size_t i = 0; i < norms->n; i++) {
		sum += norms->step[i].loss;
		if (i >= n)
			sum -= norms->step[i - n].loss;
		if (i + 1 >= n && sum <= loss * (double)n)
			return i + 1;
	}
	return 0;
}

/* The stretch of at most n iterations that has this mean loss: a shorter one if that is already the
 * first, where the loss falls much faster than in the other job. False: there is none. */
static bool find_same(struct stretch *s, const struct pl_norms *norms, size_t n, double loss)
{
	size_t end = find(norms, n, loss);

	while (end == n && n >= 2 * 3) {
		n /= 2;
		end = find(norms, n, loss);
	}
	if (end)
		*s = fit(norms, end - n, n);
	return end > 0;
}

/* The loss of the line where training begins. */
static double at_begin(const struct stretch *s)
{
	return s->mean - s->slope * s->centre;
}

const char *pl_batch_progress_unfit(const struct pl_norms *large)
{
	const size_t third = large->n / 3;

	if (large->n < LEAST_LARGE)
		return "fewer than 9 iterations of the largest batch have one";
	return fit(large, large->n - third, third).mean < fit(large, 0, third).mean
		       ? NULL
		       : "they do not fall with the largest batch";
}

/* Do both jobs begin with the same weights? Not if one continues the other. */
static bool begin_alike(const struct pl_norms *small, const struct pl_norms *large, size_t third,
			double end_loss)
{
	const struct stretch s = fit(small, 0, third);
	const struct stretch l = fit(large, 0, third);

	return fabs(at_begin(&s) - at_begin(&l)) <=
	       (at_begin(&l) - end_loss) / 2 + 4 * hypot(s.error, l.error);
}

double pl_batch_progress(const struct pl_norms *small, const struct pl_norms *large,
			 const char **why)
{
	struct stretch end, same;
	size_t n = 0, third, n_small;
	double at;

	if (small->n >= LEAST_LARGE)
		n = count_before(large, samples_before(small, small->n - 1) / PL_PROGRESS_MORE);
	third = n / 3;
	n_small = count_before(small, samples_before(large, third));
	*why = "the smaller batch has had too few samples";
	if (n < LEAST_LARGE || n_small < third)
		return NAN;
	end = fit(large, n - third, third);
	*why = "the jobs do not begin with the same loss";
	if (!begin_alike(small, large, third, end.mean))
		return NAN;
	*why = "the smaller batch has not come to the same loss";
	if (!find_same(&same, small, n_small, end.mean))
		return NAN;
	*why = "they differ by chance";
	if (!(same.slope < 0))
		return NAN;
	at = same.centre + (end.mean - same.mean) / same.slope;
	if (!(at > 0) || hypot(end.error, same.error) > ERROR_MOST * -same.slope * at)
		return NAN;
	return end.centre / at;
}
