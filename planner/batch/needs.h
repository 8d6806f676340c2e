/* SPDX-License-Identifier: BSD-3-Clause */
/* needs.h - how long a training must be with each batch to become as good: epochs and iterations */
#ifndef PLINK_PLANNER_BATCH_NEEDS_H
#define PLINK_PLANNER_BATCH_NEEDS_H

#include "planner/batch/laws.h"
#include "planner/srift/profile/number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_batch_need {
	uint64_t batch;    /* samples of an iteration, of all workers */
	double epochs;     /* NaN: not known; a law may give 0 or less */
	bool measured;     /* the epochs: the mean of the points with this
			    * batch; or else the law gives them */
	double iterations; /* epochs * samples / batch (Scavenger, eq. 4) */
};

/* Finds need[i] of batch[i], for a data set of so many samples. */
void pl_batch_needs(struct pl_batch_need *need, const uint64_t *batch, size_t n, double samples,
		    const struct pl_epoch_law *law, const struct pl_points *points);

/* All points get the noise scale of a profile, if none of them has one. 1 and *scale is that
 * number, borrowed; 0: a point has one; -1: the profile has none. */
int pl_points_take_scale(struct pl_points *points, const struct pl_profile_numbers *numbers,
			 const struct pl_profile_number **scale);

#endif
