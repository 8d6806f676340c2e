/* SPDX-License-Identifier: BSD-3-Clause */
/* needs.c - epochs and iterations by batch */
#include "config.h"

#include "planner/batch/needs.h"

#include <math.h>

/* The mean of what was measured with any number of workers; NaN: nothing. */
static double measured_epochs(const struct pl_points *points, uint64_t batch)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < points->n; i++) {
		const struct pl_batch_point *p = &points->point[i];

		if (p->end != PL_POINT_MEASURED || p->batch != batch || isnan(p->epochs))
			continue;
		sum += p->epochs;
		n++;
	}
	return sum / (double)n;
}

void pl_batch_needs(struct pl_batch_need *need, const uint64_t *batch, size_t n, double samples,
		    const struct pl_epoch_law *law, const struct pl_points *points)
{
	for (size_t i = 0; i < n; i++) {
		const double b = (double)batch[i];
		double epochs = measured_epochs(points, batch[i]);
		const bool measured = !isnan(epochs);

		if (!measured)
			epochs = pl_epoch_law_epochs(law, b);
		need[i] = (struct pl_batch_need){.batch = batch[i],
						 .epochs = epochs,
						 .measured = measured,
						 .iterations = epochs * samples / b};
	}
}

int pl_points_take_scale(struct pl_points *points, const struct pl_profile_numbers *numbers,
			 const struct pl_profile_number **scale)
{
	for (size_t i = 0; i < points->n; i++)
		if (!isnan(points->point[i].scale))
			return 0;
	*scale = pl_profile_number_find(numbers, "noise_scale", NULL);
	if (!*scale)
		return -1;
	for (size_t i = 0; i < points->n; i++)
		points->point[i].scale = (*scale)->value;
	return 1;
}
