/* SPDX-License-Identifier: BSD-3-Clause */
/* straggler.h - the slowest machine of each iteration */
#ifndef PLINK_PLANNER_SRIFT_ITERATION_STRAGGLER_H
#define PLINK_PLANNER_SRIFT_ITERATION_STRAGGLER_H

#include "base/rng.h"
#include "planner/srift/iteration/selection.h"

#include <stddef.h>

/* The x that a standard normal draw exceeds with probability @q in (0, 1). */
double pl_normal_exceeds(double q);

/* The greatest of n standard normal draws, n > 0: one random number,
 * distributed as the maximum is. */
double pl_normal_max(struct pl_rng *rng, size_t n);

/* Mean seconds of the slowest machine. */
struct pl_slowest {
	double forward_s, backward_s;
	double *part_s; /* [n_parts] of backward_s, where that part is
			 * slowest */
};

/*
 * In each of @iterations > 0 every machine computes for a time drawn from a
 * normal distribution: mean forward_s + backward_s of its part, standard
 * deviation so many times that as the profile's straggler says. All wait for
 * the slowest, whose time is split into forward and backward pass as its part's
 * are (srift 4.3). 0, or -1: no memory. Release part_s with free().
 */
int pl_slowest_draw(struct pl_slowest *slowest, const struct pl_selection *sel,
		    size_t iterations, struct pl_rng *rng);

/*
 * The same in two steps, for many selections of few types. Chance of a type
 * depends on @base, which is what pl_slowest_draw() takes from its generator
 * first, and on its name alone, not on what else is selected; and each factor
 * grows with the number of machines: so what a part takes for itself is never
 * more than what it takes in company.
 *
 * factor[iterations]: the slowest machine's time over the mean.
 */
void pl_part_slowness(double *factor, size_t iterations,
		      const struct pl_selection_part *part, uint64_t base);
/* factor[n_parts][iterations]. */
int pl_slowest_take(struct pl_slowest *slowest, const struct pl_selection *sel,
		    const double *const *factor, size_t iterations);

#endif
