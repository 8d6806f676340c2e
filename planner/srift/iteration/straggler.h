/* SPDX-License-Identifier: BSD-3-Clause */
/* straggler.h - the slowest machine of each iteration */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_STRAGGLER_H
#define PLINK_PLANNER_SRIFT_ITERATION_STRAGGLER_H

#include "base/rng.h"
#include "planner/srift/iteration/selection.h"

#include <stddef.h>

/* The x that a standard normal variable exceeds with probability @q in (0,
 * 1). */
double pl_normal_exceeds(double q);

/* Draws the greatest of n standard normal variables, n > 0, with a single random number. */
double pl_normal_max(struct pl_rng *rng, size_t n);

/* Mean seconds of the slowest machine. */
struct pl_slowest {
	double forward_s, backward_s;
	double *part_s; /* [n_parts] share of backward_s from draws in which the
			   part is slowest */
};

/*
 * In each of @iterations > 0 iterations every machine computes for a time drawn from a normal
 * distribution. Its mean is forward_s + backward_s of the part; its standard deviation is the
 * straggler of the profile times the mean. All machines wait for the slowest, whose time is split
 * into forward and backward pass as for its part (srift 4.3). 0, or -1: out of memory. Release
 * part_s with free().
 */
int pl_slowest_draw(struct pl_slowest *slowest, const struct pl_selection *sel, size_t iterations,
		    struct pl_rng *rng);

/*
 * The same in two steps, for many selections of few types. The random numbers of a type depend only
 * on @base, which is what pl_slowest_draw() takes first from its generator, and on the name of the
 * type, not on the other types selected. Each factor grows with the number of machines. So a part
 * alone never takes longer than together with other parts.
 *
 * factor[iterations]: the time of the slowest machine over the mean.
 */
void pl_part_slowness(double *factor, size_t iterations, const struct pl_selection_part *part,
		      uint64_t base);
/* factor[n_parts][iterations]. */
int pl_slowest_take(struct pl_slowest *slowest, const struct pl_selection *sel,
		    const double *const *factor, size_t iterations);

#endif
